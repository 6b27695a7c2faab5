import NodeCore
import PassageFiles
import Passages

/// What a line at the desk may speak of without naming it: the plate whose vehicle is still to be typed, and the
/// passages of this shift.
struct DeskMemory: Hashable {
  /// What is meant by the last passage.
  enum Last: Hashable {
    /// Nothing was recorded in this shift, or all of it was taken back.
    case none
    /// That number of the queue.
    case number(Int64)
    /// It waits for the service, outside the queue, and has no number yet.
    case kept
  }

  /// A plate whose vehicle is still to be typed.
  private(set) var pending: EntryLine?
  private var passages: [Last] = []

  /// The last passage that the desk told of as recorded.
  var last: Last { passages.last ?? .none }

  /// Asks for the vehicle of a plate.
  mutating func ask(for entry: EntryLine) {
    pending = entry
    pending?.type = nil
  }

  /// What a line comes to while a vehicle is asked for: what is said without a name is said of that plate.
  ///
  /// - Returns: What is to be done, and the plate that is not asked for any more and was not recorded.
  mutating func take(_ line: DeskLine) -> (line: DeskLine, dropped: EntryLine?) {
    guard let waiting = pending else { return (line, nil) }
    switch line {
    case .type(let type):
      pending = nil
      var entry = waiting
      entry.type = type.rawValue
      return (.entry(entry), nil)
    case .correct(queueID: nil, let plate, let type):
      pending = nil
      var entry = waiting
      entry.plate = plate ?? entry.plate
      entry.type = type?.rawValue
      return (.entry(entry), nil)
    case .undo(queueID: nil):
      pending = nil
      return (.empty, waiting)
    case .entry(let entry):
      pending = nil
      return (line, (try? Plate(entry.plate)) == (try? Plate(waiting.plate)) ? nil : waiting)
    case .digits, .quit:
      pending = nil
      return (line, waiting)
    // These ask, or say which passage they mean.
    case .correct, .undo, .last, .status, .warnings, .expected, .help, .empty, .wrong:
      return (line, nil)
    }
  }

  /// The end: the plate whose vehicle nobody typed.
  mutating func end() -> EntryLine? {
    defer { pending = nil }
    return pending
  }

  /// Notes a passage that was told of as recorded.
  ///
  /// - Parameter isKept: Whether it waits for the service outside the queue.
  mutating func recorded(_ outcome: RecordOutcome, isKept: Bool) {
    switch outcome {
    case _ where isKept: passages.append(.kept)
    case .recorded(_, let queueID), .alreadyRecorded(_, let queueID):
      forget(queueID)
      passages.append(.number(queueID))
    case .identityTaken: break
    }
  }

  /// Notes that a passage was taken back.
  mutating func forget(_ queueID: Int64) {
    passages.removeAll { $0 == .number(queueID) }
  }
}
