public import GSM

/// What modems and a network elsewhere have to say to each other.
///
/// In one process they are called; between processes each of these is a line of text,
/// ``line`` and ``init(line:)``.
public enum NetworkSignal: Hashable, Sendable {
  // From the modems.

  /// Modems with these numbers want to be on the network.
  case join(numbers: [String])
  /// A message leaves a modem; the token comes back with the answer.
  case submit(token: UInt64, from: String, SMSSubmit)
  /// What became of what was handed to a modem.
  case taken(token: UInt64, Bool)
  /// A modem can be reached again.
  case reachable(String)
  /// A text comes from outside, for any number.
  case text(from: String, to: String, text: String)

  // From the network.

  /// The modems are on the network.
  case welcome
  /// They are not: another modem has that number.
  case numberTaken(String)
  /// What the network says to a message.
  case answer(token: UInt64, SubmissionAnswer)
  /// SMS-DELIVER or SMS-STATUS-REPORT for a modem.
  case deliver(token: UInt64, to: String, TPDU)
  /// Something happened to a message from one of the modems or to one of them.
  case event(NetworkEvent)

  /// The signal as a line without its end: words between spaces.
  public var line: String {
    switch self {
    case .join(let numbers): words(["join", Self.version] + numbers)
    case .submit(let token, let from, let message):
      words(["submit", "\(token)", from, Hex.encode((try? message.encoded()) ?? [])])
    case .taken(let token, let isTaken): words(["taken", "\(token)", isTaken ? "1" : "0"])
    case .reachable(let number): words(["reachable", number])
    case .text(let from, let to, let text): words(["text", from, to, text])
    case .welcome: words(["welcome", Self.version])
    case .numberTaken(let number): words(["number_taken", number])
    case .answer(let token, .accepted): words(["answer", "\(token)", "0"])
    case .answer(let token, .refused(let code)): words(["answer", "\(token)", "\(code)"])
    case .deliver(let token, let to, let tpdu):
      words(["deliver", "\(token)", to, Hex.encode((try? tpdu.encoded()) ?? [])])
    case .event(let event): words(["event"] + event.words)
    }
  }

  /// The signal of a line; nil when it is none.
  public init?(line: some StringProtocol) {
    guard line.utf8.count <= Limits.signalBytes, let words = SignalWords.split(line),
      let kind = words.first
    else { return nil }
    let rest = Array(words.dropFirst())
    guard let signal = NetworkSignal.read(kind, rest) else { return nil }
    self = signal
  }

  /// What the lines look like; a program with another one is told apart at once.
  private static let version = "1"

  private func words(_ words: [String]) -> String { SignalWords.join(words) }

  private static func read(_ kind: String, _ words: [String]) -> NetworkSignal? {
    switch (kind, words.count) {
    case ("join", 2...):
      let numbers = Array(words.dropFirst())
      guard words[0] == version, numbers.count <= Limits.guestModems,
        numbers.allSatisfy({ (try? Address($0)) != nil })
      else { return nil }
      return .join(numbers: numbers)
    case ("submit", 3):
      guard let token = UInt64(words[0]),
        case .submit(let message)? = tpdu(words[2], .mobileOriginated)
      else { return nil }
      return .submit(token: token, from: words[1], message)
    case ("taken", 2):
      guard let token = UInt64(words[0]), words[1] == "0" || words[1] == "1" else { return nil }
      return .taken(token: token, words[1] == "1")
    case ("reachable", 1): return .reachable(words[0])
    case ("text", 3): return .text(from: words[0], to: words[1], text: words[2])
    case ("welcome", 1): return words[0] == version ? .welcome : nil
    case ("number_taken", 1): return .numberTaken(words[0])
    case ("answer", 2):
      guard let token = UInt64(words[0]), let code = Int(words[1]), (0...999).contains(code)
      else { return nil }
      return .answer(token: token, code == 0 ? .accepted : .refused(code))
    case ("deliver", 3):
      guard let token = UInt64(words[0]), let tpdu = tpdu(words[2], .mobileTerminated) else {
        return nil
      }
      return .deliver(token: token, to: words[1], tpdu)
    case ("event", _): return NetworkEvent(words: words).map { .event($0) }
    default: return nil
    }
  }

  /// The TPDU of hexadecimal digits, which stands there without an SMSC part.
  private static func tpdu(_ digits: String, _ direction: Direction) -> TPDU? {
    guard let octets = try? Hex.decode(digits), !octets.isEmpty else { return nil }
    return try? PDU.decode([0] + octets, direction: direction).tpdu
  }
}

/// Words between spaces, whatever stands in them: what would be taken for a space or a line's end is
/// written as `%` and two hexadecimal digits, and nothing at all as a lone `%`.
enum SignalWords {
  static func join(_ words: [String]) -> String {
    words.map(escaped).joined(separator: " ")
  }

  /// The words; nil when an escape is none.
  static func split(_ line: some StringProtocol) -> [String]? {
    var words: [String] = []
    // By bytes: a space with an accent after it is another character than a space.
    for word in line.utf8.split(separator: 0x20, omittingEmptySubsequences: false) {
      guard let plain = plain(Array(word)) else { return nil }
      words.append(plain)
    }
    return words
  }

  private static func escaped(_ word: String) -> String {
    guard !word.isEmpty else { return "%" }
    var bytes: [UInt8] = []
    for byte in word.utf8 {
      if byte > 0x20, byte != 0x25, byte != 0x7F {
        bytes.append(byte)
      } else {
        bytes.append(0x25)
        bytes += Hex.encode([byte]).utf8
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func plain(_ word: [UInt8]) -> String? {
    guard !word.isEmpty else { return nil }
    if word == [0x25] { return "" }
    var bytes: [UInt8] = []
    var place = 0
    while place < word.count {
      guard word[place] == 0x25 else {
        bytes.append(word[place])
        place += 1
        continue
      }
      guard place + 2 < word.count,
        let byte = try? Hex.decode(utf8: Array(word[place + 1...place + 2])).first
      else { return nil }
      bytes.append(byte)
      place += 3
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
