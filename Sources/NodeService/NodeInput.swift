public import Events
public import ModemSession
public import NodeCore
public import Storage

/// What comes in to a node from outside.
public enum NodeInput: Sendable {
  /// Somebody changed the queue.
  case woke
  /// The network link changed, or was read for the first time.
  case linkChanged(LinkState)
  /// A call of the server ended.
  case answered(CallID, ServerReply)
  /// An operator asks to sync now.
  case syncNow
  /// A modem's driver says something.
  case modem(ModemID, ModemEvent)
  /// Passages to record; the answer is ``NodeOutput/recorded(requestID:_:)``.
  case record(requestID: Int64, [RecordRequest])
  /// Passages to record that were put down elsewhere at an earlier moment, by the store's clocks; the answer
  /// is the same.
  case recordEarlier(requestID: Int64, [RecordRequest], at: Moment)
  /// A text that an operator asks for; the answer is ``NodeOutput/manualFinished(requestID:_:)``.
  case manualText(ManualText)
  /// The operator who asked for a text by this request no longer wants it.
  case manualWithdrawn(requestID: Int64)
  /// An operator no longer wants the text with this number; whether it still waited is answered to the
  /// request.
  case textWithdrawn(TextID, requestID: Int64)
  /// An operator asks to try again now.
  case retryNow
  /// The configuration was read again.
  case settingsChanged(NodeMachine.Settings)
  /// The service is about to end.
  case stopping
}

extension NodeInput {
  /// The request that this asks to record for; nil for anything else.
  var recordID: Int64? {
    switch self {
    case .record(let requestID, _), .recordEarlier(let requestID, _, _): requestID
    default: nil
    }
  }
}

/// What a node wants done outside, after everything before it is on disk.
public enum NodeOutput: Sendable {
  /// Hand this to the modem's driver.
  case modem(ModemID, ModemRequest)
  /// Ask this of the server, showing the token if there is one, and hand the answer in under this number.
  case call(CallID, ServerCall, token: Token?)
  /// Remove the files of these photographs, which nothing needs any more.
  case removePhotos([String])
  /// Hand this in again, once all that comes before it is done.
  case again(NodeInput)
  /// Warn those on the spot.
  case alert(TravelAlert)
  /// Tell whoever reads the log.
  case log(Event)
  /// The answer to a request to record.
  case recorded(requestID: Int64, Result<[RecordOutcome], StorageError>)
  /// The number by which the text of a request is known.
  case manualQueued(requestID: Int64, TextID)
  /// The text of a request is kept, and goes after the next start.
  case manualKept(requestID: Int64)
  /// The answer to a request for a text.
  case manualFinished(requestID: Int64, TextOutcome)
}
