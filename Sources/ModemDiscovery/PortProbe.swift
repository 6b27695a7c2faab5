/// Which of several ports has a modem behind it that answers: the first is asked alone for a moment,
/// then all of them side by side.
///
/// Asked one after the other, a mute port costs the time that the slowest modem may need. Nobody else's
/// modem is spoken to while the first one answers, as it nearly always does.
public struct PortProbe: Hashable, Sendable {
  /// What is to be done next.
  public enum Step: Hashable, Sendable {
    /// The port with this number, counted from 0 in the order of preference, is asked: it is opened if
    /// it is not yet, and ``question`` is written.
    case ask(Int)
  }

  /// What became of it.
  public enum Result: Hashable, Sendable {
    /// Nothing is known yet.
    case undecided
    /// This port's modem answers.
    case answers(Int)
    /// None did in time.
    case noneAnswers
  }

  /// What is asked: an escape for what an earlier program left half written, and the shortest command
  /// (V.250 5.2.1). A modem answers it with a final result, whatever it thinks of it.
  public static let question: [UInt8] = [0x1B] + Array("AT\r".utf8)

  /// Ports that are asked side by side, at most.
  public static let most = Limits.probed

  private struct Entrant: Hashable, Sendable {
    var line: [UInt8] = []
    var hasAnswered = false
    var isGone = false
    var asked: Duration?
  }

  private var entrants: [Entrant]
  /// When the first answer came, of whichever port.
  private var answered: Duration?
  /// What became of it so far.
  public private(set) var result = Result.undecided

  /// A probe of `count` ports, at least one, that begins now.
  public init(count: Int) {
    entrants = Array(repeating: Entrant(), count: max(count, 1))
  }

  /// When something is to be done if nothing is heard, counted from the beginning; nil when it is over.
  public var deadline: Duration? {
    guard result == .undecided else { return nil }
    if let answered { return answered + Limits.probeSettles }
    return entrants.indices.filter { !entrants[$0].isGone }.map(nextQuestion).min()
      .map { min($0, Limits.probe) } ?? Limits.probe
  }

  /// What is to be done `elapsed` after the beginning.
  public mutating func pass(_ elapsed: Duration) -> [Step] {
    guard result == .undecided else { return [] }
    if let answered, elapsed >= answered + Limits.probeSettles {
      decide()
      return []
    }
    if elapsed >= Limits.probe || entrants.allSatisfy(\.isGone) {
      decide()
      return []
    }
    guard answered == nil else { return [] }
    var steps: [Step] = []
    for index in entrants.indices where !entrants[index].isGone && nextQuestion(index) <= elapsed {
      entrants[index].asked = elapsed
      steps.append(.ask(index))
    }
    return steps
  }

  /// Bytes came from a port.
  public mutating func heard(_ bytes: [UInt8], from index: Int, at elapsed: Duration) {
    guard result == .undecided, entrants.indices.contains(index) else { return }
    for byte in bytes {
      guard byte == 0x0D || byte == 0x0A else {
        if entrants[index].line.count < Limits.probeLine { entrants[index].line.append(byte) }
        continue
      }
      if PortProbe.isFinalResult(entrants[index].line) { entrants[index].hasAnswered = true }
      entrants[index].line = []
    }
    guard entrants[index].hasAnswered else { return }
    answered = answered ?? elapsed
    // None is better than the first that is left.
    if index == entrants.firstIndex(where: { !$0.isGone }) { result = .answers(index) }
  }

  /// A port could not be opened, or went away.
  public mutating func gone(_ index: Int) {
    guard entrants.indices.contains(index) else { return }
    entrants[index].isGone = true
    entrants[index].hasAnswered = false
  }

  /// Whether a port may still say something.
  public func isListening(to index: Int) -> Bool {
    entrants.indices.contains(index) && !entrants[index].isGone
  }

  /// Whether a port was asked and has said nothing that a modem says.
  public func wasMute(_ index: Int) -> Bool {
    entrants.indices.contains(index) && entrants[index].asked != nil
      && !entrants[index].hasAnswered && !entrants[index].isGone
  }

  private mutating func decide() {
    result = entrants.firstIndex(where: \.hasAnswered).map { .answers($0) } ?? .noneAnswers
  }

  /// When a port is asked next. The others wait for the first; a question that came too early for a
  /// modem that is starting is asked again.
  private func nextQuestion(_ index: Int) -> Duration {
    if let asked = entrants[index].asked { return asked + Limits.probeAgain }
    let first = entrants.firstIndex { !$0.isGone } ?? 0
    return index == first ? .zero : Limits.probeAlone
  }

  /// Whether a line ends a command: in words, in numbers (V.250 5.7.1), or with a code.
  private static func isFinalResult(_ line: [UInt8]) -> Bool {
    let text = String(decoding: line, as: UTF8.self).filter { $0 != " " && $0 != "\u{0}" }
    return text == "OK" || text == "0" || text == "4" || text == "ERROR"
      || text.hasPrefix("+CMEERROR") || text.hasPrefix("+CMSERROR")
  }
}
