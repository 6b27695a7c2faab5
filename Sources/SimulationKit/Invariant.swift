/// What has to hold on every simulated day: under one number in tests, reports and words.
public enum Invariant: Int, CaseIterable, Hashable, Sendable {
  case noLoss = 1
  case durable
  case once
  case frozen
  case noInvention
  case transitions
  case oneInFlight
  case attempts
  case trulySynced
  case order
  case noBlock
  case textAllowed
  case textSpacing
  case budget
  case textOutcome
  case oneText
  case allSynced
  case allPhotos
  case modemsReturn
  case allTexted
  case noSpin
  case memory
  case disk
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
    case .determined: "one seed is one course of events"
    }
  }

  /// Its number as it is written: `I12`.
  public var name: String { "I\(rawValue)" }
}
