/// What has to hold on every simulated day: under one number in tests, reports and words.
public enum Invariant: Int, CaseIterable, Hashable, Sendable {
  /// I1: a passage that was acknowledged is here or on the server.
  case noLoss = 1
  /// I2: what was acknowledged outlasts the process and the power.
  case durable
  /// I3: each passage is one row on the server and one at the centre.
  case once
  /// I4: what leaves of a passage is the same each time.
  case frozen
  /// I5: what is sent, and what arrives, was recorded.
  case noInvention
  /// I6: what the server has stays so, and what is sent is under way.
  case transitions
  /// I7: one request with passages is out at a time, and none after a start.
  case oneInFlight
  /// I8: a passage has five attempts, and is given up after these or for good.
  case attempts
  /// I9: what counts as synced is on the server, or its difference was found.
  case trulySynced
  /// I10: passages go in the order of their numbers.
  case order
  /// I11: one that is refused for good keeps none behind it from going.
  case noBlock
  /// I12: a text goes only after five minutes without a line, for what waited as long.
  case textAllowed
  /// I13: a passage is on air as often as is allowed, and not again within ten minutes.
  case textSpacing
  /// I14: no window of time holds more texts of a SIM than its budget.
  case budget
  /// I15: what was accepted is not sent again, and what may have left is counted.
  case textOutcome
  /// I16: a passage is one text of the network's own alphabet.
  case oneText
  /// I17: once all works and there is a line, everything reaches the server.
  case allSynced
  /// I18: once all works and there is a line, every photograph reaches the server.
  case allPhotos
  /// I19: a modem that works is ready again soon.
  case modemsReturn
  /// I20: without a line, everything that waits leaves as a text.
  case allTexted
  /// I21: nothing goes on and on in one moment, and no minute has thousands of rounds.
  case noSpin
  /// I22: what waits in memory is bounded, and so is what is sent at once.
  case memory
  /// I23: who records is told what came of it, and the database stays small.
  case disk
  /// I24: what a right clock could date leaves with the right time for the first time.
  case rightTime
  /// I30: one seed is one course of events.
  case determined = 30

  /// What it says.
  public var sentence: String {
    switch self {
    case .noLoss: "a passage that was acknowledged is here or on the server"
    case .durable: "what was acknowledged outlasts the process and the power"
    case .once: "each passage is one row on the server and one at the centre"
    case .frozen: "what leaves of a passage is the same each time"
    case .noInvention: "what is sent, and what arrives, was recorded"
    case .transitions: "what the server has stays so, and what is sent is under way"
    case .oneInFlight: "one request with passages is out at a time, and none after a start"
    case .attempts: "a passage has five attempts, and is given up after these or for good"
    case .trulySynced: "what counts as synced is on the server, or its difference was found"
    case .order: "passages go in the order of their numbers"
    case .noBlock: "one that is refused for good keeps none behind it from going"
    case .textAllowed: "a text goes only after five minutes without a line, for what waited as long"
    case .textSpacing:
      "a passage is on air as often as is allowed, and not again within ten minutes"
    case .budget: "no window of time holds more texts of a SIM than its budget"
    case .textOutcome: "what was accepted is not sent again, and what may have left is counted"
    case .oneText: "a passage is one text of the network's own alphabet"
    case .allSynced: "once all works and there is a line, everything reaches the server"
    case .allPhotos: "once all works and there is a line, every photograph reaches the server"
    case .modemsReturn: "a modem that works is ready again soon"
    case .allTexted: "without a line, everything that waits leaves as a text"
    case .noSpin: "nothing goes on and on in one moment, and no minute has thousands of rounds"
    case .memory: "what waits in memory is bounded, and so is what is sent at once"
    case .disk: "who records is told what came of it, and the database stays small"
    case .rightTime: "what a right clock could date leaves with the right time for the first time"
    case .determined: "one seed is one course of events"
    }
  }

  /// Its number as it is written: `I12`.
  public var name: String { "I\(rawValue)" }
}
