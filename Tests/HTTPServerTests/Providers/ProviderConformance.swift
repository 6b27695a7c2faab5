import CentralCore
import Log
import Testing
import Time

@testable import HTTPServer

/// A text that a provider hands in.
struct HandedIn: Sendable {
  var number = 1
  var from = "+9779801234567"
  var text = "V1|BNP-A|BA1PA1234|CAR|1709123456|4567"
  /// Whether it goes to our number, and not to another one.
  var isOurs = true
  /// Whether it is signed with our secret, and not with another one.
  var isGenuine = true
}

/// A provider and what only the provider itself can do, so that the suite can be run against it.
protocol ProviderFixture: Sendable {
  /// The provider, which expects our secret, and texts to our number.
  var provider: any WebhookProvider { get }
  /// The provider without a configuration.
  var unconfigured: any WebhookProvider { get }
  /// The headers that a request has in any case.
  var headers: [(name: String, value: String)] { get }

  /// A request as the provider sends it: the query, further headers and the body.
  func request(_ text: HandedIn) -> (
    query: String, headers: [(name: String, value: String)], body: [UInt8]
  )
}

extension ProviderFixture {
  func webhookRequest(_ text: HandedIn) -> WebhookRequest {
    let (query, headers, body) = request(text)
    return WebhookRequest(
      head: WebhookHead(method: .post, query: query, headers: self.headers + headers), body: body)
  }
}

/// What every ``WebhookProvider`` has to hold. A provider's own tests make a fixture and call ``run()``.
struct ProviderConformance {
  let fixture: any ProviderFixture
  let wall = WallTime(epochSeconds: 1_709_123_500)

  func run() async throws {
    names()
    try texts()
    try identities()
    forgeries()
    nonsense()
    unread()
    answers()
    try await everyByteCounts()
    try await throughTheServer()
  }

  private func outcome(
    _ request: WebhookRequest
  ) -> Result<InboundMessage, WebhookRefusal> {
    do throws(WebhookRefusal) {
      try fixture.provider.check(request.head)
      return .success(try fixture.provider.message(of: request, at: wall))
    } catch {
      return .failure(error)
    }
  }

  private func refusal(_ request: WebhookRequest) -> WebhookRefusal.Kind? {
    if case .failure(let refusal) = outcome(request) { refusal.kind } else { nil }
  }

  /// Names stand in the database and in scripts.
  private func names() {
    let name = fixture.provider.provider.rawValue
    #expect(name.wholeMatch(of: /[a-z][a-z0-9_]{0,31}/) != nil, "\(name)")
    #expect(name != Provider.modem.rawValue)
    #expect(fixture.provider.path.wholeMatch(of: /(\/[a-z0-9_-]+)+/) != nil)
    #expect(!fixture.provider.methods.isEmpty)
    #expect(fixture.unconfigured.provider.rawValue == name)
    #expect(fixture.unconfigured.path == fixture.provider.path)
    #expect(fixture.unconfigured.methods == fixture.provider.methods)
  }

  /// A text is handed on as it was written.
  private func texts() throws {
    for text in [
      HandedIn().text, "", " ", " V1|x ", "a+b%20c", "नमस्ते & = + % é e\u{301}", "a\nb\r\nc\0d",
      String(repeating: "x", count: 1_600),
    ] {
      let message = try outcome(fixture.webhookRequest(HandedIn(text: text))).get()
      #expect(message.content == .text(text))
      #expect(message.provider == fixture.provider.provider)
      #expect(PhoneNumber(message.from) == PhoneNumber(HandedIn().from))
      #expect(message.receivedAt == wall)
    }
  }

  /// The same text handed in again is the same, and another one is another.
  private func identities() throws {
    var identities: Set<String> = []
    for number in 1...3 {
      for _ in 1...2 {
        let message = try outcome(fixture.webhookRequest(HandedIn(number: number))).get()
        #expect(!message.providerID.isEmpty)
        identities.insert(message.providerID)
      }
    }
    #expect(identities.count == 3)
  }

  /// Only the provider can hand a text in, and only one that is meant for us.
  private func forgeries() {
    #expect(refusal(fixture.webhookRequest(HandedIn(isGenuine: false))) == .signature)
    #expect(refusal(fixture.webhookRequest(HandedIn(isOurs: false))) == .parameters)
    let genuine = fixture.webhookRequest(HandedIn())
    let original = outcome(genuine)
    for index in genuine.body.indices {
      for bit in [UInt8(1), 2, 16, 128] {
        var forged = genuine
        forged.body[index] ^= bit
        if case .success = outcome(forged) { #expect(outcome(forged) == original, "at \(index)") }
      }
      var cut = genuine
      cut.body.removeSubrange(index...)
      if case .success = outcome(cut) { #expect(outcome(cut) == original, "up to \(index)") }
    }
    let unsigned = WebhookRequest(
      head: WebhookHead(method: .post, headers: fixture.headers), body: genuine.body)
    if unsigned != genuine { #expect(refusal(unsigned) == .signature) }
  }

  /// Whatever is sent is refused.
  private func nonsense() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      let count = Int.random(in: 0...300, using: &generator)
      let letters = Array("abMessageSidsigtext=&&==%+%zz%00\0\u{FF}".utf8)
      let body = (0..<count).map { _ in letters.randomElement(using: &generator) ?? 0 }
      let head = WebhookHead(
        method: .post, query: String(decoding: body, as: UTF8.self),
        headers: fixture.headers + [("x-twilio-signature", String(decoding: body, as: UTF8.self))])
      #expect(refusal(WebhookRequest(head: head, body: body)) != nil)
    }
  }

  /// What is of another kind, or not expected at all, is refused before its body is read.
  private func unread() {
    for type in ["", "text/html", "multipart/form-data; boundary=x"] {
      let head = WebhookHead(method: .post, headers: [("Content-Type", type)])
      #expect(throws: WebhookRefusal.self) { try fixture.provider.check(head) }
    }
    let head = fixture.webhookRequest(HandedIn()).head
    do throws(WebhookRefusal) {
      try fixture.unconfigured.check(head)
      Issue.record("nothing is configured")
    } catch {
      #expect(error.kind == .off)
    }
  }

  /// The provider learns whether the text is safe, and has nothing to send back.
  private func answers() {
    let refused = WebhookRefusal.Kind.allCases.map { WebhookOutcome.refused($0) }
    for outcome in refused + [.kept, .tooSlow] {
      let answer = fixture.provider.answer(to: outcome)
      #expect((200..<300).contains(answer.status) == (outcome == .kept), "\(outcome)")
      #expect(answer.body == fixture.provider.answer(to: .kept).body, "\(outcome)")
    }
    // What can be kept later is asked for again.
    #expect(fixture.provider.answer(to: .refused(.storage)).status >= 500)
  }

  private func throughTheServer() async throws {
    let bench = try Bench()
    let path = fixture.provider.path
    try await bench.route([fixture.provider]) { client in
      func status(_ text: HandedIn) async throws -> Int {
        let (query, headers, body) = fixture.request(text)
        return try await client.send(
          query.isEmpty ? path : "\(path)?\(query)", method: "POST",
          headers: fixture.headers + headers, body
        ).status
      }
      for number in [1, 2, 1] {
        #expect((200..<300).contains(try await status(HandedIn(number: number))))
      }
      #expect(try await status(HandedIn(number: 3, isGenuine: false)) >= 400)
      #expect(try bench.store.overview().received == 2)
      #expect(try bench.store.overview().passages == 1)
      #expect(try bench.store.inboxItem(1)?.provider == fixture.provider.provider.rawValue)
      client.server.change([fixture.unconfigured])
      #expect(try await status(HandedIn(number: 4)) == 404)
      client.server.change([fixture.provider])
      try bench.store.close()
      #expect(try await status(HandedIn(number: 5)) >= 500)
    }
    for personal in ["9779801234567", "BA1PA1234"] {
      #expect(!bench.log.recent.contains { "\($0)".contains(personal) })
    }
  }
}
