import EventLoop
public import NodeCore
import Passages
public import Settings
public import Time

/// Makes passages of rows, by the settings of the node.
public struct PassageChecker: Sendable {
  private let settings: Settings.Node
  /// The moment against which a time is judged.
  public var now: WallTime
  /// How far ahead of it a passage may lie; nil takes any time.
  private let future: Duration?
  /// How the clock stands that says `now`.
  private let state: SystemClockState
  /// What names the start of the machine whose clock says `now`.
  private let boot: String

  /// A checker.
  ///
  /// - Parameters:
  ///   - settings: The post, the segment and the identities of a row that names none.
  ///   - now: The moment against which a time is judged.
  ///   - state: How the clock stands that says `now`.
  ///   - future: How far ahead of it a passage may lie; one beyond that is recorded, and waits until the
  ///     clock is known to be right. Nil takes any time.
  ///   - boot: What names the start of the machine whose clock says `now`.
  public init(
    settings: Settings.Node, now: WallTime, state: SystemClockState = SystemClockState(),
    future: Duration? = nil, boot: String = ""
  ) {
    self.state = state
    self.settings = settings
    self.now = now
    self.future = future
    self.boot = boot
  }

  /// Whether the clock that says `now` was ever set: many a board begins in 1970 when it is switched on
  /// without a network. Then nothing is judged by it, and nothing is refused for it.
  public var isClockSet: Bool { now >= Passage.earliest }

  /// Whether a time service keeps the clock that says `now`: a time ahead of it is none of its doing.
  public var isClockKept: Bool { state.isSynchronised }

  /// What is wrong with a row, in words.
  public struct Fault: Error, Hashable {
    /// The words.
    public let words: String
  }

  /// The passage of a row, ready to be recorded.
  public func request(_ row: PassageRow) throws(Fault) -> RecordRequest {
    let plate = try field("plate", row.plate) { text throws(PlateError) in try Plate(text) }
    let post = try field("checkpost", row.checkpost ?? settings.checkpost) {
      text throws(CheckpostCodeError) in try CheckpostCode(text)
    }
    guard let type = VehicleType(name: row.vehicleType ?? "") else {
      let names = VehicleType.allCases.map(\.rawValue).joined(separator: ", ")
      throw Fault(
        words: "vehicle_type \(PassageChecker.quoted(row.vehicleType)): there are \(names)")
    }
    let moment = try moment(row.recordedAt)
    // How late the clock is may be open. Nobody's is late by decades that was ever set.
    if !row.isNow, future != nil, isClockSet,
      let words = TimeText.mistake(in: moment, now: now)
    {
      throw Fault(words: "recorded_at \(PassageChecker.quoted(row.recordedAt)): \(words)")
    }
    var identity: ClientID?
    if let text = row.clientID {
      guard let given = ClientID(text) else {
        throw Fault(words: "client_id \(PassageChecker.quoted(text)): is no UUID")
      }
      identity = given
    } else if settings.identity == .random {
      var random = SystemRandomNumberGenerator()
      identity = ClientID(random: random.next(), random.next())
    }
    let priority = try priority(row.priority)
    let suffix = try suffix(row)
    if isUndated(moment, isNow: row.isNow) {
      let passage = Passage(
        undated: plate, vehicleType: type, checkpost: post, recordedAt: moment,
        boot: row.isNow ? boot : nil, suffix: suffix, identity: identity,
        segment: row.segment ?? settings.segment, ranger: row.ranger, photoPath: row.photoPath)
      return try checked(passage, row, priority)
    }
    let passage: Passage
    do {
      passage = try Passage(
        recording: plate, vehicleType: type, checkpost: post, recordedAt: moment, suffix: suffix,
        identity: identity, segment: row.segment ?? settings.segment, ranger: row.ranger,
        photoPath: row.photoPath)
    } catch {
      throw Fault(words: "recorded_at \(PassageChecker.quoted(row.recordedAt)): \(error.message)")
    }
    return try checked(passage, row, priority)
  }

  /// Whether a time says nothing yet: one before those that a text can say, one by a clock that was never
  /// set, or one that the clock has not come to, which may be late.
  private func isUndated(_ moment: WallTime, isNow: Bool) -> Bool {
    moment.epochSeconds < Passages.Limits.epochs.lowerBound
      || (moment < Passage.earliest && (isNow || !isClockSet)) || isAhead(moment)
  }

  private func isAhead(_ moment: WallTime) -> Bool {
    guard let future, isClockSet else { return false }
    return moment > now + future
  }

  private func checked(
    _ passage: Passage, _ row: PassageRow, _ priority: Int
  ) throws(Fault) -> RecordRequest {
    // A text of the same passage may be at central already, which knows it by its body.
    if let v1 = row.v1, !v1.isEmpty, v1 != passage.v1Body {
      throw Fault(
        words: "v1 \(PassageChecker.quoted(v1)): the rest of the row makes another text,"
          + " \(PassageChecker.quoted(passage.v1Body)); record what was exported unchanged")
    }
    return RecordRequest(
      passage, hasGivenIdentity: row.clientID != nil, priority: priority,
      clock: row.isNow ? state.source(showing: now) : nil)
  }

  /// How the ranger's number ends: of the number itself, or of an export, which has no more of it.
  private func suffix(_ row: PassageRow) throws(Fault) -> PhoneSuffix {
    let phone = row.rangerPhone.flatMap { $0.isEmpty ? nil : $0 }
    if let phone, let words = PhoneText.problem(with: phone) {
      throw Fault(words: "ranger_phone \(PassageChecker.quoted(phone)): \(words)")
    }
    guard let digits = row.rangerSuffix, !digits.isEmpty else {
      return PhoneSuffix(phoneNumber: phone ?? settings.rangerPhone)
    }
    let ofPhone = PhoneSuffix(phoneNumber: phone)
    let shown = "ranger_phone_suffix \(PassageChecker.quoted(digits))"
    guard let given = PhoneSuffix(digits) else {
      throw Fault(words: "\(shown): is not four digits; write the last four of the number")
    }
    guard phone == nil || given == ofPhone else {
      throw Fault(words: "\(shown): ranger_phone ends in other digits; leave one of the two out")
    }
    return given
  }

  private func priority(_ text: String?) throws(Fault) -> Int {
    guard let text, !text.isEmpty else { return RecordRequest.standardPriority }
    guard let number = Int(text), NodeCore.Limits.priorities.contains(number) else {
      throw Fault(
        words: "priority \(PassageChecker.quoted(text)): there are 0, 1 and 2, and 2 goes first")
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
    let shown = "recorded_at \(PassageChecker.quoted(text))"
    guard let moment = TimeText.parse(text), moment.epochSeconds < TimeText.milliseconds else {
      throw Fault(words: "\(shown): \(TimeText.problem(with: text))")
    }
    return moment
  }

  private static func quoted(_ text: String?) -> String {
    guard let text else { return "(missing)" }
    return String(text.prefix(60)).debugDescription
  }
}
