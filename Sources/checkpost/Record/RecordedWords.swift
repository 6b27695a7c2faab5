import Control
import EventLoop
import Host
import ModemSession
import NodeCore
import PassageFiles
import Passages
import Text
import Time

/// What a passage that was recorded says to people: what was read, its number, what happens next.
struct RecordedWords {
  /// The clock by which people read.
  var clock: LocalClock = .ofThisMachine
  /// Now.
  var now: WallTime

  /// The passage in one line: plate as it is read out, type, time.
  func passage(_ passage: Passage) -> String {
    let plate = passage.plate
    // What was typed in another script stands beside it.
    let typed = plate.raw.utf8.allSatisfy { $0 < 0x80 } ? "" : " (\(plate.raw))"
    let time =
      passage.isUndated ? "time not known" : clock.text(passage.recordedAt, seenFrom: now)
    return "\(plate.display)\(typed), \(passage.vehicleType.rawValue), \(time)"
  }

  /// What came of it, in sentences.
  ///
  /// - Parameter report: What the service tells of it; nil where there is none to ask.
  func sentences(
    _ recorded: PassageRecording.Recorded, _ report: RecentPassage?
  ) -> [String] {
    let what = passage(recorded.request.passage)
    if let place = recorded.keptIn {
      return [
        "Recorded: \(what).",
        "The service does not answer. The passage is kept in \(place), and goes on when the service"
          + " runs.",
      ]
    }
    switch recorded.outcome {
    case .recorded(_, let queueID):
      return [
        "Recorded: \(what), number \(queueID).", report.map(next) ?? RecordedWords.notRunning,
      ]
    case .alreadyRecorded(_, let queueID):
      return ["Recorded before: \(what), number \(queueID). Nothing was added."]
    case .identityTaken: return []
    }
  }

  /// What is said where no service runs that could say more.
  static let notRunning = "The service does not run. The passage goes on when it does."

  /// What happens to a passage next.
  func next(_ report: RecentPassage) -> String {
    let at = report.nextAt.flatMap { WallTime(rfc3339: $0) }.map { clock.text($0, seenFrom: now) }
    let reason = report.nextReason.map { FailureWords($0).problem }
    switch report.next {
    case "server":
      return reason.map { "It goes to the server once that takes it: \($0)." }
        ?? "It goes to the server now."
    case "text":
      if let at { return "It goes by text at \(at)" + (reason.map { ": \($0)." } ?? ".") }
      return reason.map { "It waits to go by text: \($0)." } ?? "It goes by text now."
    case "time":
      return "It stays here until its time is known."
    case "withdrawn":
      return "It was withdrawn."
    case "done":
      return "It is delivered."
    default: return reason.map { "It stays here: \($0)." } ?? "It stays here."
    }
  }

  // MARK: Warnings

  /// A warning of a vehicle, in short lines: the first is what it is.
  func lines(_ alert: AlertReport) -> [String] {
    let vehicle = [alert.plateDisplay, alert.vehicleType].compactMap { $0 }.joined(separator: ", ")
    let way = [alert.entryCheckpost, alert.exitCheckpost].compactMap { $0 }
    let road = way.count == 2 ? "\(way[0]) to \(way[1])" : alert.segment
    let took = minutes(alert.travelSeconds) + speed(alert.speedKMH)
    var lines: [String]
    switch alert.kind {
    case "speeding":
      lines = [
        "TOO FAST: \(vehicle)", "\(road) in \(took)",
        "at least \(minutes(alert.limitSeconds, roundedUp: true))\(speed(alert.limitKMH)) needed",
      ]
    case "overstay":
      lines = [
        "TOO SLOW: \(vehicle)", "\(road) in \(took)",
        "at most \(minutes(alert.limitSeconds))\(speed(alert.limitKMH)) expected",
      ]
    default:
      let entry = WallTime(rfc3339: alert.entryAt).map { clock.text($0, seenFrom: now) }
      lines = [
        "OVERDUE: \(vehicle)",
        "in at \(alert.entryCheckpost ?? "the other post") \(entry ?? alert.entryAt)",
        "\(minutes(alert.travelSeconds)) ago, at most \(minutes(alert.limitSeconds)) expected",
      ]
    }
    if let doubt = doubt(alert) { lines.append(doubt) }
    if alert.entryFrom == "text" {
      lines.append("entry known by a text, whose number can be forged")
    }
    return lines
  }

  private func doubt(_ alert: AlertReport) -> String? {
    if alert.isSure { return nil }
    return alert.doubtSeconds.map { "not sure: the clocks may be \($0) s apart" }
      ?? "not sure: nobody compared the posts' clocks"
  }

  private func speed(_ kmh: Double?) -> String {
    kmh.map { " (\(Int($0.rounded())) km/h)" } ?? ""
  }

  /// Minutes, and under ten of them seconds too.
  private func minutes(_ seconds: Int64, roundedUp: Bool = false) -> String {
    if seconds < 600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(roundedUp ? (seconds + 59) / 60 : seconds / 60) min"
  }

  /// The warning as it stands on a terminal, where nobody overlooks it: framed, red and with a bell.
  func banner(_ alert: AlertReport, columns: Int, isColoured: Bool) -> [ShownText] {
    let width = min(max(columns, 20), 60)
    let bar = String(repeating: "#", count: width)
    let words = lines(alert).flatMap { line in
      WrappedText.lines(ForeignText.shown(line), columns: width - 6)
    }
    let inner = words.map { "## " + ForeignText.padded($0, to: width - 6) + " ##" }
    let all = [bar] + inner + [bar]
    let bell = ShownText(alreadySafe: "\u{07}")
    return all.enumerated().map { index, line in
      let shown =
        isColoured
        ? ShownText(alreadySafe: "\u{1B}[1;37;41m\(line)\u{1B}[0m") : ShownText(alreadySafe: line)
      return index == 0 ? bell + shown : shown
    }
  }
}
