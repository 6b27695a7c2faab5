import ArgumentParser
import Control
import EventLoop
import Glibc
import Host
import JSON
import NodeCore
import PassageFiles
import Passages
import Text
import Time

/// A recording as the command shows it.
struct RecordSession {
  /// Looks around a passage that was just recorded.
  typealias Look = (PassageRecording.Recorded) -> RecordLook

  private(set) var recording: PassageRecording
  private let isJSON: Bool
  private let out: StandardOutput
  private let look: Look?
  private var name = ""

  /// - Parameter look: Looks around each passage, where there are few; nil where there may be many.
  init(
    _ recording: PassageRecording, isJSON: Bool,
    out: StandardOutput = StandardOutput(outlivesReader: true), look: Look? = nil
  ) {
    self.recording = recording
    self.isJSON = isJSON
    self.out = out
    self.look = look
  }

  private var lines: RecordLines {
    RecordLines(
      name: name, isJSON: isJSON, out: out, look: look,
      words: RecordedWords(now: recording.checker.now))
  }

  /// Records the passage of one row.
  mutating func record(_ row: PassageRow) throws {
    try recording.record(row, tell: lines.show)
  }

  /// Records the passages of a file.
  mutating func record(file path: String) throws {
    let input = try InputFile(path)
    try record(path == "-" ? "standard input" : path, size: input.size, next: input.next)
  }

  /// Records the passages of what `next` gives block by block, until it gives nil. Without a size
  /// nobody knows when the next block will come.
  mutating func record<Failure: Error>(
    _ name: String, size: Int?, next: () throws(Failure) -> [UInt8]?
  ) throws {
    self.name = name
    var bar = ProgressBar("recording", total: size ?? 0)
    defer { bar.finish() }
    try recording.record(
      name, isSlow: size == nil, next: next, tell: lines.show,
      progress: { [out] done in
        if size != nil { bar.show(done) } else { try out.flush() }
      })
  }

  /// What a session that `error` ends early ends with: what was recorded before is told, since it is
  /// on disk and will be sent.
  func end(with error: any Error) -> any Error {
    guard var failure = CommandFailure(error) else { return error }
    do {
      try out.flush()
    } catch {
      return failure
    }
    let kept = recording.counts.recorded + recording.counts.known
    if kept > 0 {
      failure.message +=
        (failure.message.hasSuffix(".") ? "" : ".")
        + " \(kept) passage\(kept == 1 ? " was" : "s were") recorded before that; hand all of them in"
        + " again, none is recorded twice"
      failure.isPartly = true
    }
    return failure
  }

  /// An error that kept every passage from being recorded, said so that nobody takes it for anything else.
  static func notRecorded(_ error: any Error) -> any Error {
    guard var failure = CommandFailure(error), !failure.isPartly else { return error }
    failure.message = Diagnostics.notRecorded + failure.message
    return failure
  }

  /// Says what came of it all.
  ///
  /// - Throws: with 65 when a row was refused, with 64 when the options said it.
  func finish() throws {
    try out.flush()
    let (counts, checker) = (recording.counts, recording.checker)
    if let alarm = recording.clockAlarm { Diagnostics.say(alarm) }
    if counts.kept > 0, look == nil, let place = recording.keptIn {
      Diagnostics.say(
        "the service does not answer: \(counts.kept) passage\(counts.kept == 1 ? " is" : "s are") kept in"
          + " \(place), and go\(counts.kept == 1 ? "es" : "") on when it runs")
    }
    if counts.undated > 0 {
      let clock = LocalClock.ofThisMachine.whole(checker.now)
      let why =
        checker.isClockSet
        ? "a time lies in the future of this machine's clock, which shows \(clock), or so long ago that"
          + " no text can say it; correct the time (checkpost queue date)"
          + (checker.isClockKept ? "" : ", or set the clock if it is late (timedatectl)")
        : "this machine's clock shows \(clock); set it (timedatectl)"
      Diagnostics.say(
        "\(counts.undated) passage\(counts.undated == 1 ? " is" : "s are") recorded, and leave"
          + "\(counts.undated == 1 ? "s" : "") this post once the time is known: \(why)")
    }
    if counts.refused > 0 {
      // Of one passage all has been said, and it came by options.
      if name.isEmpty { throw ExitCode(ExitStatus.usage.code) }
      var failure = CommandFailure(
        .badData,
        "\(counts.refused) of \(counts.recorded + counts.known + counts.refused) passages"
          + (counts.refused == 1
            ? " was not recorded; correct it and hand it in again"
            : " were not recorded; correct those and hand them in again"))
      failure.isPartly = true
      throw failure
    }
  }
}

/// What became of each row, as the command writes it: words to people at a terminal, one `client_id` a line to
/// whatever else reads it, or JSON.
private struct RecordLines {
  let name: String
  let isJSON: Bool
  let out: StandardOutput
  let look: RecordSession.Look?
  let words: RecordedWords

  func show(_ event: PassageRecording.Event) throws {
    switch event {
    case .recorded(let recorded):
      let look = look?(recorded)
      if isJSON {
        try out.json(JSONValue.object(object(recorded, look)))
      } else if out.isTerminal {
        try tell(recorded, look)
      } else {
        try out.line(recorded.outcome.clientID.description)
        try warn(recorded, look)
      }
    case .photoLeftOut(let line, let words): try leaveOut(line, words)
    case .photoScaled(let line, let words):
      try out.flush()
      Diagnostics.say(
        (line > 0 ? "\(name), line \(line): " : "") + "the photograph is scaled down: \(words)")
    case .refused(let line, let words): try refuse(line, words)
    }
  }

  /// Tells people at a terminal.
  private func tell(_ recorded: PassageRecording.Recorded, _ look: RecordLook?) throws {
    let columns = Terminal.columns(STDOUT_FILENO)
    let isColoured = Terminal.showsColours(STDOUT_FILENO)
    func lines(_ text: String, _ colour: Colour?) throws {
      for line in WrappedText.lines(ForeignText.shown(text), columns: columns, indent: 0) {
        try out.line(colour?.paint(line, if: isColoured) ?? ShownText(line))
      }
    }
    if let look {
      for (index, sentence) in words.sentences(recorded, look.report).enumerated() {
        try lines(sentence, index == 0 ? .strong : nil)
      }
      for warning in look.warnings { try lines("! \(warning.words)", .warning) }
    } else if recorded.keptIn != nil {
      try lines("kept: \(words.passage(recorded.request.passage))", nil)
    } else {
      let number =
        switch recorded.outcome {
        case .recorded(_, let id): "\(id)"
        case .alreadyRecorded(_, let id): "\(id) before"
        case .identityTaken: ""
        }
      try lines("\(number): \(words.passage(recorded.request.passage))", nil)
      for warning in EntryWarning.of(recorded.request.passage, now: words.now) {
        try lines("! \(warning.words)", .warning)
      }
    }
    for alert in recorded.alerts {
      try out.lines(words.banner(AlertReport(alert), columns: columns, isColoured: isColoured))
    }
  }

  /// Warns where standard output is not for people. What only somebody at the keyboard can act on is told
  /// where somebody is.
  private func warn(_ recorded: PassageRecording.Recorded, _ look: RecordLook?) throws {
    guard look != nil || !recorded.alerts.isEmpty else { return }
    let isWatched = Terminal.isTerminal(STDERR_FILENO)
    try out.flush()
    if let look, isWatched || recorded.keptIn != nil {
      for sentence in words.sentences(recorded, look.report) { Diagnostics.say(sentence) }
    }
    if isWatched {
      for warning in look?.warnings ?? [] { Diagnostics.say(warning.words) }
    }
    for alert in recorded.alerts {
      Diagnostics.say(words.lines(AlertReport(alert)).joined(separator: "; "))
    }
  }

  private func object(
    _ recorded: PassageRecording.Recorded, _ look: RecordLook?
  ) -> [String: JSONValue] {
    let passage = recorded.request.passage
    var object: [String: JSONValue] = [
      "client_id": .text(recorded.outcome.clientID.description),
      "plate_number": .text(passage.plate.compact), "plate_display": .text(passage.plate.display),
      "vehicle_type": .text(passage.vehicleType.rawValue),
      "recorded_at": .text(passage.recordedAt.rfc3339),
    ]
    switch recorded.outcome {
    case .recorded(_, let queueID):
      object["outcome"] = recorded.keptIn == nil ? "recorded" : "kept"
      if recorded.keptIn == nil { object["queue_id"] = .integer(queueID) }
    case .alreadyRecorded(_, let queueID):
      object["outcome"] = "already_recorded"
      object["queue_id"] = .integer(queueID)
    case .identityTaken: break
    }
    object["kept_in"] = recorded.keptIn.map { .text($0) }
    if passage.checkpost.code != RecordingSinks.unknownPost {
      object["checkpost"] = .text(passage.checkpost.code)
    }
    if recorded.line > 0 { object["line"] = .integer(Int64(recorded.line)) }
    if passage.isUndated { object["undated"] = .flag(true) }
    if let report = look?.report {
      object["next"] = .text(report.next)
      object["next_at"] = report.nextAt.map { .text($0) }
      object["next_reason"] = report.nextReason.map { .text($0) }
    }
    if let look, !look.warnings.isEmpty {
      object["warnings"] = .list(
        look.warnings.map { ["name": .text($0.name), "message": .text($0.words)] })
    }
    if !recorded.alerts.isEmpty {
      object["alerts"] = .list(
        recorded.alerts.map { .object(JSONText.object(of: AlertReport($0))) })
    }
    return object
  }

  private func leaveOut(_ line: Int, _ words: String) throws {
    try out.flush()
    let place = line > 0 ? "\(name), line \(line): " : ""
    let message = "the photograph is left out: \(words)"
    if isJSON {
      var object: [String: JSONValue] = ["error": "photo_left_out", "message": .text(message)]
      if line > 0 { object["line"] = .integer(Int64(line)) }
      try out.json(JSONValue.object(object))
    }
    Diagnostics.say(place + message)
  }

  private func refuse(_ line: Int, _ words: String) throws {
    try out.flush()
    let place = line > 0 ? "\(name), line \(line): " : Diagnostics.notRecorded
    if isJSON {
      var object: [String: JSONValue] = ["error": "bad_passage", "message": .text(words)]
      if line > 0 { object["line"] = .integer(Int64(line)) }
      try out.json(JSONValue.object(object))
    }
    Diagnostics.say(place + words)
  }
}
