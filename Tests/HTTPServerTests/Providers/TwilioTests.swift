import CentralCore
import HTTPServer
import Testing

/// Twilio's form against the suite of every provider.
@Suite struct TwilioTests: ProviderFixture {
  let provider: any WebhookProvider = TwilioProvider(.expected)
  let unconfigured: any WebhookProvider = TwilioProvider(nil)
  let headers = [(name: "Content-Type", value: "application/x-www-form-urlencoded")]

  @Test func itIsAProvider() async throws {
    try await ProviderConformance(fixture: self).run()
  }

  func request(_ handed: HandedIn) -> (
    query: String, headers: [(name: String, value: String)], body: [UInt8]
  ) {
    var text = ProviderText(body: handed.text, sid: handed.number)
    text.set("From", handed.from)
    if !handed.isOurs { text.set("To", "+15005550007") }
    let signature = text.signature(token: handed.isGenuine ? Bench.token : "other")
    return ("", [("X-Twilio-Signature", signature)], text.form)
  }
}
