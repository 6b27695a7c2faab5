public import GSM

/// The number that a text carries through store, modem and log.
public typealias TextID = Int64

/// What the modem or the network said instead of taking the text.
public struct Refusal: Hashable, Sendable {
  /// The code as people look it up: `CMS 38`.
  public var code: String
  /// The code in words: `network out of order`.
  public var words: String
  /// What can be done about it.
  public var kind: ErrorClass
  /// Whether operators answer so when an account is empty.
  public var mayMeanNoCredit: Bool
  /// What helps, in words; nil when nothing but waiting does.
  public var advice: String?
  /// The same for whoever sent a text by hand, which nothing sends again by itself.
  public var adviceByHand: String?
  /// How often in a row it is met as one that passes soon, before its kind counts: some tell of a
  /// modem that forgot its settings or just started, for which the driver does what helps.
  public var triesFirst: Int

  /// A refusal with its code, its words and what can be done about it.
  public init(
    code: String, words: String, kind: ErrorClass, mayMeanNoCredit: Bool = false,
    advice: String? = nil, triesFirst: Int = 0
  ) {
    self.code = code
    self.words = words
    self.kind = kind
    self.mayMeanNoCredit = mayMeanNoCredit
    self.advice = advice
    self.triesFirst = triesFirst
  }
}

/// What became of a text.
///
/// The three ways of not being accepted are kept apart, because they allow different things: a text
/// that is known not to have left may go again, one of which nothing is known may not.
public enum TextOutcome: Hashable, Sendable {
  /// The network took it; one message reference for each part.
  case accepted(references: [UInt8])
  /// The modem or the network said no.
  case refused(Refusal)
  /// It never left: no registration, the port lost before the PDU.
  case notSent(reason: String)
  /// The PDU left and no answer came.
  case unknown(reason: String)
}
