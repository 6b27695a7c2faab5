/// What the running service is asked, as one of the operations that it knows.
public enum ServiceRequest: Hashable, Sendable {
  /// The queue has changed.
  case wake
  /// What central works by has changed.
  case centralWake
  /// How does it stand?
  case status
  /// Try again what waits.
  case retryNow
  /// Sync now, whatever is being waited for.
  case syncNow
  /// Tell what happens from now on.
  case events(Operations.Events)
  /// How do the modems stand?
  case modemInfo(Operations.ModemInfo)
  /// Write a command line to a modem.
  case modemCommand(Operations.ModemCommand)
  /// Ask the network by USSD.
  case modemUSSD(Operations.ModemUSSD)
  /// Have a modem start anew.
  case modemReset(Operations.ModemReset)
  /// What was last said on the line?
  case modemTrace(Operations.ModemTrace)
  /// Send a text of an operator's.
  case modemSend(Operations.ModemSend)
  /// How does the log show plates and passages?
  case logMasks(Operations.LogMasks)
  /// Can the secrets of the settings be used?
  case secrets
  /// Keep a photograph, of which this is a part.
  case photo(Operations.Photo)
  /// Close the node's database until whoever asks has left.
  case releaseStore(Operations.ReleaseStore)
  /// Do not send it after all.
  case modemSendWithdraw(Operations.ModemSendWithdraw)
  /// Which passages were recorded last, and what happens to them next?
  case passages(Operations.Passages)
  /// What are rangers warned of?
  case warnings(Operations.Warnings)
  /// Which vehicles are on their way here?
  case expected(Operations.Expected)
  /// Which passages are there?
  case queueList(Operations.QueueList)
  /// How does one passage stand?
  case queueShow(Operations.QueueShow)
  /// Set a plate right.
  case queueCorrect(Operations.QueueCorrect)
  /// Put passages on hold.
  case queuePark(Operations.QueuePark)
  /// Say when a passage was.
  case queueDate(Operations.QueueDate)
  /// Try again what was given up.
  case queueRetry(Operations.QueueRetry)
  /// Withdraw passages that never were.
  case queueWithdraw(Operations.QueueWithdraw)

  /// Reads a request.
  ///
  /// - Throws: That it lacks something, or that there is no such operation.
  public init(_ request: ControlRequest) throws(ControlRefusal) {
    switch request.operation {
    case Operations.Wake.name: self = .wake
    case Operations.CentralWake.name: self = .centralWake
    case Operations.Status.name: self = .status
    case Operations.RetryNow.name: self = .retryNow
    case Operations.SyncNow.name: self = .syncNow
    case Operations.Events.name: self = .events(try request.decoded())
    case Operations.ModemInfo.name: self = .modemInfo(try request.decoded())
    case Operations.ModemCommand.name: self = .modemCommand(try request.decoded())
    case Operations.ModemUSSD.name: self = .modemUSSD(try request.decoded())
    case Operations.ModemReset.name: self = .modemReset(try request.decoded())
    case Operations.ModemTrace.name: self = .modemTrace(try request.decoded())
    case Operations.ModemSend.name: self = .modemSend(try request.decoded())
    case Operations.LogMasks.name: self = .logMasks(try request.decoded())
    case Operations.Secrets.name: self = .secrets
    case Operations.Photo.name: self = .photo(try request.decoded())
    case Operations.ReleaseStore.name: self = .releaseStore(try request.decoded())
    case Operations.ModemSendWithdraw.name: self = .modemSendWithdraw(try request.decoded())
    case Operations.Passages.name: self = .passages(try request.decoded())
    case Operations.Warnings.name: self = .warnings(try request.decoded())
    case Operations.Expected.name: self = .expected(try request.decoded())
    case Operations.QueueList.name: self = .queueList(try request.decoded())
    case Operations.QueueShow.name: self = .queueShow(try request.decoded())
    case Operations.QueueCorrect.name: self = .queueCorrect(try request.decoded())
    case Operations.QueuePark.name: self = .queuePark(try request.decoded())
    case Operations.QueueDate.name: self = .queueDate(try request.decoded())
    case Operations.QueueRetry.name: self = .queueRetry(try request.decoded())
    case Operations.QueueWithdraw.name: self = .queueWithdraw(try request.decoded())
    default:
      throw ControlRefusal(
        code: "unknown_operation",
        message: "the running service does not know \(request.operation); is it an older one?")
    }
  }
}
