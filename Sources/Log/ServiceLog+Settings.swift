import EventLoop
import Glibc
public import Settings

/// Why the log of a service cannot be opened.
public enum LogOpeningError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The log file cannot be written.
  case file(LogFileError)
  /// The key of the masks cannot be read or made.
  case settings(SettingsError)

  /// What is wrong, with which file, and what to do.
  public var description: String {
    switch self {
    case .file(let error): error.description
    case .settings(let error): error.description
    }
  }
}

extension ServiceLog {
  /// Opens the log that the settings describe: standard output in the format they name, and their
  /// file. The key of the masks is made when it does not exist yet.
  ///
  /// Where standard output goes to the journal, lines for people go there as records with their level.
  ///
  /// - Parameters:
  ///   - console: how standard output looks.
  ///   - journal: the journal that may be behind it.
  public static func open(
    _ loaded: LoadedSettings, console: ConsoleLook = ConsoleLook(),
    journal: JournalPlace = .ofThisMachine
  ) throws(LogOpeningError) -> ServiceLog {
    let settings = loaded.settings.log
    var sinks: [any LogSink] = []
    switch settings.format {
    case .console:
      if journal.isBehind(STDOUT_FILENO), let sink = JournalSink(journal) {
        sinks.append(sink)
        break
      }
      sinks.append(ConsoleSink(descriptor: STDOUT_FILENO, look: console))
    case .json: sinks.append(ConsoleSink(jsonTo: STDOUT_FILENO))
    case .off: break
    }
    if let path = settings.file {
      do {
        sinks.append(
          try RotatingFile(path: path, size: settings.fileSize, count: settings.fileCount))
      } catch {
        throw .file(error)
      }
    }
    return ServiceLog(level: settings.level, mask: try mask(loaded), sinks: sinks)
  }

  private static func mask(_ loaded: LoadedSettings) throws(LogOpeningError) -> Mask {
    guard loaded.settings.log.mask else { return .whole }
    do {
      return try MaskKey.load(loaded, makesMissing: true).map { .keyed($0) } ?? .short
    } catch {
      throw .settings(error)
    }
  }

  /// Takes up what changed in the settings while the service runs, and opens the file anew.
  public func apply(_ settings: Settings.Log) {
    change(level: settings.level)
    for sink in files {
      sink.change(size: settings.fileSize, count: settings.fileCount)
    }
    reopen()
  }
}
