import CentralCore
import CentralService
import Hummingbird
import Operations
import Synchronization
import Time

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

/// What is expected of the provider now: it changes when the configuration is read again.
final class ExpectedProvider: Sendable {
  private let held: Mutex<TwilioSettings?>

  init(_ settings: TwilioSettings?) {
    held = Mutex(settings)
  }

  var settings: TwilioSettings? {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }
}

/// `POST /functions/v1/sms-webhook`: a text that a provider hands in.
struct TwilioWebhook: Sendable {
  let expected: ExpectedProvider
  let central: CentralService
  let clocks: any Clocks
  let refusals: RefusalLog

  /// The answer that sends no text back: an empty document. Anything else would be paid for.
  private static let empty = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Response/>\n"

  private static let signatureHeader = HTTPFields.Element.Name("X-Twilio-Signature")

  func handle(_ request: Request) async -> Response {
    guard let settings = expected.settings else {
      return refuse(.notFound, "webhook_off", "no provider is configured (central.twilio)")
    }
    let form: FormBody
    switch await body(of: request) {
    case .success(let read): form = read
    case .failure(let refusal): return refuse(refusal.status, refusal.code, refusal.words)
    case nil: return answer(.requestTimeout, TwilioWebhook.empty)
    }
    // What is not signed is not looked at any further.
    guard let signature = TwilioWebhook.signatureHeader.flatMap({ request.headers[$0] }),
      settings.signature.isValid(signature, parameters: form.parameters)
    else {
      return refuse(.forbidden, "webhook_signature", "the signature is missing or wrong")
    }
    guard let message = message(form, settings) else {
      return refuse(
        .forbidden, "webhook_parameters",
        "MessageSid, AccountSid, From, To and Body have to be there once, and be ours")
    }
    switch await central.submit(message) {
    case .success: return answer(.ok, TwilioWebhook.empty)
    case .failure, nil:
      var response = refuse(
        .serviceUnavailable, "webhook_storage", "the text could not be kept; try again")
      response.headers[.retryAfter] = "30"
      return response
    }
  }

  private struct Refusal: Error {
    var status: HTTPResponse.Status
    var code: String
    var words: String
  }

  /// Reads the body; nil when the connection was closed for it.
  private func body(of request: Request) async -> Result<FormBody, Refusal>? {
    let type = request.headers[.contentType] ?? ""
    guard type.prefix(while: { $0 != ";" }).lowercased() == "application/x-www-form-urlencoded"
    else {
      return .failure(
        Refusal(
          status: .unsupportedMediaType, code: "webhook_type",
          words: "the body has to be application/x-www-form-urlencoded"))
    }
    do {
      let buffer = try await request.body.collect(upTo: Limits.bodyBytes)
      guard let form = FormBody(buffer.readableBytesView) else {
        return .failure(
          Refusal(status: .badRequest, code: "webhook_form", words: "the body is no form"))
      }
      return .success(form)
    } catch ConnectionFault.tooSlow {
      return nil
    } catch {
      return .failure(
        Refusal(
          status: .contentTooLarge, code: "webhook_body", words: "the body cannot be read whole"))
    }
  }

  private func message(_ form: FormBody, _ settings: TwilioSettings) -> InboundMessage? {
    guard let id = form["MessageSid"], TwilioWebhook.isMessageSID(id),
      let account = form["AccountSid"],
      settings.accountSID == nil || settings.accountSID == account,
      let to = form["To"], settings.to == nil || PhoneNumber(settings.to ?? "") == PhoneNumber(to),
      let from = form["From"], let body = form["Body"]
    else { return nil }
    return InboundMessage(
      provider: .twilio, providerID: id, from: from, to: to, text: body,
      receivedAt: clocks.wall())
  }

  /// `SM` or `MM`, and 32 hexadecimal digits in small letters.
  private static func isMessageSID(_ text: String) -> Bool {
    (text.hasPrefix("SM") || text.hasPrefix("MM")) && text.utf8.count == 34
      && text.utf8.dropFirst(2).allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
      }
  }

  private func refuse(_ status: HTTPResponse.Status, _ code: String, _ words: String) -> Response {
    refusals.record(
      code, status == .serviceUnavailable ? .error : .warning, "answered \(status.code): \(words)")
    // An empty document here too: words would be sent on as a text to whoever sent this.
    return answer(status, TwilioWebhook.empty)
  }

  private func answer(_ status: HTTPResponse.Status, _ text: String) -> Response {
    Response(
      status: status, headers: [.contentType: "text/xml; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
