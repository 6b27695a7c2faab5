import GSM
import ModemModel
import SeededRandom
import Testing
import Time

@Suite struct RandomBytesTests {
  private static let words = [
    "AT", "+CMGS=", "+CMGS=\"", "+CMGF=1", "+CMGF=0", "+CMGW=", "+CMGR=", "+CMGL=", "+CMGD=",
    "+CNMI=", "+CNMA=1,", "+CSMS=1", "+CPMS=\"SM\"", "+CSCS=\"", "UCS2\"", "HEX\"", "+CSMP=",
    "+CFUN=1,1", "+CPIN=\"", "+COPS=", "+CUSD=1,\"", "+CLCK=\"SC\",", "+CCLK=\"", "=?", "?", ";",
    ",", "\"", "\r", "\r", "\r", "\u{1A}", "\u{1B}", "1", "99999999999999999999", "-1", "0791",
    "A/",
    "+CMSS=1,\"+977\"", "+CSCA=\"+1\",300", "S3=", "&F", "E1", "V0", "\n", "é", "\0",
  ]

  @Test("Whatever is typed, the modem answers or waits, and lives", arguments: 0..<200)
  func random(_ seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var bench = Bench {
      $0.profile = ModemProfile.named[Int(seed) % ModemProfile.named.count].profile
      $0.pin = seed % 5 == 0 ? "1234" : nil
      $0.commandDelay = .milliseconds(Int64(seed % 3) * 10)
    }
    for _ in 0..<150 {
      switch Int.random(in: 0..<12, using: &generator) {
      case 0:
        let count = Int.random(in: 0..<40, using: &generator)
        _ = bench.raw((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
      case 1: _ = bench.wait(.milliseconds(Int64.random(in: 0...2_000, using: &generator)))
      case 2: _ = bench.deliver(try Bench.message("नमस्ते"))
      case 3: _ = bench.deliver(try Bench.report())
      case 4:
        let fault = FaultTextTests.named.randomElement(using: &generator)?.1
        _ = bench.inject(try #require(fault))
      case 5: _ = bench.inject(.healed)
      default:
        let word = RandomBytesTests.words.randomElement(using: &generator) ?? ""
        _ = bench.raw([UInt8](word.utf8))
      }
    }
    // A person can always get it back.
    _ = bench.inject(.healed)
    _ = bench.wait(.seconds(100))
    _ = bench.raw([0x1B])
    _ = bench.raw([0x0D])
    _ = bench.inject(.restart)
    _ = bench.wait(.seconds(100))
    _ = bench.type("ATE0")
    _ = bench.wait(.seconds(100))
    // What wakes one that sleeps is lost.
    let said =
      bench.type("AT") + bench.wait(.seconds(1)) + bench.type("AT") + bench.wait(.seconds(1))
    #expect(said.contains("OK"), "seed \(seed): \(said)")
  }

  @Test("The same bytes give the same answers", arguments: [UInt64](0..<10))
  func deterministic(_ seed: UInt64) {
    func course() -> [String] {
      var generator = SplitMix64(seed: seed)
      var bench = Bench()
      return (0..<200).map { _ in
        let word = RandomBytesTests.words.randomElement(using: &generator) ?? ""
        return bench.raw([UInt8](word.utf8))
      }
    }
    #expect(course() == course())
  }
}
