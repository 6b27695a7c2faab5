import Control
import JSON
public import NodeCore
public import PassageFiles
public import Settings

/// The running service as a sink for passages. Whatever keeps it from answering, another sink takes
/// over: a passage that was recorded all the same is not recorded twice.
public struct ServiceSink: PassageSink {
  /// How long a commit may take on a slow disk.
  private let patience: Duration = .seconds(60)

  private let client: ControlClient
  private let database: String
  private let fallback: () throws -> any PassageSink
  private var other: (any PassageSink)?
  /// What the service was sent last.
  private var sent: [RecordRequest] = []
  /// What came of it, where that is known without the service's answer.
  private var recorded: RecordedPassages?

  /// A sink into the service that has the node's database open; nil where there is none.
  ///
  /// - Parameter fallback: What takes over when the service does not answer.
  public init?(_ loaded: LoadedSettings, fallback: @escaping () throws -> any PassageSink) {
    let settings = loaded.settings
    guard settings.roles.node || !settings.roles.central,
      let database = RecordMessage.identity(ofFileAt: settings.node.database),
      let client = try? ControlClient(path: settings.control.socket)
    else { return nil }
    self.client = client
    self.database = database
    self.fallback = fallback
  }

  /// Sends passages to the service.
  public mutating func begin(_ requests: [RecordRequest]) throws {
    sent = requests
    guard other == nil, requests.count > 0 else { return try recordElsewhere(requests) }
    do throws(ControlError) {
      try client.send(RecordMessage.request(requests, database: database), timeout: patience)
    } catch .requestTooLong where requests.count > 1 {
      let middle = requests.count / 2
      var first = try record(Array(requests[..<middle]))
      let second = try record(Array(requests[middle...]))
      first.outcomes += second.outcomes
      first.clockAlarm = second.clockAlarm
      first.alerts += second.alerts
      first.keptIn = first.keptIn ?? second.keptIn
      recorded = first
    } catch {
      try recordElsewhere(requests)
    }
  }

  /// Waits until the service has them on disk.
  public mutating func finish() throws -> RecordedPassages {
    if recorded == nil {
      if let answer = try answer(sent.count) { return answer }
      try recordElsewhere(sent)
    }
    defer { recorded = nil }
    return recorded ?? RecordedPassages(outcomes: [])
  }

  /// Records passages by the other sink, from now on.
  private mutating func recordElsewhere(_ requests: [RecordRequest]) throws {
    var sink = try other ?? fallback()
    defer { other = sink }
    recorded = try sink.record(requests)
  }

  /// What the service answers; nil when it does not say.
  ///
  /// - Throws: `ControlRefusal` with what is wrong with the store.
  private func answer(_ count: Int) throws -> RecordedPassages? {
    guard let answer = try? client.answer(timeout: patience) else { return nil }
    switch answer {
    case .done(let fields):
      return RecordMessage.outcomes(fields, count: count).map {
        RecordedPassages(
          outcomes: $0, clockAlarm: fields["clock"]?.text, alerts: RecordMessage.alerts(fields))
      }
    case .refused(let refusal):
      guard refusal.code == RecordMessage.storageCode else { return nil }
      throw refusal
    }
  }
}
