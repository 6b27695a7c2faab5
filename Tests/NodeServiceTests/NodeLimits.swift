// Nothing else is imported here: every module has its `Limits`.
import NodeService

/// The bounds of the service under test.
enum NodeLimits {
  static let mailbox = Limits.mailbox
  static let recordRequest = Limits.recordRequest
  static let unstoredEvents = Limits.unstoredEvents
}
