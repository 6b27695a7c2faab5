import CentralCore
import CentralService
import Log
import Passages
import Testing

@testable import HTTPServer

struct WebhookTests {
  let path = "/functions/v1/sms-webhook"
  let empty = "<Response/>"

  @Test func aTextIsOnDiskBeforeTheAnswer() async throws {
    let bench = try Bench()
    try await bench.serve { address in
      let text = ProviderText()
      let answer = try await send(address + path, text.form, signature: text.signature())
      #expect(answer.status == 200)
      #expect(answer.headers["content-type"]?.hasPrefix("text/xml") == true)
      #expect(answer.body.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"))
      #expect(answer.body.contains(empty))
      #expect(!answer.body.contains("<Message"))
      let item = try #require(try bench.store.inboxItem(1))
      #expect(item.provider == "twilio")
      #expect(item.from == "+9779801234567")
      #expect(item.body == "V1|BNP-A|BA1PA1234|CAR|1709123456|4567")
    }
    let passage = try #require(try bench.store.passages(PassageQuery()).first?.passage)
    #expect(passage.clientID.description == "dc136851-5076-5884-95f0-9a051d552b52")
  }

  @Test func aTextWithAZeroInItIsKeptWholeAndIsNoPassage() async throws {
    let bench = try Bench()
    try await bench.route { client in
      let text = ProviderText(body: "V1|BNP-A|BA1PA1234|CAR|1709123456|4567\0 and more")
      let answer = try await client.send(path, text.form, signature: text.signature())
      #expect(answer.status == 200)
    }
    let item = try #require(try bench.store.inboxItem(1))
    #expect(item.state == .undecodable)
    #expect(item.body == "V1|BNP-A|BA1PA1234|CAR|1709123456|4567\u{2400} and more")
    #expect(try bench.store.overview().passages == 0)
  }

  @Test func aChangedTokenCountsFromNowOn() async throws {
    let bench = try Bench()
    try await bench.route([TwilioProvider(nil)]) { client in
      let text = ProviderText()
      let before = try await client.send(path, text.form, signature: text.signature())
      #expect(before.status == 404)
      client.server.change([
        TwilioProvider(
          TwilioSettings(
            signature: TwilioSignature(tokens: [Bench.token], publicURLs: [Bench.url])))
      ])
      let after = try await client.send(path, text.form, signature: text.signature())
      #expect(after.status == 200)
      client.server.change([
        TwilioProvider(
          TwilioSettings(signature: TwilioSignature(tokens: ["other"], publicURLs: [Bench.url])))
      ])
      let late = try await client.send(path, text.form, signature: text.signature())
      #expect(late.status == 403)
    }
  }

  @Test func theSameTextTwiceIsOne() async throws {
    let bench = try Bench()
    try await bench.route { client in
      let text = ProviderText()
      for _ in 0..<3 {
        let answer = try await client.send(path, text.form, signature: text.signature())
        #expect(answer.status == 200)
      }
      // The same passage under another number of the provider's.
      let other = ProviderText(sid: 7)
      let answer = try await client.send(path, other.form, signature: other.signature())
      #expect(answer.status == 200)
    }
    let overview = try bench.store.overview()
    #expect(overview.received == 2)
    #expect(overview.passages == 1)
    #expect(overview.duplicates == 1)
  }

  @Test func whatIsNoPassageIsTakenAndKept() async throws {
    let bench = try Bench()
    try await bench.route { client in
      for (sid, body) in ["STOP", "", "V1|¡|नमस्ते & = + %", " V1|x "].enumerated() {
        let text = ProviderText(body: body, sid: sid)
        let answer = try await client.send(path, text.form, signature: text.signature())
        #expect(answer.status == 200)
        #expect(answer.body.contains(empty))
      }
    }
    #expect(try bench.store.overview().undecodable == 4)
    // Byte for byte as it came, white space with it.
    #expect(try bench.store.inboxItem(3)?.body == "V1|¡|नमस्ते & = + %")
    #expect(try bench.store.inboxItem(4)?.body == " V1|x ")
  }

  @Test func whatIsNotSignedIsRefused() async throws {
    let bench = try Bench()
    try await bench.route { client in
      let text = ProviderText()
      let wrong: [String?] = [
        nil, "", "x", text.signature(token: "other"),
        text.signature(url: "http://127.0.0.1" + path),
        ProviderText(body: "other").signature(),
      ]
      for signature in wrong {
        let answer = try await client.send(path, text.form, signature: signature)
        #expect(answer.status == 403)
        #expect(!answer.body.contains("<Message"))
      }
    }
    #expect(try bench.store.overview().received == 0)
    #expect(bench.log.counts["webhook_signature"] == 6)
  }

  /// The signed text has no boundaries between names and values, so the names are checked too.
  @Test func whatIsNotOursIsRefusedThoughItIsSigned() async throws {
    let bench = try Bench()
    try await bench.route { client in
      let changes: [(String, String?)] = [
        ("AccountSid", "AC" + String(repeating: "b", count: 32)), ("AccountSid", nil),
        ("To", "+15005550007"), ("To", nil), ("From", nil), ("Body", nil), ("MessageSid", nil),
        ("MessageSid", "SM1"), ("MessageSid", "SM" + String(repeating: "G", count: 32)),
        ("MessageSid", "XX" + String(repeating: "0", count: 32)),
      ]
      for (name, value) in changes {
        var text = ProviderText()
        text.set(name, value)
        let answer = try await client.send(path, text.form, signature: text.signature())
        #expect(answer.status == 403, "\(name) \(value ?? "missing")")
      }
      var twice = ProviderText()
      twice.parameters.append(("Body", "another"))
      let answer = try await client.send(path, twice.form, signature: twice.signature())
      #expect(answer.status == 403)
    }
    #expect(try bench.store.overview().received == 0)
  }

  @Test func theNumberOfOursMayBeWrittenInAnyWay() async throws {
    let bench = try Bench()
    let twilio = TwilioSettings(
      signature: TwilioSignature(tokens: [Bench.token], publicURLs: [Bench.url]),
      to: "+1 500 555 0006")
    try await bench.route([TwilioProvider(twilio)]) { client in
      let text = ProviderText()
      let answer = try await client.send(path, text.form, signature: text.signature())
      #expect(answer.status == 200)
    }
  }

  @Test func whatIsNoFormIsRefused() async throws {
    let bench = try Bench()
    try await bench.route { client in
      let text = ProviderText()
      for type in ["application/json", "text/plain", "multipart/form-data", nil] {
        let answer = try await client.send(
          path, text.form, contentType: type, signature: text.signature())
        #expect(answer.status == 415)
      }
      let upper = try await client.send(
        path, text.form,
        contentType: "Application/X-WWW-Form-URLEncoded; charset=UTF-8",
        signature: text.signature())
      #expect(upper.status == 200)
      for body in ["a=%", "a=%4", "a=%zz", "a=%FF", "%C3=1"] {
        let answer = try await client.send(
          path, Array(body.utf8), signature: text.signature())
        #expect(answer.status == 400, "\(body)")
      }
      let many = (0..<100).map { "p\($0)=1" }.joined(separator: "&")
      let answer = try await client.send(path, Array(many.utf8), signature: "x")
      #expect(answer.status == 400)
    }
  }

  /// A body that never comes does not hold its connection for ever; what came is not taken.
  @Test func aBodyThatDoesNotComeIsNotWaitedFor() async throws {
    let bench = try Bench()
    try await bench.serve(twilio: .expected, bounds: ConnectionBounds()) { address, _ in
      let text = ProviderText()
      await #expect(throws: (any Error).self) {
        _ = try await send(
          address + path, text.form, signature: text.signature(), declaring: 4_000)
      }
      let answer = try await send(address + "/healthz")
      #expect(answer.status == 200)
    }
    #expect(try bench.store.overview().received == 0)
  }

  @Test func aBodyThatIsTooLargeIsRefused() async throws {
    let bench = try Bench()
    try await bench.serve { address in
      let large = Array("Body=".utf8) + Array(repeating: UInt8(ascii: "x"), count: 20_000)
      let refused = try await send(address + path, large, signature: "x")
      #expect(refused.status == 413)
      let text = ProviderText(body: String(repeating: "x", count: 1_600))
      let answer = try await send(address + path, text.form, signature: text.signature())
      #expect(answer.status == 200)
    }
  }

  /// The provider then asks its fallback URL; with 200 the text would be lost.
  @Test func whatCannotBeKeptIsNotTaken() async throws {
    let bench = try Bench()
    try await bench.route { client in
      try bench.store.close()
      let text = ProviderText()
      for _ in 0..<2 {
        let answer = try await client.send(path, text.form, signature: text.signature())
        #expect(answer.status == 503)
        #expect(answer.headers["retry-after"].flatMap { Int($0) } ?? 0 > 0)
      }
    }
  }

  @Test func withoutAProviderNothingIsTaken() async throws {
    let bench = try Bench()
    try await bench.route([TwilioProvider(nil)]) { client in
      let text = ProviderText()
      let answer = try await client.send(path, text.form, signature: text.signature())
      #expect(answer.status == 404)
    }
    #expect(try bench.store.overview().received == 0)
  }

  @Test func aFloodOfRefusalsFillsNoLog() async throws {
    let bench = try Bench()
    try await bench.route { client in
      for _ in 0..<30 {
        let answer = try await client.send(path, ProviderText().form)
        #expect(answer.status == 403)
      }
    }
    #expect(bench.log.counts["webhook_signature"] == 10)
    #expect(bench.log.recent.count == 10)
  }

  @Test func nothingPersonalIsLogged() async throws {
    let bench = try Bench()
    try await bench.route { client in
      var foreign = ProviderText()
      foreign.set("To", "+15005550007")
      _ = try await client.send(path, foreign.form, signature: foreign.signature())
      _ = try await client.send(path, foreign.form, signature: "wrong")
    }
    let words = bench.log.recent.map { "\($0)" }.joined()
    #expect(bench.log.recent.count == 2)
    for personal in ["9779801234567", "BA1PA1234", "5005550007", Bench.token] {
      #expect(!words.contains(personal))
    }
  }

  @Test func manyAtOnceAreAllTaken() async throws {
    let bench = try Bench()
    try await bench.serve { address in
      try await withThrowingTaskGroup(of: Int.self) { group in
        for sid in 0..<100 {
          let text = ProviderText(
            body: "V1|BNP-A|BA1PA\(1_000 + sid)|CAR|\(1_709_123_000 + sid)|4567", sid: sid)
          group.addTask {
            try await send(address + path, text.form, signature: text.signature()).status
          }
        }
        for try await status in group { #expect(status == 200) }
      }
    }
    #expect(try bench.store.overview().passages == 100)
  }

  @Test(arguments: ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])
  func anotherMethodIsToldWhichOneIsTaken(method: String) async throws {
    let bench = try Bench()
    try await bench.route { client in
      let answer = try await client.send(path, method: method, headers: [], [])
      #expect(answer.status == 405)
      #expect(answer.headers["allow"] == "POST")
      #expect(method == "HEAD" ? answer.body.isEmpty : answer.body.contains(empty))
    }
    #expect(bench.log.counts["webhook_method"] == 1)
  }

  @Test func theStrongerHashIsTakenWhereTheHeaderAsksForIt() async throws {
    let bench = try Bench()
    try await bench.route { client in
      let text = ProviderText()
      let name = "X-Twilio-Webhooks-Signature-Settings"
      let stronger = TwilioSignature.sign(
        url: Bench.url, parameters: text.parameters, token: Bench.token, algorithm: .sha256)
      for (signature, settings, status) in [
        (stronger, "key=k1,algorithm=HMAC_SHA256", 200),
        (text.signature(), "key=k1,algorithm=HMAC_SHA1", 200), (stronger, "", 403),
        (text.signature(), "key=k1,algorithm=HMAC_SHA256", 403),
        (stronger, "key=k1,algorithm=HMAC_SHA512", 403),
      ] {
        let answer = try await client.send(
          path, method: "POST",
          headers: [
            ("Content-Type", "application/x-www-form-urlencoded"),
            ("X-Twilio-Signature", signature), (name, settings),
          ], text.form)
        #expect(answer.status == status, "\(settings)")
      }
    }
  }

  /// The operator of central is told why nothing comes, until something does.
  @Test func whatIsRefusedForOneReasonIsKnownUntilATextIsTaken() async throws {
    let bench = try Bench()
    try await bench.route { client in
      #expect(bench.central.webhookTallies.isEmpty)
      let text = ProviderText()
      _ = try await client.send(path, method: "GET", headers: [], [])
      for _ in 0..<3 { _ = try await client.send(path, text.form, signature: "x") }
      let fact = try #require(bench.central.webhookTallies.first)
      #expect(fact.path == path && fact.kind == .signature && fact.count == 3)
      #expect(fact.words == "the signature is wrong" && fact.since == Bench.wall)
      #expect(fact.last == Bench.wall)
      let taken = try await client.send(path, text.form, signature: text.signature())
      #expect(taken.status == 200)
      #expect(bench.central.webhookTallies.isEmpty)
    }
  }
}
