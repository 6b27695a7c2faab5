public import Events
import Glibc
import Log
public import Settings
import Time

/// What a configuration lacks although each of its values is right: directories that nobody has made
/// yet, a server to which nothing is uploaded so far, and texts that come over a line which anybody can
/// change.
public enum StartWarnings {
  /// Every warning, each in one line.
  public static func all(_ loaded: LoadedSettings) -> [String] {
    [server(loaded), publicURLs(loaded)].compactMap { $0 }
      + (directories(loaded) + openDirectories(loaded)).map(\.sentence)
  }

  /// Tells the log what the settings make of the service, at its start and when they were read again.
  static func record(_ loaded: LoadedSettings, in log: ServiceLog, at time: WallTime) {
    for (name, warning) in [
      ("upload_not_built", server(loaded)), ("webhook_without_tls", publicURLs(loaded)),
    ] {
      guard let warning else { continue }
      log.record(Event(name, .warning, at: time, words: warning))
    }
  }

  /// What a central should know whose provider calls without TLS; nil when none does.
  public static func publicURLs(_ loaded: LoadedSettings) -> String? {
    let settings = loaded.settings
    let plain = settings.central.twilio.publicURLs.filter { !$0.hasPrefix("https://") }
    guard !plain.isEmpty, settings.roles.central || !settings.roles.node else { return nil }
    let names = plain.map { $0.prefix { $0 != "?" } }.joined(separator: ", ")
    return
      "central.twilio.public_urls: \(names) goes without TLS: who is on the way reads every text,"
      + " and can cut its signed parameters anew, since the signature does not cover where one ends;"
      + " have the provider call https://"
  }

  /// What a node whose server is named should know; nil when none is.
  public static func server(_ loaded: LoadedSettings) -> String? {
    let settings = loaded.settings
    guard settings.server.url != nil, settings.roles.node || !settings.roles.central else {
      return nil
    }
    return "server.url is set, and uploading is not built yet: while the server answers, nothing is"
      + " texted and passages wait in the queue; hand them on by `checkpost queue export`, or remove"
      + " server.url to have them texted"
  }

  /// The directories that the service writes into and that are not there.
  static func directories(_ loaded: LoadedSettings) -> [Problem] {
    let missing = written(loaded).filter { access($0, F_OK) != 0 }
    return missing.map {
      Problem(
        "directory_missing", .critical, of: $0, "\($0): there is no such directory",
        remedy: "make it: sudo install -d -o \"$USER\" \($0)")
    }
  }

  /// The directories that the service writes into and in which anybody may make files: another database
  /// under the same name, a log beside it, a socket.
  public static func openDirectories(_ loaded: LoadedSettings) -> [Problem] {
    let open = written(loaded).filter { directory in
      var status = stat()
      return stat(directory, &status) == 0 && status.st_mode & S_IWOTH != 0
    }
    return open.map {
      Problem(
        "directory_open_to_all", .warning, of: $0,
        "\($0): anybody may write in this directory, and so put other files in place of the service's",
        remedy:
          "take that right away: sudo chmod o-w \($0), or name a directory of the service's own")
    }
  }

  /// The directories that the service writes into.
  private static func written(_ loaded: LoadedSettings) -> [String] {
    let settings = loaded.settings
    var files: [String?] = [settings.log.file, settings.log.maskKeyFile, settings.control.socket]
    if settings.roles.node || !settings.roles.central { files.append(settings.node.database) }
    if settings.roles.central { files.append(settings.central.database) }
    return Set(files.compactMap { $0 }.map(StartWarnings.directory)).sorted()
  }

  private static func directory(of path: String) -> String {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    return end == path.startIndex ? "/" : String(path[..<end])
  }
}
