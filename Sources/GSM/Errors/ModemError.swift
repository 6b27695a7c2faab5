/// What can be done about an error of modem or network.
public enum ErrorClass: String, CaseIterable, Hashable, Sendable {
  /// Try again in seconds.
  case soon
  /// Try again in minutes, with growing pauses.
  case later
  /// Only a person can help: SIM, account, configuration.
  case alert
  /// This very message will never go.
  case permanent
  /// This destination does not take messages.
  case destination
  /// The modem's or the SIM's memory is full.
  case storage
  /// The network has the message already.
  case done
}

/// A refusal by modem or network, sorted by what can be done about it.
public struct ModemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Which kind of final result it was.
  public enum Kind: String, Hashable, Sendable {
    /// `+CMS ERROR` (3GPP TS 27.005 3.2.5).
    case cms = "CMS"
    /// `+CME ERROR` (3GPP TS 27.007 9.2).
    case cme = "CME"
    /// `ERROR` without a reason, or a word of the maker's own.
    case plain = "ERROR"
  }

  /// Which kind of final result it was.
  public let kind: Kind
  /// The number, when there was one or the words were recognised.
  public let code: Int?
  /// What it means, in lower-case words.
  public let words: String
  /// What can be done about it.
  public let errorClass: ErrorClass
  /// Whether the message may have gone out all the same: the network or the modem stopped waiting
  /// for an answer to something that had left.
  public let isOutcomeUnknown: Bool

  /// An error by its number.
  public init(_ kind: Kind, code: Int, family: ErrorFamily = .standard) {
    let entry = ErrorCatalogue.entry(kind, code: code, family: family)
    self.init(kind, code: code, entry: entry)
  }

  private init(_ kind: Kind, code: Int?, entry: ErrorCode) {
    self.kind = kind
    self.code = code
    words = entry.words
    errorClass = entry.errorClass
    isOutcomeUnknown = entry.isOutcomeUnknown
  }

  /// The error of a final result line, such as `+CMS ERROR: 38`, `+CME ERROR: SIM busy`, `ERROR`,
  /// `NO CARRIER`; nil when the line is no error.
  public init?(finalResult line: String, family: ErrorFamily = .standard) {
    for (prefix, kind) in [("+CMS ERROR", Kind.cms), ("+CME ERROR", .cme)] {
      guard line == prefix || line.hasPrefix(prefix + ":") else { continue }
      let tail = line.dropFirst(prefix.count + 1).trimmed
      if tail.isEmpty {
        self.init(kind, code: nil, entry: .init(-1, "refused without a reason", .later))
      } else if let code = Int(tail) {
        self.init(kind, code: code, family: family)
      } else if let entry = ErrorCatalogue.entry(kind, words: tail) {
        self.init(kind, code: entry.code, entry: entry)
      } else {
        self.init(kind, code: nil, entry: .init(-1, String(tail.prefix(64)), .later))
      }
      return
    }
    let known = [
      "ERROR", "NO CARRIER", "NO ANSWER", "NO DIALTONE", "NO DIAL TONE", "BUSY", "ABORTED",
      "NA", "MODEM ERROR", "+EXT ERROR",
    ]
    guard
      known.contains(where: { line == $0 || line.hasPrefix($0 + ":") })
        || ModemError.isRefusal(inWords: line)
    else { return nil }
    self.init(
      .plain, code: nil,
      entry: .init(-1, line == "ERROR" ? "refused without a reason" : line.lowercased(), .later))
  }

  /// How often in a row it is worth another try, after the modem was set up or started again, before
  /// it means what its class says: a SIM that is not read yet, a contact fault, settings that were
  /// forgotten.
  public var triesFirst: Int {
    switch (kind, code) {
    case (.cms, 330): 3
    case (.cms, 303), (.cms, 304), (.cms, 305), (.cms, 310), (.cms, 311), (.cms, 313): 1
    case (.cme, 10), (.cme, 11), (.cme, 13): 1
    default: 0
    }
  }

  /// Whether operators answer so when a prepaid account is empty. No code says that, so several do,
  /// for one text after another.
  public var mayMeanNoCredit: Bool {
    kind == .cms
      && code.map { [8, 21, 28, 29, 30, 38, 50, 69, 111, 127, 500].contains($0) } ?? false
  }

  /// `CMS 38 network out of order`.
  public var description: String {
    switch (kind, code) {
    case (.plain, _): "ERROR \(words)"
    case (_, let code?): "\(kind.rawValue) \(code) \(words)"
    case (_, nil): "\(kind.rawValue) \(words)"
    }
  }

  /// The code as people look it up: `CMS 38`.
  public var shortName: String {
    code.map { "\(kind.rawValue) \($0)" } ?? kind.rawValue
  }

  /// What helps whoever sent a text by hand, in words: nothing sends it again by itself.
  public var adviceByHand: String {
    switch errorClass {
    case .soon: "try again in some seconds"
    case .later: "try again in some minutes"
    case .permanent: "this text cannot go as it is"
    case .storage: "the store for texts is full; try again when it is emptied"
    case .alert, .destination, .done: advice
    }
  }

  /// What helps, in words; what is said of trying again is so of passages.
  public var advice: String {
    switch errorClass {
    case .soon: "tried again in seconds"
    case .later: "tried again with growing pauses"
    case .alert: "check the SIM, its credit and contract, and the SMSC number"
    case .permanent: "this text is set aside; the others go on"
    case .destination: "check the recipient's number"
    case .storage: "the store for texts is full; it is emptied first"
    case .done: "the network has this text already"
    }
  }
}

extension StringProtocol {
  /// The text without the blanks around it.
  var trimmed: String {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    guard let first = firstIndex(where: { !isBlank($0) }),
      let last = lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(self[first...last])
  }
}
