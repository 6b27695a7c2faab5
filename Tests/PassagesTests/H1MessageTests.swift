import Passages
import SeededRandom
import Testing

@Suite struct H1MessageTests {
  private static let good = "H1|BNP-A|1234|1709123456|12|300"

  @Test func readsEachField() throws {
    let message = try H1Message.decode(H1MessageTests.good)
    #expect(message.checkpost.code == "BNP-A")
    #expect(message.lastNumber == 1_234)
    #expect(message.syncedThrough == 1_709_123_456)
    #expect(message.waiting == 12)
    #expect(message.texted == 300)
    #expect(message.body == H1MessageTests.good)
    #expect(try H1Message.decode("H1|A|0|-|0|0").syncedThrough == nil)
  }

  @Test(arguments: [
    ("", "version"), ("hello", "version"), ("H2|BNP-A|1", "version"), ("H1", "field_count"),
    ("V1|BNP-A|BA1PA1234|CAR|1709123456|9801", "version"),
    ("H1|BNP-A|1234|1709123456|12", "field_count"),
    ("H1|BNP-A|1234|1709123456|12|300|", "field_count"),
    ("H1||1234|1709123456|12|300", "checkpost"), ("H1|BNP_A|1234|1709123456|12|300", "checkpost"),
    ("H1|BNP-A|-1|1709123456|12|300", "last_number"),
    ("H1|BNP-A|01|1709123456|12|300", "last_number"),
    ("H1|BNP-A||1709123456|12|300", "last_number"),
    ("H1|BNP-A|1000000000000|1709123456|12|300", "last_number"),
    ("H1|BNP-A|1|1709123456000|12|300", "synced_through"),
    ("H1|BNP-A|1|0709123456|12|300", "synced_through"),
    ("H1|BNP-A|1||12|300", "synced_through"),
    ("H1|BNP-A|1|1709123456|x|300", "waiting"),
    ("H1|BNP-A|1|1709123456|12|\u{0967}", "texted"),
  ])
  func namesTheFieldThatIsWrong(_ text: String, _ field: String) {
    let error = #expect(throws: H1Error.self) { try H1Message.decode(text) }
    #expect(error?.code == field)
    #expect(error?.message.isEmpty == false)
  }

  @Test func whatIsTooLongIsNotLookedAt() {
    let text = String(repeating: " ", count: 600) + H1MessageTests.good
    #expect(throws: H1Error.tooLong(text.utf8.count)) { try H1Message.decode(text) }
    #expect(!H1Message.isMeant(by: text))
  }

  @Test func aWornTextIsPutRight() throws {
    #expect(
      try H1Message.decode(" h1¡bnp-a ¡1234¡ 1709123456¡12¡300\n").body == H1MessageTests.good)
  }

  /// Whatever a post can say comes back as it was said, in one text of the default alphabet.
  @Test func whatIsSaidComesBack() throws {
    var random = SplitMix64(seed: 11)
    let letters = Array("ABCXYZ019-")
    for _ in 0..<2_000 {
      let code = String(
        (0..<Int.random(in: 1...10, using: &random)).map { _ in
          letters[Int.random(in: 0..<letters.count, using: &random)]
        })
      func count() -> Int64 {
        Int64.random(in: 0...999_999_999_999, using: &random)
          >> Int64.random(in: 0...40, using: &random)
      }
      let message = try H1Message(
        checkpost: try CheckpostCode(code), lastNumber: count(),
        syncedThrough: Bool.random(using: &random)
          ? Int64.random(in: 1_000_000_000...9_999_999_999, using: &random) : nil,
        waiting: count(), texted: count())
      #expect(try H1Message.decode(message.body) == message)
      #expect(message.body.utf8.count <= 61)
      #expect(message.body.utf8.allSatisfy { $0 < 0x80 })
      #expect(H1Message.isMeant(by: message.body))
      #expect(throws: V1Error.self) { try V1Message.decode(message.body, window: nil) }
    }
  }

  /// One byte changed is read as another heartbeat that says itself again, or told to be wrong.
  @Test func whatIsBrokenIsToldOrSaysItselfAgain() throws {
    var random = SplitMix64(seed: 12)
    var refused = 0
    for _ in 0..<4_000 {
      var bytes = Array(H1MessageTests.good.utf8)
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
        in: 0...127, using: &random)
      let text = String(decoding: bytes, as: UTF8.self)
      do {
        let message = try H1Message.decode(text)
        #expect(try H1Message.decode(message.body) == message)
      } catch {
        refused += 1
        #expect(!error.message.isEmpty)
      }
    }
    #expect(refused > 0)
  }

  @Test func aValueThatCannotBeSaidIsRefused() throws {
    let post = try CheckpostCode("A")
    #expect(throws: H1Error.lastNumber("-1")) {
      try H1Message(checkpost: post, lastNumber: -1, syncedThrough: nil, waiting: 0, texted: 0)
    }
    #expect(throws: H1Error.syncedThrough("0")) {
      try H1Message(checkpost: post, lastNumber: 0, syncedThrough: 0, waiting: 0, texted: 0)
    }
  }
}
