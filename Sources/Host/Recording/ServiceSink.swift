import Control
import JSON
public import NodeCore
public import PassageFiles
public import Settings

/// The running service as a sink for passages. Whatever keeps it from answering, another sink takes
/// over: a passage that was recorded all the same is not recorded twice.
public struct ServiceSink: PassageSink {
  /// How long a commit may take on a slow disk.
  private static let patience: Duration = .seconds(60)

  private let client: ControlClient
  private let database: String
  private let fallback: () throws -> any PassageSink
  private var other: (any PassageSink)?

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

  /// Records passages, and returns when the service has them on disk.
  public mutating func record(_ requests: [RecordRequest]) throws -> RecordedPassages {
    if other == nil, let recorded = try ask(requests) { return recorded }
    var sink = try other ?? fallback()
    defer { other = sink }
    return try sink.record(requests)
  }

  /// Asks the service; nil when it does not say.
  ///
  /// - Throws: `ControlRefusal` with what is wrong with the store.
  private func ask(_ requests: [RecordRequest]) throws -> RecordedPassages? {
    do {
      let request = RecordMessage.request(requests, database: database)
      switch try client.ask(request, timeout: ServiceSink.patience) {
      case .done(let fields):
        return RecordMessage.outcomes(fields, count: requests.count).map {
          RecordedPassages(outcomes: $0, clockAlarm: fields["clock"]?.text)
        }
      case .refused(let refusal):
        guard refusal.code == RecordMessage.storageCode else { return nil }
        throw refusal
      }
    } catch ControlError.requestTooLong where requests.count > 1 {
      let middle = requests.count / 2
      guard let first = try ask(Array(requests[..<middle])),
        var second = try ask(Array(requests[middle...]))
      else { return nil }
      second.outcomes = first.outcomes + second.outcomes
      return second
    } catch is ControlError {
      return nil
    }
  }
}
