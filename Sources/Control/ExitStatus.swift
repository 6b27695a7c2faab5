/// The exit codes that scripts may rely on: those of `sysexits.h`.
public struct ExitStatus: Hashable, Sendable {
  /// The number that the process ends with.
  public let code: Int32

  /// A status by its number.
  public init(code: Int32) {
    self.code = code
  }

  /// Everything was done.
  public static let done = ExitStatus(code: 0)
  /// The command was called in a way it cannot be (EX_USAGE).
  public static let usage = ExitStatus(code: 64)
  /// What was handed in is wrong (EX_DATAERR).
  public static let badData = ExitStatus(code: 65)
  /// Something that is needed is not there: the service, the modem, the network (EX_UNAVAILABLE).
  public static let unavailable = ExitStatus(code: 69)
  /// The system refused something it should give (EX_OSERR).
  public static let system = ExitStatus(code: 71)
  /// Reading or writing failed (EX_IOERR).
  public static let inputOutput = ExitStatus(code: 74)
  /// Not now, but the same call may succeed later (EX_TEMPFAIL).
  public static let tryAgain = ExitStatus(code: 75)
  /// This user may not do that (EX_NOPERM).
  public static let noPermission = ExitStatus(code: 77)
  /// The configuration is wrong (EX_CONFIG).
  public static let configuration = ExitStatus(code: 78)

  /// Every status there is, and what it means to whoever called.
  public static let all: [(status: ExitStatus, words: String)] = [
    (done, "Everything was done."),
    (usage, "The command was called in a way it cannot be; nothing was done."),
    (badData, "What was handed in is wrong, or a part of it is."),
    (unavailable, "Something that is needed is not there: the service, the modem, the network."),
    (system, "The system refused something it should give, or checkpost has a fault."),
    (inputOutput, "Reading or writing failed."),
    (tryAgain, "Not now; the same call may succeed later."),
    (noPermission, "This user may not do that."),
    (configuration, "The configuration is wrong."),
  ]
}
