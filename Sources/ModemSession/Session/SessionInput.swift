/// What a session is told by its shell.
public enum SessionInput: Hashable, Sendable {
  /// Begin: the port is opened.
  case start
  /// The port is open.
  case opened
  /// The port could not be opened, and why; waiting may help.
  case openFailed(reason: String)
  /// Bytes came from the modem.
  case received([UInt8])
  /// The port went away, and how.
  case closed(reason: String)
  /// Something changed where the port has its name: it may be there now.
  case portChanged
  /// Somebody wants something.
  case request(ModemRequest)
  /// The session's deadline has come, or time passed otherwise.
  case timePassed
}

/// What a session wants its shell to do, in this order.
public enum SessionEffect: Hashable, Sendable {
  /// Open the port and say ``SessionInput/opened`` or ``SessionInput/openFailed(reason:)``.
  case open
  /// Write these bytes after everything before.
  case write([UInt8])
  /// Close the port; there is no answer to it.
  case close
  /// Tell this to whoever uses the modem.
  case event(ModemEvent)
  /// The session has ended; the shell may end too.
  case stopped
}
