/// Why a port could not be opened.
public enum OpenFailure: Hashable, Sendable {
  /// It is not there, which is no fault.
  case absent
  /// It is there, and not for us: held by another, or not permitted. Only a person can help.
  case refused
  /// It is there, and the device behind it does not work.
  case failed
}

/// What a session is told by its shell.
public enum SessionInput: Hashable, Sendable {
  /// Begin: the port is opened.
  case start
  /// The port is open, under this name.
  case opened(path: String)
  /// The port could not be opened, and why; waiting may help.
  case openFailed(reason: String, OpenFailure)
  /// Bytes came from the modem.
  case received([UInt8])
  /// The port went away, and how.
  case closed(reason: String)
  /// Something changed where the port has its name: it may be there now.
  case portChanged
  /// Somebody wants something.
  case request(ModemRequest)
  /// The answer to ``SessionEffect/claimPIN(iccid:attemptsLeft:)``.
  case pinClaimed(Bool)
  /// A reset from outside is over, in words: how it went.
  case resetFinished(String)
  /// The session's deadline has come, or time passed otherwise.
  case timePassed
}

/// What a session wants its shell to do, in this order.
public enum SessionEffect: Hashable, Sendable {
  /// Open the port and say ``SessionInput/opened`` or ``SessionInput/openFailed(reason:_:)``.
  case open
  /// Write these bytes after everything before.
  case write([UInt8])
  /// Close the port; there is no answer to it.
  case close
  /// The PIN is about to be tried on the SIM with this number (ICCID), if it has one. Note that on disk, and
  /// say ``SessionInput/pinClaimed(_:)``: false when this PIN was tried on it before without being
  /// known to be right, and `attemptsLeft` does not show that nothing was lost by it.
  case claimPIN(iccid: String?, attemptsLeft: Int?)
  /// What became of the PIN that was claimed.
  case pinTried(iccid: String?, isRight: Bool)
  /// Reset the modem from outside, and say ``SessionInput/resetFinished(_:)``. The port is closed.
  case reset(RecoveryStep)
  /// Something failed: keep what was last said on the line.
  case keepTrace(reason: String)
  /// Tell this to whoever uses the modem.
  case event(ModemEvent)
  /// The session has ended; the shell may end too.
  case stopped
}
