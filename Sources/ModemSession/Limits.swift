/// The bounds of this module.
public enum Limits {
  /// Texts that wait in a session; more are answered with ``SendOutcome/notSent(reason:)``. The node
  /// hands over one at a time.
  public static let waitingTexts = 16

  /// Commands of operators that wait in a session.
  public static let waitingCommands = 16

  /// Received messages that were told and not confirmed yet. What is beyond stays in the modem until
  /// a later sweep.
  public static let unconfirmed = 256

  /// Single messages to read, by their place; when more are told the whole storage is swept.
  public static let reads = 64

  /// Probes without an answer before the port is closed and opened again.
  public static let probes = 3

  /// How often a setting is tried again while the SIM is busy.
  public static let setupRetries = 15

  /// Time from the moment that a port appears to the first try to open it: its permissions are set
  /// after its name.
  public static let portSettles = Duration.milliseconds(200)

  /// Lines of an operator's command that are handed back.
  public static let commandLines = 1_024
}
