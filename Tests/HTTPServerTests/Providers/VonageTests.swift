import CentralCore
import Crypto
import FoundationEssentials
import Testing
import Time

@testable import HTTPServer

/// A second provider, all of it in this file: texts in the form of Vonage's SMS API, signed by
/// HMAC-SHA256 over the sorted parameters.
struct VonageProvider: WebhookProvider {
  struct Settings: Sendable {
    var secret: String
    var to: String
  }

  let settings: Settings?

  var provider: Provider { "vonage" }
  var path: String { "/sms/vonage" }
  var methods: Set<WebhookMethod> { [.get, .post] }

  func check(_ head: WebhookHead) throws(WebhookRefusal) {
    guard settings != nil else { throw WebhookRefusal(.off, "no provider is configured") }
    guard head.method == .get || head.contentType == "application/x-www-form-urlencoded" else {
      throw WebhookRefusal(.contentType, "the body has to be a form")
    }
  }

  func message(
    of request: WebhookRequest, at wall: WallTime
  ) throws(WebhookRefusal) -> InboundMessage {
    guard let settings else { throw WebhookRefusal(.off, "no provider is configured") }
    guard
      let form = FormBody(
        request.head.method == .get ? Array(request.head.query.utf8) : request.body)
    else { throw WebhookRefusal(.form, "no form") }
    let key = SymmetricKey(data: Array(settings.secret.utf8))
    guard let signature = form["sig"].flatMap(VonageProvider.octets),
      HMAC<SHA256>.isValidAuthenticationCode(
        signature, authenticating: VonageProvider.signed(form.parameters), using: key)
    else { throw WebhookRefusal(.signature, "the signature is missing or wrong") }
    guard let id = form["messageId"], !id.isEmpty, let from = form["msisdn"],
      let text = form["text"],
      let to = form["to"], to == settings.to
    else { throw WebhookRefusal(.parameters, "messageId, msisdn, to and text have to be ours") }
    return InboundMessage(
      provider: provider, providerID: id, from: "+" + from, to: "+" + to, text: text,
      receivedAt: wall)
  }

  /// It asks again for a day until it is told 200.
  func answer(to outcome: WebhookOutcome) -> WebhookAnswer {
    WebhookAnswer(status: outcome.status, contentType: "text/plain", body: "")
  }

  /// `&name=value` of every parameter but the signature, by name, with what separates them made plain.
  static func signed(_ parameters: [(name: String, value: String)]) -> [UInt8] {
    parameters.filter { $0.name != "sig" }.sorted { $0.name < $1.name }.flatMap { parameter in
      let value = parameter.value.utf8.map { byte in
        byte == UInt8(ascii: "&") || byte == UInt8(ascii: "=") ? UInt8(ascii: "_") : byte
      }
      return Array("&\(parameter.name)=".utf8) + value
    }
  }

  /// 64 hexadecimal digits.
  private static func octets(_ text: String) -> [UInt8]? {
    let digits = text.compactMap { $0.isASCII ? $0.hexDigitValue : nil }
    guard digits.count == 64, text.count == 64 else { return nil }
    return stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}

@Suite struct VonageTests: ProviderFixture {
  let provider: any WebhookProvider = VonageProvider(
    settings: VonageProvider.Settings(secret: "secret", to: "15005550006"))
  let unconfigured: any WebhookProvider = VonageProvider(settings: nil)
  let headers = [(name: "Content-Type", value: "application/x-www-form-urlencoded")]

  @Test func itIsAProvider() async throws {
    try await ProviderConformance(fixture: self).run()
  }

  /// The same parameters in the URL are the same text.
  @Test func itMayGet() async throws {
    let bench = try Bench()
    try await bench.route([provider]) { client in
      let query = String(decoding: request(HandedIn()).body, as: UTF8.self)
      let answer = try await client.send(
        "/sms/vonage?\(query)", method: "GET", headers: [], [])
      #expect(answer.status == 200)
    }
    #expect(try bench.store.overview().passages == 1)
  }

  func request(_ handed: HandedIn) -> (
    query: String, headers: [(name: String, value: String)], body: [UInt8]
  ) {
    var text = ProviderText()
    text.parameters = [
      ("msisdn", String(handed.from.dropFirst())),
      ("to", handed.isOurs ? "15005550006" : "15005550007"),
      ("messageId", "0A000000012345\(handed.number)"), ("text", handed.text), ("type", "unicode"),
      ("timestamp", "1709123456"), ("nonce", "aaaaaaaa"),
    ]
    let key = SymmetricKey(data: Array((handed.isGenuine ? "secret" : "other").utf8))
    let code = HMAC<SHA256>.authenticationCode(
      for: VonageProvider.signed(text.parameters), using: key)
    let digits = code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    text.parameters.append(("sig", digits.joined()))
    return ("", [], text.form)
  }
}
