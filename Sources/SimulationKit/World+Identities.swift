import NodeCore
import NodeSQLite
import NodeService
import Passages
import ServerModel
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

  /// The identity that a text gives its passage.
  static func client(of text: String) -> String {
    ClientID.content(canonicalBody: text).description
  }

  /// Where the passage of that identity stands here; nil where the node cannot be asked.
  func item(_ client: String) -> QueueItem? {
    guard !isDown else { return nil }
    return (try? stored(client)) ?? nil
  }

  /// What the store has under that identity, or in the place of the passage that had it once.
  func stored(_ client: String) throws(StorageError) -> QueueItem? {
    guard let identity = ClientID(client) else { return nil }
    if let item = try machine.store.item(identity) { return item }
    guard let number = known[client]?.number else { return nil }
    var query = QueueQuery()
    query.afterID = number - 1
    query.limit = 1
    return try machine.store.list(query).first { $0.queueID == number }
  }

  /// Whether the server has that passage, under whichever of its identities.
  func isOnServer(_ client: String) -> Bool {
    if server.passage(clientID: client) != nil { return true }
    return aliases.contains { $0.value == client && server.passage(clientID: $0.key) != nil }
  }

  /// A passage was acknowledged, or is found to be there.
  mutating func keep(_ client: String, number: Int64, _ passage: Known) {
    known[client] = passage
    known[client]?.number = number
    numbers[number] = client
    order.append(client)
  }
}
