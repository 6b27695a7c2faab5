/// The bounds of this module.
public enum Limits {
  /// Bytes of one command line; a real modem takes some hundreds and drops the rest.
  public static let commandBytes = 1_024

  /// Bytes of a message's body in text mode or of its digits in PDU mode.
  public static let bodyBytes = 2_048

  /// Bytes that wait while a command is carried out; what is more is lost, as in a real buffer.
  public static let inputBytes = 8_192

  /// Messages that the network holds at once.
  public static let networkMessages = 100_000

  /// Pieces of output that wait for their time; what is more is lost.
  public static let pendingOutputs = 10_000

  /// Results that nobody asked for and that wait for `+CNMI` to let them out.
  public static let heldIndications = 64

  /// Messages that a modem itself can hold, beside those on its SIM.
  public static let modemStorage = 100

  /// Status reports that a modem can hold.
  public static let reportStorage = 20

  /// Faults of one kind that can be asked for at once.
  public static let refusals = 1_000

  /// Commands that a fault may name.
  public static let lateCommands = 64

  /// Bytes of the longest line that a fault says.
  public static let hugeLineBytes = 4 << 20

  /// Steps of a recording that are looked through for a line that comes too soon.
  public static let replayLookAhead = 16

  /// Modems that one process can have on a network elsewhere.
  public static let guestModems = 64

  /// Numbers that a network keeps for modems elsewhere, there or away.
  public static let subscribers = 10_000

  /// Messages that modems elsewhere have been handed and have not answered.
  public static let handedMessages = 10_000

  /// Bytes of a line between modems and a network elsewhere.
  public static let signalBytes = 1 << 18
}
