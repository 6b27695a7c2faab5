import NodeCore
import NodeSQLite
import NodeService
import Passages
import Storage
import Time

/// Passages under the identities that they have had: a correction, or the time that it is given later, may
/// give a passage another.
extension World {
  /// The identity under which the world knows the passage that has this one.
  mutating func name(of client: String) -> String? {
    if known[client] != nil { return client }
    if let first = aliases[client] { return first }
    guard let item = item(client), let first = numbers[item.queueID] else { return nil }
    aliases[client] = first
    return first
  }

  /// Where the passage of that identity stands here; nil where the node cannot be asked.
  func item(_ client: String) -> QueueItem? {
    guard !isDown, let identity = ClientID(client) else { return nil }
    return (try? machine.store.item(identity)) ?? nil
  }

  /// A passage was acknowledged, or is found to be there.
  mutating func keep(_ client: String, number: Int64, since: BootInstant) {
    known[client] = Known(recordedAt: since)
    numbers[number] = client
    order.append(client)
  }
}
