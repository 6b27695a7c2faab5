/// Many simulated days, summed up.
public struct Campaign: Sendable {
  /// A day that did not end well.
  public struct Failure: Sendable {
    /// Its seed.
    public var seed: UInt64
    /// What was not as it has to be.
    public var words: [String]
    /// How much went wrong in its plan: what ``Shrinking`` leaves out parts of; nil where the day could
    /// not be lived to its end.
    public var planned: Int?
  }

  /// How many days.
  public private(set) var days = 0
  /// All of them as one.
  public private(set) var total = WorldReport()
  /// Those that did not end well, in the order of their seeds.
  public private(set) var failures: [Failure] = []

  /// No day yet.
  public init() {}

  /// Lives a day and adds it.
  public mutating func live(_ settings: WorldSettings) {
    do {
      add(try Life.live(settings), seed: settings.seed)
    } catch {
      days += 1
      failures.append(
        Failure(seed: settings.seed, words: ["the node ended: \(error)"], planned: nil))
    }
  }

  private mutating func add(_ report: WorldReport, seed: UInt64) {
    days += 1
    fingerprint &+= report.fingerprint ^ (seed &* 0x9E37_79B9_7F4A_7C15)
    if !report.violations.isEmpty {
      failures.append(Failure(seed: seed, words: report.violations, planned: report.planned))
    }
    total.add(report)
  }

  /// Adds the days of another campaign.
  public mutating func add(_ other: Campaign) {
    days += other.days
    total.add(other.total)
    fingerprint &+= other.fingerprint
    failures = (failures + other.failures).sorted { $0.seed < $1.seed }
  }

  /// What names all that happened in these days, whatever their order: the same seeds of the same program give the
  /// same. A program that is to do exactly what another does shows by it that it does.
  public private(set) var fingerprint: UInt64 = 0

  /// The days in numbers, a line each: what happened, how often each fault came, and what names all of it.
  public var summary: [String] {
    [
      "\(days) days, \(total.seconds / 3_600) hours: \(total.recorded) passages, \(total.submitted)"
        + " texts on air, \(total.lost) lost by the network, \(total.unknown) unknown, \(total.rows)"
        + " rows, \(total.crashes) crashes; \(total.requests) requests, \(total.stored) stored by the"
        + " server, \(total.steps) steps",
      "beside them: \(total.photos) photographs, \(total.corrections) corrections on the server,"
        + " \(total.opposite) texts to the opposite post, \(total.heartbeats) heartbeats,"
        + " \(total.west) vehicles recorded there, \(total.alerts) warnings",
      "faults: "
        + CataloguedFault.all.filter { !$0.names.isEmpty }
        .map { "F\($0.number) \($0.count(in: total.fired))" }.joined(separator: ", "),
      "fingerprint: \(String(fingerprint, radix: 16))",
    ]
  }

  /// Faults that some simulated day has and that befell none of these days.
  public var neverFired: [CataloguedFault] {
    CataloguedFault.all.filter { !$0.names.isEmpty && $0.count(in: total.fired) == 0 }
  }
}

extension WorldReport {
  fileprivate mutating func add(_ other: WorldReport) {
    recorded += other.recorded
    submitted += other.submitted
    lost += other.lost
    unknown += other.unknown
    rows += other.rows
    crashes += other.crashes
    seconds += other.seconds
    steps += other.steps
    requests += other.requests
    stored += other.stored
    contested += other.contested
    planned += other.planned
    heartbeats += other.heartbeats
    opposite += other.opposite
    alerts += other.alerts
    west += other.west
    photos += other.photos
    corrections += other.corrections
    for (fault, count) in other.fired { fired[fault, default: 0] += count }
  }
}
