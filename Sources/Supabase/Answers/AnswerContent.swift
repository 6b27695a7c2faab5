import JSON
import NodeCore

/// The content of an answer, as far as it was read.
struct AnswerContent {
  /// What it is said to be, short and for people.
  let kind: String
  /// Its JSON; nil when it is said to be something else, or is none.
  let json: JSONValue?
  /// Whether it is said to be JSON and does not read as such: it was cut off on the way.
  let isBroken: Bool

  init(_ answer: ServerAnswer) {
    let type = (answer.contentType?.prefix { $0 != ";" }).map { $0.lowercased() }
    kind = String((type ?? "no content type").prefix(Limits.kindCharacters))
    guard let type, type.contains("json") else {
      json = nil
      isBroken = false
      return
    }
    json = JSONText.decode(answer.body)
    isBroken = json == nil
  }

  /// Whether it is said to be a page for people, as a captive portal's is.
  var isPage: Bool { kind.contains("html") }

  /// The rows; nil when it is no list of objects.
  var rows: [JSONValue]? {
    guard let list = json?.list, list.allSatisfy({ $0.object != nil }) else { return nil }
    return list
  }

  /// The error that it tells of; nil when it is none of our server's.
  var error: ErrorContent? { json.flatMap(ErrorContent.init) }
}

/// An error as one of the parts of the server tells it.
struct ErrorContent {
  /// `23505`, `PGRST301`, `refresh_token_not_found`, `Duplicate`; nil when there is none, or when it is not
  /// a word.
  let code: String?
  /// What happened, in the server's words, which are never shown: they may hold what was sent.
  let message: String
  /// The status of HTTP that the storage means.
  let status: Int?

  /// An error of PostgREST (`code`, `message`), of the gateway (`message`), of GoTrue (`error_code`, `msg`,
  /// once `error`, `error_description`), of the storage (`statusCode`, `error`, `message`), or of a
  /// function (`error`).
  init?(_ json: JSONValue) {
    guard json.object != nil,
      let message = ["message", "msg", "error_description", "error"].lazy
        .compactMap({ json[$0]?.text }).first
    else { return nil }
    self.message = message
    status =
      json["statusCode"]?.text.flatMap { Int($0) } ?? json["statusCode"]?.integer.map(Int.init)
    code = ["error_code", "code", "error"].lazy.compactMap { json[$0]?.text }
      .first(where: ErrorContent.isName)
  }

  /// The name between quotation marks that follows a word of the message: `unique constraint "x"`.
  func name(after word: String) -> String? {
    guard let start = message.firstRange(of: "\(word) \"") else { return nil }
    let rest = message[start.upperBound...]
    guard let end = rest.firstIndex(of: "\"") else { return nil }
    let name = String(rest[..<end])
    return ErrorContent.isName(name) ? name : nil
  }

  /// Whether a text is a name of a program's, and no sentence or value.
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= Limits.nameCharacters
      && text.utf8.allSatisfy {
        switch $0 {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
      }
  }
}
