import ArgumentParser
import Control
import EventLoop
import Passages
import Settings
import Text
import Time

/// `checkpost sms decode`: what stands in V1 texts.
struct SMSDecode: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode",
    abstract: "Read V1 texts, as arguments or one a line from standard input.",
    discussion: """
      A text that cannot be read is reported and the others are read all the same; then the exit \
      code is 65.
      """)

  @Argument(help: "The bodies; - reads them from standard input, one a line.")
  var bodies: [String]

  @Option(help: TimeOption.help("Judge the time in a text as at this moment"))
  var now: String?

  @Option(
    help: ArgumentHelp(
      "How old a passage may be, and after a comma how far in the future. Default: 72h,2m.",
      valueName: "past,future"))
  var window: String?

  @Flag(help: "Take any time.")
  var anyTime = false

  @OptionGroup var output: OutputOptions

  func run() throws {
    let accepted = try acceptedTimes()
    let out = StandardOutput()
    var batch = Batch(noun: "text", isJSON: output.isJSON, out: out)
    try InputLines.forEach(bodies) { line in
      switch line {
      case .unreadable(let fault, let shown):
        try batch.reject(SMSDecode.failure(of: shown, fault))
      case .text(let body):
        do {
          let message = DecodedMessage(try V1Message.decode(body, window: accepted))
          batch.accept()
          if output.isJSON {
            try out.json(message)
          } else {
            try out.line(message.line)
          }
        } catch let error as V1Error {
          try batch.reject(
            FailedDecoding(error: error.code, message: error.message, input: body))
        }
      }
    }
    try batch.finish()
  }

  /// What is said of a line that is no text: which field it is wrong in, as far as can be seen.
  private static func failure(of shown: String, _ fault: LineReader.Fault) -> FailedDecoding {
    var code = "too_long"
    if fault == .notText {
      do throws(V1Error) {
        _ = try V1Message.decode(shown, window: nil)
        code = "field_count"
      } catch {
        code = error.code
      }
    }
    return FailedDecoding(error: code, message: "\(fault)", input: shown)
  }

  private func acceptedTimes() throws -> ClosedRange<Int64>? {
    guard !anyTime else { return nil }
    let moment = try TimeOption.read(now, "--now") ?? SystemClocks().wall()
    var limits = Settings().central.clockWindow
    if let window {
      let parts = window.split(separator: ",", omittingEmptySubsequences: false)
      let durations = parts.compactMap { DurationText.parse($0) }
      guard durations.count == parts.count, (1...2).contains(parts.count) else {
        throw CommandFailure(
          .usage, "--window \(window): is no window; write 72h, or 72h,2m with the future")
      }
      limits.past = durations[0]
      limits.future = durations.count == 2 ? durations[1] : limits.future
    }
    let earliest = (moment - limits.past).epochSeconds
    return earliest...(moment + limits.future).epochSeconds
  }
}

/// What stands in a V1 text, as `sms decode --json` shows it.
struct DecodedMessage: Encodable {
  var clientID: String
  var checkpost: String
  var plateNumber: String
  var plateDisplay: String
  var vehicleType: String
  var recordedAt: String
  var recordedEpoch: Int64
  var rangerPhoneSuffix: String
  var canonical: String

  private enum CodingKeys: String, CodingKey {
    case checkpost, canonical
    case clientID = "client_id"
    case plateNumber = "plate_number"
    case plateDisplay = "plate_display"
    case vehicleType = "vehicle_type"
    case recordedAt = "recorded_at"
    case recordedEpoch = "recorded_epoch"
    case rangerPhoneSuffix = "ranger_phone_suffix"
  }

  init(_ message: V1Message) {
    clientID = message.clientID.description
    checkpost = message.checkpost.code
    plateNumber = message.plate.compact
    plateDisplay = message.plate.display
    vehicleType = message.vehicleType.rawValue
    recordedAt = WallTime(epochSeconds: message.recordedEpoch).rfc3339
    recordedEpoch = message.recordedEpoch
    rangerPhoneSuffix = message.suffix.digits
    canonical = message.body
  }

  /// For people: the identity first, so that lines can be compared with those of `record`.
  var line: String {
    "\(clientID)  \(checkpost)  \(plateDisplay)  \(vehicleType)  \(recordedAt)  \(rangerPhoneSuffix)"
  }
}
