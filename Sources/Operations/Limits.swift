/// The bounds of this module, in one place.
public enum Limits {
  /// A configuration file, in bytes; the one that is shipped, with all its comments, needs a tenth.
  public static let configurationBytes = 256 * 1_024

  /// Cards and PINs that are remembered as tried.
  public static let pinMarks = 64

  /// The file that remembers them, in bytes.
  public static let pinMemoryBytes = 64 * 1_024

  /// Bytes of the note of what puts a modem's access technologies back.
  public static let accessNoteBytes = 256

  /// Traces of modems that are kept.
  public static let traceFiles = 20

  /// What of a trace's name tells when it was: `20261121T093812.trace`.
  static let traceSuffix = 21

  /// A file that holds a secret, in bytes.
  public static let secretBytes = 16 * 1_024

  /// Problems of one configuration that are listed; more come up when these are mended.
  public static let listedProblems = 50

  /// Entries of a setting that is a list.
  public static let listEntries = 64

  /// Public URLs that are tried against a provider's signature.
  public static let publicURLs = 8

  /// How long a pipe that is named as a file may take to hand its content over.
  public static let pipePatience: Duration = .seconds(5)

  /// Modems of a node.
  public static let modems = 8

  /// One text value of the configuration, in bytes.
  public static let settingTextBytes = 4_096

  /// One line of a log file, in bytes; a longer one is passed over by the reader.
  public static let logLineBytes = 64 * 1_024

  /// Words of one event, in characters; what a library or a modem says may be of any length.
  public static let eventWords = 500

  /// Marks that one letter of a foreign text is shown with; living scripts need up to four.
  public static let marksOnALetter = 8

  /// Names that are counted one by one; further ones are counted together.
  public static let countedNames = 256

  /// Events that are kept in memory to be shown with the status.
  public static let recentEvents = 64

  /// Lines that wait in memory while the disk of the log takes none.
  public static let logLinesWaiting = 1_000

  /// Log files that were begun anew and wait for their sync.
  static let logFilesToSync = 2

  /// Time between two syncs of the log.
  static let logSyncEvery: Duration = .seconds(5)

  /// The same once a warning was written.
  static let logSyncUrgent: Duration = .seconds(1)

  /// Old log files that are looked for beside the current one.
  public static let logFiles = 100

  /// Levels of lists and objects in a JSON text that comes in; what this program writes has five.
  public static let nesting = 32

  /// Brackets that begin a list or a section in a configuration file.
  static let yamlBrackets = 500

  /// Columns before the first word of a line of a configuration file.
  static let yamlIndent = 200

  /// Connections to the control socket at a time.
  public static let controlConnections = 16

  /// One request over the control socket, in bytes.
  public static let controlRequestBytes = 64 * 1_024

  /// Bytes of a request that is too long before its connection is closed: it was answered long before.
  static let controlSkippedBytes = 1 << 20

  /// One answer over the control socket, in bytes.
  public static let controlAnswerBytes = 4 * 1_024 * 1_024

  /// Requests of one connection that wait for their answer.
  public static let controlRequestsWaiting = 16

  /// How long a connection to the control socket may stay silent.
  public static let controlIdle: Duration = .seconds(300)
}
