/// What came of a simulated day.
public struct WorldReport: Hashable, Sendable {
  /// Passages whose recording was acknowledged.
  public var recorded = 0
  /// Texts that the mobile network took.
  public var submitted = 0
  /// Texts that it lost on request.
  public var lost = 0
  /// Rows at central.
  public var rows = 0
  /// Moments at which something was done.
  public var steps = 0
  /// Requests that the node sent.
  public var requests = 0
  /// Passages that the server stored.
  public var stored = 0
  /// How often each fault of the server befell a request.
  public var fired: [String: Int] = [:]
  /// Passages whose text has an unknown outcome.
  public var unknown = 0
  /// Virtual seconds that the day took.
  public var seconds: Int64 = 0
  /// Faults, crashes and changes of the line that the day's plan had.
  public var planned = 0
  /// Passages of which another client wrote something else.
  public var contested = 0
  /// Vehicles that the opposite post recorded.
  public var west = 0
  /// Heartbeats that were handed to a modem.
  public var heartbeats = 0
  /// Texts to the opposite post that the network took.
  public var opposite = 0
  /// Photographs that the server has.
  public var photos = 0
  /// Corrections behind their passages that it has.
  public var corrections = 0
  /// Warnings that were given on the spot.
  public var alerts = 0
  /// Times that the node's process died.
  public var crashes = 0
  /// What was not as it has to be, in words; empty when all is well.
  public var violations: [String] = []
  /// A number that follows from everything that happened: two runs of one seed give the same.
  public var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325

  /// A report of a day on which nothing has happened.
  public init() {}

  /// Mixes something that happened into the fingerprint (FNV-1a).
  mutating func note(_ text: String) {
    for byte in text.utf8 { fingerprint = (fingerprint ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  mutating func violate(_ invariant: Invariant, _ words: String) {
    if violations.count < 20 { violations.append("\(invariant.name): \(words)") }
  }
}
