public import CentralCore
public import Time

extension Provider {
  /// A provider that calls in Twilio's form.
  public static let twilio = Provider(rawValue: "twilio")
}

/// What is expected of a provider that calls in Twilio's form.
public struct TwilioSettings: Sendable {
  /// How a request proves that it comes from the provider.
  public var signature: TwilioSignature
  /// The account; texts of another one are refused. Nil takes any that signs rightly.
  public var accountSID: String?
  /// Our number; texts to another one are refused. Nil takes any.
  public var to: String?

  /// What is expected.
  public init(signature: TwilioSignature, accountSID: String? = nil, to: String? = nil) {
    self.signature = signature
    self.accountSID = accountSID
    self.to = to
  }
}

/// `POST /functions/v1/sms-webhook`: texts in Twilio's form.
public struct TwilioProvider: WebhookProvider {
  private let settings: TwilioSettings?

  /// The provider; nil settings refuse everything.
  public init(_ settings: TwilioSettings?) {
    self.settings = settings
  }

  /// The name under which its texts are kept.
  public var provider: Provider { .twilio }
  /// The path that the provider calls.
  public var path: String { "/functions/v1/sms-webhook" }
  /// How it calls.
  public var methods: Set<WebhookMethod> { [.post] }

  /// Refuses what is no form before its body is read.
  public func check(_ head: WebhookHead) throws(WebhookRefusal) {
    _ = try expected
    guard head.contentType == "application/x-www-form-urlencoded" else {
      throw WebhookRefusal(
        .contentType, "the body has to be application/x-www-form-urlencoded")
    }
  }

  /// Reads a request. What is not signed is not looked at any further.
  public func message(
    of request: WebhookRequest, at wall: WallTime
  ) throws(WebhookRefusal) -> InboundMessage {
    let settings = try expected
    guard let form = FormBody(request.body) else {
      throw WebhookRefusal(.form, "the body is no form")
    }
    guard
      let algorithm = TwilioSignature.Algorithm(
        settings: request.head[TwilioSignature.Algorithm.header])
    else {
      throw WebhookRefusal(
        .signature, "it is signed by an algorithm that is neither HMAC_SHA1 nor HMAC_SHA256")
    }
    guard let signature = request.head["x-twilio-signature"] else {
      throw WebhookRefusal(.signature, "the signature is missing")
    }
    guard
      settings.signature.isValid(signature, parameters: form.parameters, algorithm: algorithm)
    else { throw WebhookRefusal(.signature, "the signature is wrong") }
    guard let id = form["MessageSid"], TwilioProvider.isMessageSID(id),
      let account = form["AccountSid"],
      settings.accountSID == nil || settings.accountSID == account,
      let to = form["To"], settings.to == nil || PhoneNumber(settings.to ?? "") == PhoneNumber(to),
      let from = form["From"], let body = form["Body"]
    else {
      throw WebhookRefusal(
        .parameters,
        "MessageSid, AccountSid, From, To and Body have to be there once, and be ours")
    }
    return InboundMessage(
      provider: .twilio, providerID: id, from: from, to: to, text: body, receivedAt: wall)
  }

  /// An empty document, whatever happened: anything else would be sent on as a text and paid for.
  public func answer(to outcome: WebhookOutcome) -> WebhookAnswer {
    WebhookAnswer(
      status: outcome.status, contentType: "text/xml; charset=utf-8",
      body: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Response/>\n")
  }

  private var expected: TwilioSettings {
    get throws(WebhookRefusal) {
      guard let settings else {
        throw WebhookRefusal(.off, "no provider is configured (central.twilio)")
      }
      return settings
    }
  }

  /// `SM` or `MM`, and 32 hexadecimal digits in small letters.
  private static func isMessageSID(_ text: String) -> Bool {
    (text.hasPrefix("SM") || text.hasPrefix("MM")) && text.utf8.count == 34
      && text.utf8.dropFirst(2).allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
      }
  }
}
