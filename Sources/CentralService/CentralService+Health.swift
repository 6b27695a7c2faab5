public import CentralCore
import Storage
import Synchronization
import Time

extension CentralService {
  /// Whether what comes in is kept, as far as is known: by the last attempt, and by the space that is
  /// left.
  public var health: CentralHealth {
    if let error = trouble.withLock({ $0.error }) { return .failing(error) }
    if isStopping.load(ordering: .acquiring) { return .ended }
    return store.shortage.map(CentralHealth.failing) ?? .well
  }

  /// What is known of the store; whether that is a problem is decided by what ``CentralFacts`` say.
  public var facts: CentralFacts {
    var facts = CentralFacts()
    let (since, processing) = trouble.withLock { ($0.since, $0.processing) }
    if case .failing(let error) = health {
      facts.keeping = CentralFacts.Failure(error, since: since)
    }
    facts.processing = processing
    facts.webhooks = webhookTallies
    facts.crowdedAgo = trouble.withLock { $0.crowdedAt }.map { clocks.boot() - $0 }
    return facts
  }
}
