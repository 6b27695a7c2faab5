import CentralCore
import Testing

@testable import HTTPServer

/// A provider that had no answer in time hands the same text in again, at the same URL or at the fallback one. Both
/// lead here, and the URL that was signed is told by the settings alone.
@Suite struct FallbackTests {
  private static let path = "/functions/v1/sms-webhook"
  private static let fallback = "https://fallback.example.net/sms/twilio?by=fallback"

  /// What is expected where a fallback URL is configured, too.
  private static let both = TwilioSettings(
    signature: TwilioSignature(tokens: [Bench.token], publicURLs: [Bench.url, fallback]),
    accountSID: Bench.account, to: "+15005550006")

  /// The text as it comes to the fallback URL: with what went wrong at the other one.
  private static func again(_ text: ProviderText) -> ProviderText {
    var text = text
    text.set("ErrorCode", "11200")
    text.set("ErrorUrl", Bench.url)
    return text
  }

  @Test func aTextThatComesToBothURLsIsThereOnce() async throws {
    let bench = try Bench()
    try await bench.route([TwilioProvider(Self.both)]) { client in
      let first = ProviderText()
      let second = Self.again(first)
      for _ in 0..<2 {
        let primary = try await client.send(
          Self.path, first.form, signature: first.signature(url: Bench.url))
        #expect(primary.status == 200)
        let fallback = try await client.send(
          Self.path + "?by=fallback", second.form,
          signature: second.signature(url: Self.fallback))
        #expect(fallback.status == 200)
      }
    }
    try isThereOnce(bench, times: 4)
  }

  /// The one that was first had no answer yet when the second came.
  @Test func aTextThatComesToBothURLsAtOnceIsThereOnce() async throws {
    let bench = try Bench()
    try await bench.serve(twilio: Self.both) { address, _ in
      let first = ProviderText()
      let second = Self.again(first)
      let (one, other) = (first.signature(url: Bench.url), second.signature(url: Self.fallback))
      async let primary = send(address + Self.path, first.form, signature: one)
      async let fallback = send(
        address + Self.path + "?by=fallback", second.form, signature: other)
      let answers = try await [primary, fallback]
      #expect(answers.map(\.status) == [200, 200])
    }
    try isThereOnce(bench, times: 2)
  }

  /// Tried again at the same URL, with whatever the provider adds to say so.
  @Test func aTextThatIsTriedAgainIsThereOnce() async throws {
    let bench = try Bench()
    try await bench.route { client in
      let text = ProviderText()
      for attempt in 0..<3 {
        let answer = try await client.send(
          attempt == 0 ? Self.path : "\(Self.path)?attempt=\(attempt)", method: "POST",
          headers: [
            ("Content-Type", "application/x-www-form-urlencoded"),
            ("X-Twilio-Signature", text.signature()),
            ("I-Twilio-Idempotency-Token", "4a3ae2a0-\(attempt)"),
          ], text.form)
        #expect(answer.status == 200)
      }
    }
    try isThereOnce(bench, times: 3)
  }

  /// A fallback URL that is not in the settings is as good as a forged one.
  @Test func anotherURLIsRefused() async throws {
    let bench = try Bench()
    try await bench.route { client in
      let text = Self.again(ProviderText())
      let answer = try await client.send(
        Self.path + "?by=fallback", text.form, signature: text.signature(url: Self.fallback))
      #expect(answer.status == 403)
    }
    #expect(try bench.store.overview().received == 0)
  }

  private func isThereOnce(_ bench: Bench, times: Int) throws {
    let overview = try bench.store.overview()
    #expect(overview.received == 1)
    #expect(overview.passages == 1)
    #expect(try bench.store.inbox().map(\.timesReceived) == [times])
  }
}
