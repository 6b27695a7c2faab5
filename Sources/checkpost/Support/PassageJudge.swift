import EventLoop
import NodeCore
import Operations
import PassageStore
import Passages
import Timing

/// Makes passages of rows, by the settings of the node.
struct PassageJudge {
  var settings: Settings.Node
  /// The moment against which a time is judged.
  var now: WallTime
  /// How far ahead of it a passage may lie; nil takes any time.
  var future: Duration?

  /// What is wrong with a row, in words.
  struct Fault: Error, Hashable {
    var words: String
  }

  /// The passage of a row, ready to be recorded.
  func request(_ row: PassageRow) throws(Fault) -> RecordRequest {
    let plate = try field("plate", row.plate) { text throws(PlateError) in try Plate(text) }
    let post = try field("checkpost", row.checkpost ?? settings.checkpost) {
      text throws(PostCodeError) in try PostCode(text)
    }
    guard let type = VehicleType(name: row.vehicleType ?? "") else {
      let names = VehicleType.allCases.map(\.rawValue).joined(separator: ", ")
      throw Fault(words: "vehicle_type \(PassageJudge.quoted(row.vehicleType)): there are \(names)")
    }
    let moment = try moment(row.recordedAt)
    var identity: ClientID?
    if let text = row.clientID {
      guard let given = ClientID(text) else {
        throw Fault(words: "client_id \(PassageJudge.quoted(text)): is no UUID")
      }
      identity = given
    } else if settings.identity == .random {
      var random = SystemRandomNumberGenerator()
      identity = ClientID(random: random.next(), random.next())
    }
    let priority = try priority(row.priority)
    if let phone = row.rangerPhone, !phone.isEmpty, let words = PhoneText.problem(with: phone) {
      throw Fault(words: "ranger_phone \(PassageJudge.quoted(phone)): \(words)")
    }
    do {
      return RecordRequest(
        try Passage(
          recording: plate, vehicleType: type, checkpost: post, recordedAt: moment,
          suffix: PhoneSuffix(phoneNumber: row.rangerPhone), identity: identity,
          segment: row.segment ?? settings.segment, ranger: row.ranger, photoPath: row.photoPath),
        hasGivenIdentity: row.clientID != nil, priority: priority)
    } catch {
      throw Fault(words: "recorded_at \(PassageJudge.quoted(row.recordedAt)): \(error.message)")
    }
  }

  private func priority(_ text: String?) throws(Fault) -> Int {
    guard let text, !text.isEmpty else { return RecordRequest.standardPriority }
    guard let number = Int(text), (0...2).contains(number) else {
      throw Fault(
        words: "priority \(PassageJudge.quoted(text)): there are 0, 1 and 2, and 2 goes first")
    }
    return number
  }

  private func field<Value, Failure: Error & CustomStringConvertible>(
    _ name: String, _ text: String?, _ read: (String) throws(Failure) -> Value
  ) throws(Fault) -> Value {
    guard let text else { throw Fault(words: "\(name) is missing") }
    do {
      return try read(text)
    } catch {
      throw Fault(words: "\(name): \(error)")
    }
  }

  /// A time, judged: what is most often wrong with one is said.
  private func moment(_ text: String?) throws(Fault) -> WallTime {
    guard let text else { throw Fault(words: "recorded_at is missing") }
    let shown = "recorded_at \(PassageJudge.quoted(text))"
    guard let moment = SystemTime.parse(text), moment.epochSeconds < SystemTime.milliseconds else {
      throw Fault(words: "\(shown): \(SystemTime.problem(with: text))")
    }
    if let future, moment > now + future {
      throw Fault(
        words: "\(shown): lies in the future of this machine's clock (\(now.rfc3339)); set the"
          + " clock, or record with --any-time")
    }
    return moment
  }

  static func quoted(_ text: String?) -> String {
    guard let text else { return "(missing)" }
    return String(text.prefix(60)).debugDescription
  }
}
