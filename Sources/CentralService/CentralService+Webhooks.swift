public import CentralCore
import Storage
import Synchronization
import Time

/// What is refused to providers that hand texts in: kept in the store, since a problem that lasts has to be known
/// after a restart as well.
extension CentralService {
  /// A request by a path was refused; from any thread.
  public func noteRefusal(_ refusal: WebhookRefusal, by path: String) {
    let wall = clocks.wall()
    change { $0.refused(refusal, by: path, at: wall) }
  }

  /// A text that came by a path was taken; from any thread.
  public func noteTaken(by path: String) {
    change { $0.took(by: path) }
  }

  /// Something else is expected of providers than before; from any thread.
  public func forgetRefusals() {
    change { standings in
      standings.forget()
      return standings.isChanged
    }
  }

  /// What was refused to each provider since its last text was taken.
  public var webhookTallies: [WebhookTally] { webhooks.withLock { $0.worst } }

  private func change(_ body: (inout WebhookStandings) -> Bool) {
    let isNews = webhooks.withLock { standings in
      // Whoever has to be told of one change is told of all.
      let isKnown = standings.isChanged
      return body(&standings) && !isKnown
    }
    if isNews { wakeForRefusals() }
  }

  /// Reads what the store knows of it, and keeps there what it does not know.
  func settleRefusals(_ agenda: inout CentralAgenda) {
    agenda.refusalsAt = nil
    do throws(StorageError) {
      if webhooks.withLock({ !$0.isRead }) || store.isShared {
        let kept = try store.webhookTallies()
        webhooks.withLock { $0.read(kept) }
      }
      let change = webhooks.withLock { $0.change() }
      guard !change.isEmpty else { return }
      do throws(StorageError) {
        try store.keep(change)
      } catch {
        webhooks.withLock { $0.giveBack(change) }
        throw error
      }
      agenda.refusalsKeptAt = clocks.boot()
    } catch {
      agenda.refusalsAt = putOff(error, "what was refused to providers could not be kept")
    }
  }
}
