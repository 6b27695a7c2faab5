import Glibc
import JSON
import SeededRandom
import ServerModel
import TestSupport
import Testing

/// The model and a real database with the same tables and policies, asked the same one after the other.
/// The script that starts the database, `Tests/PostgreSQL/compare.sh`, names the port of the server before it.
@Suite(.serialized, .enabled(if: RealServer.port != nil, "there is no PostgreSQL; see the script"))
struct PostgreSQLTests {
  @Test(arguments: 1...6) func theySayTheSame(_ seed: UInt64) async throws {
    let real = RealServer(port: try #require(RealServer.port))
    var pair = ComparedServers(real: real)
    // What the last round left, those first that refer to others.
    for table in ["violations", "sync_metadata", "vehicle_passages"] {
      _ = try await real.ask(Question(.service, "DELETE", "\(table)?id=not.is.null"))
    }
    try await pair.compare(seed == 1 ? Question.fixed : [])
    var random = SplitMix64(seed: seed)
    var number = 0
    try await pair.compare((0..<200).map { _ in Question.random(&number, using: &random) })
    try await pair.compare(Question.everything)
    // What was drawn has been taken, refused in every way, and paired.
    #expect(pair.statuses.isSuperset(of: [200, 201, 400, 403, 409]))
    #expect(pair.violations > 3)
  }
}

/// Who asks.
enum Asker: CaseIterable {
  case east
  case west
  case service
  case anonymous
}

/// One request to both.
struct Question: CustomStringConvertible {
  var asker: Asker
  var method: String
  var target: String
  var body: JSONValue?
  var prefer: String?

  init(
    _ asker: Asker, _ method: String, _ target: String, _ body: JSONValue? = nil,
    prefer: String? = nil
  ) {
    self.asker = asker
    self.method = method
    self.target = target
    self.body = body
    self.prefer = prefer
  }

  var description: String {
    "\(asker) \(method) \(target) \(prefer ?? "") \(body.map(JSONText.line) ?? "")"
  }
}

/// The model, and the server before the real database.
struct ComparedServers {
  private let real: RealServer
  private var asking = Asking()
  private(set) var statuses: Set<Int> = []
  private var tokens: [Asker: String] = [.service: "model-service-key"]

  init(real: RealServer) {
    self.real = real
  }

  /// Of pairs that the model judged.
  var violations: Int { asking.model.count(of: "violations") }

  mutating func compare(_ questions: [Question]) async throws {
    for question in questions {
      asking.token = try token(of: question.asker)
      let model = asking.ask(
        question.method, "/rest/v1/" + question.target, question.body, prefer: question.prefer)
      let (status, body) = try await real.ask(question)
      statuses.insert(status)
      #expect(model.status == status, "\(question)\n\(String(describing: body))")
      let told = String(decoding: model.body, as: UTF8.self)
      #expect(
        Self.comparable(model.json) == Self.comparable(body),
        "\(question)\nmodel: \(told)\nPostgreSQL: \(body.map(JSONText.line) ?? "")")
    }
  }

  private mutating func token(of asker: Asker) throws -> String? {
    if let token = tokens[asker] { return token }
    switch asker {
    case .east: try asking.signIn("sita@bnp.local", "east-gate-1")
    case .west: try asking.signIn("ram@bnp.local", "west-gate-1")
    case .service, .anonymous: return nil
    }
    tokens[asker] = asking.token
    return asking.token
  }

  /// What does not depend on the clock or on the words in which a server before the database refuses.
  private static func comparable(_ value: JSONValue?) -> JSONValue? {
    switch value {
    case .object(var members):
      for name in ["created_at", "updated_at", "server_received_at"] { members[name] = nil }
      if let code = members["code"]?.text, members["message"] != nil {
        members["hint"] = nil
        // The row that is told has the moment of its coming in it.
        if members["details"]?.text?.hasPrefix("Failing row contains (") == true {
          members["details"] = "Failing row"
        }
        if code.hasPrefix("PGRST") {
          members["details"] = nil
          members["message"] = nil
        }
      }
      return .object(members.compactMapValues { comparable($0) })
    case .list(let values): return .list(values.compactMap { comparable($0) })
    case .integer(let number): return .number(Double(number))
    default: return value
    }
  }
}

/// The server before the real database.
struct RealServer: Sendable {
  let port: UInt16

  /// The port that the script names; nil when nobody started it.
  static let port: UInt16? = getenv("CHECKPOST_TEST_POSTGREST")
    .flatMap { UInt16(String(cString: $0)) }

  func ask(_ question: Question) async throws -> (status: Int, body: JSONValue?) {
    let bearer =
      switch question.asker {
      case .east: ServerModel.Pilot.eastRanger
      case .west: ServerModel.Pilot.westRanger
      case .service: "service"
      case .anonymous: "anon"
      }
    let body = question.body.map(JSONText.line) ?? ""
    var header =
      "\(question.method) /rest/v1/\(question.target) HTTP/1.1\r\nHost: localhost\r\n"
      + "Connection: close\r\nAuthorization: Bearer \(bearer)\r\n"
      + "Content-Length: \(body.utf8.count)\r\n"
    if let prefer = question.prefer { header += "Prefer: \(prefer)\r\n" }
    let (bytes, port) = (Array((header + "\r\n" + body).utf8), port)
    let answer =
      await onThread {
        let line = Sockets.make()
        defer { close(line) }
        let (isConnected, _) = Sockets.withLoopback(port) { connect(line, $0, $1) == 0 }
        guard isConnected else { return [] }
        Sockets.write(line, bytes)
        return Sockets.read(line)
      } as [UInt8]
    let halves = String(decoding: answer, as: UTF8.self)
      .split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    let words = (halves.first ?? "").split(separator: " ", maxSplits: 2)
    let status = try #require(words.count > 1 ? Int(words[1]) : nil, "no answer to \(question)")
    return (status, halves.count > 1 ? JSONText.decode(Array(halves[1].utf8)) : nil)
  }
}
