import Time

/// The line: what is typed, and how answers are framed (ITU-T V.250 5).
extension SimulatedModem {
  /// Takes one character.
  mutating func accept(_ byte: UInt8, at now: BootInstant) {
    switch input {
    case .body(let request):
      // Characters before the prompt are lost (3GPP TS 27.005 3.5.1).
      guard isPromptOut else { return }
      if faults.echoesAtPrompt, !echoes, byte > 0x1F { put([byte], at: now) }
      echo(byte, at: now)
      acceptBody(byte, request, at: now)
    case .command:
      // During a command they wait.
      guard busyUntil <= now, !isAwaitingNetwork else {
        if waitingInput.count < Limits.inputBytes { waitingInput.append(byte) }
        return
      }
      echo(byte, at: now)
      acceptCommand(byte, at: now)
    }
  }

  private mutating func echo(_ byte: UInt8, at now: BootInstant) {
    if echoes, byte != 0x1B, faults.hearsStill != 0 { put([byte], at: now) }
  }

  private mutating func acceptCommand(_ byte: UInt8, at now: BootInstant) {
    switch byte {
    case 0x0D:
      let text = String(decoding: line, as: UTF8.self)
      line = []
      // Whatever stood before AT on the line is noise, as after an escape.
      if let start = text.startOfCommand {
        lastLine = String(text[start...])
        run(lastLine, at: now)
      }
    case 0x2F where line == [0x41] || line == [0x61]:
      line = []
      if !lastLine.isEmpty { run(lastLine, at: now) }
    case 0x08: _ = line.popLast()
    case 0x0A, 0x1B, 0x1A: break
    default:
      if line.count < Limits.commandBytes { line.append(byte) }
    }
  }

  private mutating func acceptBody(_ byte: UInt8, _ request: BodyRequest, at now: BootInstant) {
    switch byte {
    case 0x1B where !request.takesEscape: break
    case 0x1B:
      line = []
      input = .command
      end(.ok, at: now)
    case 0x1A:
      let body = line
      line = []
      input = .command
      finishBody(body, request, at: now)
    case 0x0D where request.length == nil:
      line.append(0x0A)
      put(prompt, at: now)
    case 0x08 where request.length == nil: _ = line.popLast()
    case 0x0A, 0x0D: break
    default:
      if line.count < Limits.bodyBytes { line.append(byte) }
    }
  }

  // MARK: Saying

  /// What asks for a body.
  var prompt: [UInt8] {
    Array("\r\n>\(faults.promptTail ?? settings.profile.promptTail)".utf8)
  }

  /// Asks for a body, and takes one once the prompt is out.
  mutating func promptForBody(_ request: BodyRequest, at now: BootInstant) {
    input = .body(request)
    isPromptOut = false
    line = []
    waitingInput = []
    busyUntil = max(now, busyUntil) + settings.promptDelay
    if faults.echoesAtPrompt, !echoes { put(Array("\(lastLine)\r".utf8), at: busyUntil) }
    put(prompt, at: busyUntil, isPrompt: true)
  }

  /// Puts bytes out at a time, after everything else of that time.
  mutating func put(_ bytes: [UInt8], at time: BootInstant, isPrompt: Bool = false) {
    guard faults.tricklesBytes else {
      insert(Pending(due: time, bytes: bytes, isPrompt: isPrompt))
      return
    }
    var due = max(time, trickledUntil)
    for (place, byte) in bytes.enumerated() {
      due = due + .milliseconds(1)
      insert(
        Pending(due: due, bytes: [byte], isPrompt: isPrompt && place == bytes.count - 1))
    }
    trickledUntil = due
  }

  private mutating func insert(_ new: Pending) {
    guard pending.count < Limits.pendingOutputs else { return }
    var place = pending.count
    while place > 0, pending[place - 1].due > new.due { place -= 1 }
    if place > 0, pending[place - 1].due == new.due {
      pending[place - 1].bytes += new.bytes
      pending[place - 1].isPrompt = pending[place - 1].isPrompt || new.isPrompt
    } else {
      pending.insert(new, at: place)
    }
  }

  /// An information line.
  mutating func say(_ text: String, at now: BootInstant) {
    say([UInt8](text.utf8), at: now)
  }

  /// An information line of bytes, and lines that belong to it with nothing between them.
  mutating func say(_ first: [UInt8], _ others: [[UInt8]] = [], at now: BootInstant) {
    hasSaid = true
    let time = max(now, busyUntil)
    if faults.isNoisy, !isQuieted {
      for noise in settings.profile.noise { put(framed(noise), at: time) }
    }
    put(block(first, others), at: time)
  }

  /// A final result.
  mutating func say(final: String, at now: BootInstant) {
    guard !isQuiet else { return }
    let time = max(now, busyUntil)
    switch (isVerbose, final) {
    case (false, "OK"): put(Array("0\r".utf8), at: time)
    case (false, "NO CARRIER"): put(Array("3\r".utf8), at: time)
    case (false, "ERROR"): put(Array("4\r".utf8), at: time)
    default: put(framed(final), at: time)
    }
  }

  /// A result that nobody asked for, and lines that belong to it.
  mutating func tell(_ first: [UInt8], _ others: [[UInt8]] = [], at now: BootInstant) {
    put(block(first, others), at: now)
  }

  /// A result that nobody asked for.
  mutating func tell(_ text: String, at now: BootInstant) {
    tell([UInt8](text.utf8), at: now)
  }

  /// A line and those that belong to it.
  func block(_ first: [UInt8], _ others: [[UInt8]]) -> [UInt8] {
    framed(first) + others.flatMap { $0 + lineEnd }
  }

  func framed(_ text: String) -> [UInt8] {
    framed([UInt8](text.utf8))
  }

  /// `CR LF text CR LF`, or without the first pair when results are numbers (ITU-T V.250 5.7.1).
  func framed(_ text: [UInt8]) -> [UInt8] {
    let text = faults.writesNULs ? [0] + text : text
    return isVerbose ? lineEnd + text + lineEnd : text + lineEnd
  }

  private var lineEnd: [UInt8] { Array(settings.profile.lineEnd.utf8) }
}

extension String {
  /// Where `AT` begins, in capital or small letters; nil when it is not there.
  fileprivate var startOfCommand: Index? {
    var index = startIndex
    while index < endIndex {
      let next = self.index(after: index)
      if next < endIndex, self[index] == "A" || self[index] == "a",
        self[next] == "T" || self[next] == "t"
      {
        return index
      }
      index = next
    }
    return nil
  }
}
