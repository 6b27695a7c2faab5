public import Events
public import ModemSession
public import NodeCore
public import Storage

/// What comes in to a node from outside.
public enum NodeInput: Sendable {
  /// Somebody changed the queue.
  case woke
  /// The network link was read.
  case linkChanged(isUp: Bool)
  /// A probe of the server ended.
  case probeFinished(id: UInt64, ProbeResult)
  /// A modem's driver says something.
  case modem(ModemID, ModemEvent)
  /// Passages to record; the answer is ``NodeOutput/recorded(requestID:_:)``.
  case record(requestID: Int64, [RecordRequest])
  /// A text that an operator asks for; the answer is ``NodeOutput/manualFinished(requestID:_:)``.
  case manualText(ManualText)
  /// The operator who asked for a text by this request no longer wants it.
  case manualWithdrawn(requestID: Int64)
  /// An operator asks to try again now.
  case retryNow
  /// The configuration was read again.
  case settingsChanged(NodeMachine.Settings)
  /// The service is about to end.
  case stopping
}

/// What a node wants done outside, after everything before it is on disk.
public enum NodeOutput: Sendable {
  /// Hand this to the modem's driver.
  case modem(ModemID, ModemRequest)
  /// Ask the server whether it is there, and hand the answer in with this id.
  case probe(id: UInt64)
  /// Tell whoever reads the log.
  case log(Event)
  /// The answer to a request to record.
  case recorded(requestID: Int64, Result<[RecordOutcome], StorageError>)
  /// The answer to a request for a text.
  case manualFinished(requestID: Int64, TextOutcome)
}
