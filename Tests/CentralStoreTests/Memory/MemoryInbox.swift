import CentralCore
import Time

extension InboxQuery {
  func wants(_ item: InboxItem) -> Bool {
    if let before, item.id >= before { return false }
    if let state, item.state != state { return false }
    if let isDismissed, (item.dismissal != nil) != isDismissed { return false }
    if let reason, item.reason != reason { return false }
    if let senders, !senders.contains(item.from) { return false }
    if let since, item.receivedAt < since { return false }
    return until.map { item.receivedAt < $0 } ?? true
  }
}

extension InboxDismissal {
  func wants(_ item: InboxItem) -> Bool {
    guard item.state == .undecodable, item.dismissal == nil else { return false }
    if let ids, !ids.contains(item.id) { return false }
    if let reason, item.reason != reason { return false }
    if let senders, !senders.contains(item.from) { return false }
    return before.map { item.receivedAt < $0 } ?? true
  }
}
