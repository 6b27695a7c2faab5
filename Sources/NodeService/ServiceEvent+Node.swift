public import Events
import Passages

extension ServiceEvent {
  /// The node's event for the service's log, which masks the plate when it writes it.
  public init(_ event: NodeLogEvent) {
    var fields: [EventField] = []
    if let client = event.clientID {
      fields.append(EventField("client_id", .identity(client.description)))
    }
    if let plate = event.plate {
      fields.append(EventField("plate", .plate(plate)))
    }
    if let text = event.textID {
      fields.append(EventField("text_id", .integer(text)))
    }
    self.init(
      event.name, LogLevel(event.level), at: event.wall, words: event.words,
      next: event.next.map { NextStep($0.words, at: $0.at) }, waiting: event.waiting,
      fields: fields)
  }
}

extension LogLevel {
  init(_ level: NodeLogEvent.Level) {
    switch level {
    case .debug: self = .debug
    case .info: self = .info
    case .notice: self = .notice
    case .warning: self = .warning
    case .error: self = .error
    }
  }
}
