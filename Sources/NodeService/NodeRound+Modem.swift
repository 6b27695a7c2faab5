import GSM
import ModemSession
import NodeCore
import PassageStore
import SQLiteFile
import Timing

extension NodeRound {
  /// Takes what a modem's driver says.
  mutating func take(_ event: ModemEvent, from modem: ModemID) throws(StorageError) {
    switch event {
    case .status(let status):
      if state.modemStatus.indices.contains(modem.index) {
        state.modemStatus[modem.index] = status
      }
      let reason = status.lastError ?? status.state.words
      try tell(.modemChanged(modem, canSend: status.canSend, reason: reason))
    case .sendOutcome(let id, let outcome):
      try tell(.textFinished(id, TextOutcome(outcome)))
    case .received(let inbound):
      try keep(inbound, from: modem)
    case .commandFinished, .ussdFinished, .trace, .networkTime, .log:
      // Answers to commands and the driver's own log go to whoever asked for them, not to the node.
      break
    }
  }

  /// Keeps what a modem received. The modem may delete it once this round is on disk, and not
  /// before, since the request stands among the outputs.
  private mutating func keep(
    _ inbound: InboundPDU, from modem: ModemID
  ) throws(StorageError) {
    let content = InboundDecoding.content(of: inbound.hex)
    let outcome = try transaction.keep(
      InboxEntry(pdu: inbound.hex, content: content), at: moment)
    put(.modem(modem, .confirmStored(token: inbound.token)))
    guard case .kept(let textID) = outcome else { return }
    let words = NodeWords(settings: settings, moment: moment)
    try log(words.event(received: content, textID: textID))
  }
}

extension TextOutcome {
  /// The driver's outcome in the core's terms: what can be done about a refusal instead of its code.
  init(_ outcome: SendOutcome) {
    switch outcome {
    case .accepted(let references):
      self = .accepted(references: references)
    case .refused(let error) where error.isOutcomeUnknown:
      self = .unknown(reason: error.description)
    case .refused(let error):
      self = .refused(
        Refusal(
          code: error.shortName, words: error.words, kind: RefusalKind(error.errorClass)))
    case .notSent(let reason):
      self = .notSent(reason: reason)
    case .unknown(let reason):
      self = .unknown(reason: reason)
    }
  }
}

extension RefusalKind {
  init(_ errorClass: ErrorClass) {
    switch errorClass {
    case .soon: self = .soon
    case .later: self = .later
    case .alert: self = .alert
    case .permanent: self = .permanent
    case .destination: self = .destination
    case .storage: self = .storage
    case .done: self = .done
    }
  }
}
