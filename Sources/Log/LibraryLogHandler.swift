import Events
public import Logging
public import Time

/// Brings what libraries log through swift-log into the service's log, as `library_log` events.
///
/// A library knows nothing of what must not be in a log, so its metadata is left out and its words
/// are scrubbed of messages and numbers.
public struct LibraryLogHandler: LogHandler {
  /// The least level that is taken from the library.
  public var logLevel: Logger.Level
  /// What the library tells of its context; kept, as the protocol asks, and never written.
  public var metadata: Logger.Metadata = [:]
  private let label: String
  private let log: ServiceLog
  private let clocks: any Clocks

  /// A handler for the library that calls itself `label`; by default only its warnings and errors
  /// are taken.
  public init(
    label: String, log: ServiceLog, clocks: any Clocks, level: Logger.Level = .warning
  ) {
    self.label = label
    self.log = log
    self.clocks = clocks
    logLevel = level
  }

  /// A logger for the library that calls itself `label`.
  public static func logger(
    label: String, log: ServiceLog, clocks: any Clocks, level: Logger.Level = .warning
  ) -> Logger {
    Logger(label: label) { label in
      LibraryLogHandler(label: label, log: log, clocks: clocks, level: level)
    }
  }

  /// One value of ``metadata``; nil when there is none under that key.
  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Brings one message of the library into the service's log, scrubbed.
  public func log(event: LogEvent) {
    let level: LogLevel =
      switch event.level {
      case .trace, .debug: .debug
      case .info: .info
      case .notice: .notice
      case .warning: .warning
      case .error, .critical: .error
      }
    var words = "\(label): \(event.message)"
    if let error = event.error {
      words += " (\(error))"
    }
    log.record(
      Event(
        "library_log", level, at: clocks.wall(), words: words,
        fields: [EventField("library", .text(label))], isForeign: true))
  }
}
