public import Time

/// The conversation with a modem as a value: bytes in; answers, unsolicited results and bytes to
/// write out.
///
/// One command is open at a time (ITU-T V.250 5.6: a character may abort a running command). A
/// command's deadline is counted from its write; one with a payload has a second deadline, counted
/// from the write of the payload. What nobody asked for may come anywhere, also between the prompt
/// and `+CMGS`, and between a line of an answer and its PDU.
public struct ATDialogue: Sendable {
  /// How long the modem is left alone between the end of an answer and the next command, as some
  /// makers ask for: what it tells by itself would collide with it.
  public var pause = Duration.zero

  private var splitter = ModemLineSplitter()
  private var open: Exchange?
  /// A command that waits until the pause is over.
  private var waiting: (command: ATCommand, from: BootInstant)?
  /// When the last command ended.
  private var endedAt: BootInstant?
  /// Until when a final result may still come of an answer that was taken without one.
  private var quietUntil = BootInstant.zero
  private var header: Unsolicited.Header?
  /// A `+CUSD` whose text goes on in the next line.
  private var unfinished: String?

  fileprivate struct Exchange: Sendable {
    let command: ATCommand
    /// Asked at every byte.
    let hasPayload: Bool
    var prefix: String?
    var deadline: BootInstant
    var lines: [String] = []
    var payloadLeft = false
    /// When the payload is written at the latest; nil while no prompt has come.
    var promptUntil: BootInstant?
    var isCut = false
    /// Whether a line has come that answers an earlier command of the same name; its final result is
    /// not ours either.
    var expectsStaleResult = false
    /// Whether the last line of the answer was a header, whose PDU is the next line.
    var awaitsPDU = false

    /// Whether the modem has yet to ask for the payload.
    var awaitsPrompt: Bool { hasPayload && !payloadLeft && promptUntil == nil }
  }

  /// What modems tell by themselves.
  private var lines: UnsolicitedLines

  /// A dialogue in which nothing has been said.
  ///
  /// - Parameter lines: What modems tell by themselves: of all makers, as the modem's is not known yet.
  public init(lines: UnsolicitedLines = .common) {
    self.lines = lines
  }

  /// What the modem calls its indicators, in the order in which `+CIEV` counts them; empty while that is unknown.
  public var indicators: [String] {
    get { lines.indicators }
    set { lines.indicators = newValue }
  }

  /// The command that is waiting for its final result, or to be written.
  public var openCommand: ATCommand? { open?.command ?? waiting?.command }

  /// Whether the payload of the open command has been handed to the line.
  public var payloadLeft: Bool { open?.payloadLeft ?? false }

  /// The information lines that have come for the open command.
  public var openLines: [String] { open?.lines ?? [] }

  /// When ``expire(at:)`` has something to do: the open command is written or given up; nil when none
  /// is open.
  public var deadline: BootInstant? {
    open.map { min($0.deadline, $0.promptUntil ?? $0.deadline) } ?? waiting?.from
  }

  /// Opens a command, and returns the bytes to write. One that was open is forgotten.
  ///
  /// While the modem is left alone there are none: ``expire(at:)`` hands them out once ``pause`` is over.
  public mutating func start(_ command: ATCommand, at now: BootInstant) -> [UInt8] {
    let rested = pause > .zero ? endedAt.map { $0 + pause } : nil
    let from = max(rested ?? .zero, quietUntil)
    if from > now {
      open = nil
      waiting = (command, from)
      return []
    }
    return begin(command, at: now)
  }

  private mutating func begin(_ command: ATCommand, at now: BootInstant) -> [UInt8] {
    waiting = nil
    // What a text becomes must not be taken for the rest of one from the network.
    if command.payload != nil { unfinished = nil }
    open = Exchange(
      command: command, hasPayload: command.payload != nil, prefix: command.prefix,
      deadline: now + command.timeout)
    return Array(command.text.utf8) + [0x0D]
  }

  /// Forgets the open command and whatever has come of a line: for a line that was closed, or after
  /// an escape.
  public mutating func reset() {
    open = nil
    waiting = nil
    header = nil
    unfinished = nil
    quietUntil = .zero
    splitter.reset()
  }

  /// Takes bytes from the modem.
  public mutating func receive(_ bytes: [UInt8], at now: BootInstant) -> [ATEvent] {
    var events: [ATEvent] = []
    for byte in bytes {
      let isPrompted = open?.promptUntil != nil
      let awaitsPrompt = open?.awaitsPrompt ?? false
      // A prompt is whole with its space, or with its line's end: what is written between the two is
      // lost (3GPP TS 27.005 4.3). Some have neither.
      if isPrompted, byte == 0x20 || byte == 0x0A, let event = prompted(at: now) {
        events.append(event)
      }
      switch splitter.take(byte, awaitsPrompt: awaitsPrompt) {
      case nil: break
      case .overlong: events.append(.overlong)
      case .prompt: open?.promptUntil = now + Limits.promptSettles
      case .line(let line):
        let known = open?.lines.count ?? 0
        let wasOpen = open != nil
        take(line, &events)
        if wasOpen, open == nil { endedAt = now }
        endWithoutResult(at: now)
        if let exchange = open, exchange.command.renewsWithLines, exchange.lines.count > known {
          open?.deadline = now + exchange.command.timeout
        }
      }
    }
    return events
  }

  /// Ends the open command when its deadline has come, or hands out what waited to be written.
  public mutating func expire(at now: BootInstant) -> ATEvent? {
    if let waiting, waiting.from <= now { return .write(begin(waiting.command, at: now)) }
    if let until = open?.promptUntil, until <= now { return prompted(at: now) }
    guard let open, open.deadline <= now else { return nil }
    // Half a line of a late answer must not stick to the next one.
    splitter.reset()
    header = nil
    unfinished = nil
    endedAt = now
    // Whatever it says of its end, what was asked for is there.
    let isAnswered =
      !open.lines.isEmpty && !open.awaitsPDU
      && (open.command.mayLackResult || open.command.isDoneByLines)
    if isAnswered, !open.command.mayLackResult { quietUntil = now + Limits.resultFollows }
    return finish(isAnswered ? .ok : .timedOut, lacksResult: isAnswered)
  }

  /// A command whose result may be missing is not waited for long once its answer has begun.
  private mutating func endWithoutResult(at now: BootInstant) {
    // A message that is read has its PDU in a line of its own.
    guard let exchange = open, exchange.command.mayLackResult, !exchange.awaitsPDU,
      exchange.lines.count == (exchange.prefix == "+CMGR:" ? 2 : 1)
    else { return }
    open?.deadline = min(exchange.deadline, now + Limits.resultFollows)
  }

  private mutating func prompted(at now: BootInstant) -> ATEvent? {
    guard var exchange = open, let payload = exchange.command.payload else { return nil }
    exchange.payloadLeft = true
    exchange.promptUntil = nil
    exchange.deadline = now + exchange.command.payloadTimeout
    open = exchange
    return .write(Array(payload.utf8) + [0x1A])
  }

  private mutating func take(_ line: String, _ events: inout [ATEvent]) {
    if let begun = unfinished {
      unfinished = nil
      let whole = begun + "\n" + line
      if isOther(line) {
        finishText(begun + "\"", &events)
        take(line, &events)
      } else if line.contains("\"") {
        finishText(whole, &events)
      } else if whole.utf8.count > Limits.ussdBytes {
        finishText(begun + "\"", &events)
        take(line, &events)
      } else {
        unfinished = whole
      }
      return
    }
    if line.hasPrefix("+CUSD:"), line.utf8.count(where: { $0 == UInt8(ascii: "\"") }) == 1 {
      unfinished = line
      return
    }
    if let header {
      self.header = nil
      if let pdu = line.pdu {
        events.append(.unsolicited(header.with(pdu: pdu)))
        return
      }
      // Its PDU was lost; what came instead is looked at as any line.
    }
    if isEcho(line) {
      if line == open?.command.text { events.append(.echoed) }
      return
    }
    if let next = Unsolicited.header(line), open?.prefix != prefix(of: line) {
      header = next
    } else if let ending = ending(line) {
      if open?.expectsStaleResult == true, ending == .ok {
        open?.expectsStaleResult = false
        events.append(.stray(line))
      } else {
        events.append(open == nil ? .stray(line) : finish(ending))
      }
    } else if isStale(line) {
      open?.expectsStaleResult = true
      events.append(.stray(line))
    } else if belongs(line) {
      keep(line)
    } else if let unsolicited = Unsolicited(line: line, among: lines) {
      events.append(.unsolicited(unsolicited))
    } else if isBareText(line) {
      keep(line)
    } else if open?.command.information == .bare {
      events.append(.unsolicited(.other(line)))
    } else {
      events.append(.stray(line))
    }
  }

  /// The text of a `+CUSD` is over.
  private func finishText(_ text: String, _ events: inout [ATEvent]) {
    events.append(.unsolicited(Unsolicited(line: text, among: lines) ?? .other(text)))
  }

  /// Whether a line is no part of a `+CUSD`'s text, whose closing quote was lost: it ends or answers
  /// the open command, or tells of a message.
  private func isOther(_ line: String) -> Bool {
    ending(line) != nil || belongs(line) || Unsolicited.header(line) != nil
      || line.hasPrefix("+CMTI:") || line.hasPrefix("+CDSI:")
  }

  private func prefix(of line: String) -> String {
    line.prefix { $0 != ":" } + ":"
  }

  /// The command or the payload that we wrote, come back.
  private func isEcho(_ line: String) -> Bool {
    guard let open else { return line.hasPrefix("AT") }
    if line.utf8.contains(0x1A) { return true }
    if open.payloadLeft, line == open.command.payload { return true }
    return line.hasPrefix("AT")
      && (open.command.information == .prefixed || line == open.command.text)
  }

  /// How a line ends a command; nil when it does not.
  private func ending(_ line: String) -> ATAnswer.Ending? {
    FinalResult.ending(line, acceptsDigits: open?.acceptsDigits == true)
  }

  /// Whether a line without the command's own name belongs to its answer.
  private func isBareText(_ line: String) -> Bool {
    switch open?.command.information {
    case .any: true
    case .bare: !Unsolicited.hasName(line)
    case .prefixed, nil: false
    }
  }

  /// Whether a line is the late answer to an earlier text: `+CMGS:` while the prompt for this one is
  /// still awaited. Taken for ours, the outcome of one text would be told as that of another.
  private func isStale(_ line: String) -> Bool {
    guard let open, open.command.payload != nil, !open.payloadLeft, let prefix = open.prefix else {
      return false
    }
    return line.hasPrefix(prefix)
  }

  /// Whether a line is part of the open command's answer.
  private func belongs(_ line: String) -> Bool {
    guard let open else { return false }
    if open.awaitsPDU, line.pdu != nil { return true }
    guard let prefix = open.prefix, line.hasPrefix(prefix) else { return false }
    switch prefix {
    case "+CREG:", "+CGREG:", "+CEREG:":
      // An answer says first how it is told, then how it stands; what comes unasked has one number,
      // or the number of a cell second, in quotes.
      return open.command.text.hasSuffix("?")
        && Registration.isAnswer(line.dropFirst(prefix.count))
    case "+CUSD:", "+CFUN:":
      return open.command.text.hasSuffix("?")
    default:
      return true
    }
  }

  private mutating func keep(_ line: String) {
    guard open != nil else { return }
    if (open?.lines.count ?? 0) >= Limits.answerLines {
      open?.isCut = true
      return
    }
    open?.lines.append(line)
    let prefix = open?.prefix
    open?.awaitsPDU =
      (prefix == "+CMGL:" || prefix == "+CMGR:") && line.hasPrefix(prefix ?? "+")
  }

  private mutating func finish(_ ending: ATAnswer.Ending, lacksResult: Bool = false) -> ATEvent {
    guard let exchange = open else { return .stray("") }
    open = nil
    return .finished(
      ATAnswer(
        command: exchange.command, lines: exchange.lines, ending: ending,
        payloadLeft: exchange.payloadLeft, isCut: exchange.isCut, lacksResult: lacksResult))
  }
}

extension ATDialogue.Exchange {
  /// Whether a bare digit is a result: only basic commands, which are written before `ATV1` has
  /// taken effect, and never have digits for information.
  fileprivate var acceptsDigits: Bool {
    prefix == nil && command.information == .prefixed
  }
}

extension String {
  /// The digits of a PDU, where a line after its header has nothing else: some modems end it in a blank,
  /// and an octet may have lost its half on the line. What is damaged is for whoever reads it to judge.
  var pdu: String? {
    let digits = trimmingBlanks
    let isPDU =
      digits.utf8.count >= 2
      && digits.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0)
      }
    return isPDU ? digits : nil
  }
}
