import GSM
import ModemModel
import Testing
import Time

/// What a driver sees of each maker on the line.
@Suite struct ProfileTests {
  private func bench(_ profile: ModemProfile) -> Bench {
    Bench { $0.profile = profile }
  }

  @Test("Every maker's modem sends and receives", arguments: ModemProfile.named.map(\.name))
  func everyOneWorks(name: String) throws {
    let profile = try #require(ModemProfile.named.first { $0.name == name }?.profile)
    var bench = bench(profile)
    #expect(bench.type("AT+CGMI").contains(profile.manufacturer))
    #expect(bench.type("AT+CNMI=2,1,0,0,0").contains("OK"))
    let pdu = try Bench.pdu("x")
    #expect(bench.type("AT+CMGS=\(pdu.length)").contains(">"))
    #expect(bench.body(pdu.hex).contains("+CMGS: 0"))
    let place = profile.firstPlace
    #expect(try bench.deliver(Bench.message("hello")).said.contains("+CMTI: \"SM\",\(place)"))
    #expect(bench.type("AT+CMGL=4").contains("+CMGL: \(place),0,\(profile.listAlpha),"))
    #expect(bench.type("AT+CMGD=\(place)").contains("OK"))
    #expect(bench.type("AT+CMGR=\(place)").contains("+CMS ERROR: 321"))
  }

  @Test("Noise stops where a command stops it", arguments: ModemProfile.named.map(\.name))
  func noise(name: String) throws {
    let profile = try #require(ModemProfile.named.first { $0.name == name }?.profile)
    var bench = bench(profile)
    _ = bench.inject(.noise)
    let said = bench.type("AT+CSQ")
    for line in profile.noise { #expect(said.contains(line)) }
    guard let quieted = profile.quietedBy else { return }
    #expect(bench.type("AT" + quieted).contains("OK"))
    #expect(!bench.type("AT+CSQ").contains(try #require(profile.noise.first)))
    _ = bench.inject(.restart)
    _ = bench.type("ATE0")
    #expect(bench.type("AT+CSQ").contains(try #require(profile.noise.first)))
  }

  @Test func nothingIsReadyBeforeThePIN() {
    var bench = Bench {
      $0.profile = .simcom
      $0.pin = "1234"
    }
    let started = bench.inject(.restart)
    #expect(started == "\r\nRDY\r\n\r\n+CFUN: 1\r\n\r\n+CPIN: SIM PIN\r\n")
    _ = bench.type("ATE0")
    #expect(bench.type("AT+CPIN=\"1234\"") == ok() + "\r\nCall Ready\r\n\r\nSMS Ready\r\n")
    var missing = Bench {
      $0.profile = .quectel
      $0.hasSIM = false
    }
    let said = missing.inject(.restart)
    #expect(said.contains("+CPIN: NOT INSERTED"))
    #expect(!said.contains("SMS DONE"))
  }

  @Test func whatWakesASleepingModemIsLost() {
    var bench = bench(.ublox)
    #expect(bench.type("AT") == ok())
    _ = bench.wait(.seconds(10))
    #expect(bench.type("AT") == "")
    #expect(bench.type("AT") == "")
    _ = bench.wait(.milliseconds(20))
    #expect(bench.type("AT+UPSV=0") == ok())
    _ = bench.wait(.seconds(100))
    #expect(bench.type("AT") == ok())
  }

  @Test func indicatorsAreListedInTheOrderOfTheirNumbers() {
    var modem = bench(.ublox)
    let said = modem.type("AT+CIND=?")
    let names = said.split(separator: "(\"").dropFirst().map { $0.prefix { $0 != "\"" } }
    #expect(Array(names.prefix(2)) == ["battchg", "signal"] && names[7] == "smsfull", "\(said)")
    #expect(modem.type("AT+CIND?") == "\r\n+CIND: 4,4,0,0,0,0,0,0,0,0,0,0\r\n" + ok())
    var other = bench(.generic)
    #expect(other.type("AT+CIND=?") == "\r\nERROR\r\n")
  }

  @Test func balancesAreWrittenAsTheMakerWritesThem() {
    let text = "Balance 3 texts, valid until 2027-01-01"
    func balance(_ profile: ModemProfile, _ code: String) -> String {
      var bench = Bench {
        $0.profile = profile
        $0.credit = 3
      }
      #expect(bench.type("AT+CUSD=1,\"\(code)\",15") == ok())
      return bench.wait(.seconds(1))
    }
    #expect(balance(.telit, "*100#") == "\r\n+CUSD: 0,\"\(text)\",15\r\n")
    let units = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    #expect(balance(.quectel, "*100#") == "\r\n+CUSD: 0,\"\(Hex.encode(units))\",17\r\n")
    // `*100#` in packed septets, as 3GPP TS 23.038 6.1.2.3 packs them.
    let packed = balance(.huaweiE173, "AA180C3602")
    #expect(
      packed.hasPrefix("\r\n+CUSD: 0,\"C2303BEC1E97413310BD8CA7CF59207B989D2683"), "\(packed)")
    var plain = bench(.huaweiE173)
    #expect(plain.type("AT+CUSD=1,\"*100#\",15") == "\r\nERROR\r\n")
  }

  @Test func indicationsAreRefusedAsTheMakerRefusesThem() {
    let cases: [(ModemProfile, String, Bool)] = [
      (.quectel, "2,1,0,1,0", false), (.quectel, "2,1,0,2,0", true),
      (.fibocom, "2,1,0,1,0", false), (.simcomLTE, "2,1,0,2,0", false),
      (.simcomLTE, "2,1,0,1,0", true), (.cinterion, "2,1,2,1,0", false),
      (.cinterion, "3,1,0,1,0", false), (.cinterion, "2,1,0,1,0", true),
      (.telit, "3,1,2,2,0", true),
    ]
    for (profile, values, isTaken) in cases {
      var bench = bench(profile)
      let said = bench.type("AT+CNMI=\(values)")
      #expect(said.contains("OK") == isTaken, "\(profile.model) \(values): \(said)")
    }
    var bench = bench(.cinterion)
    #expect(bench.type("AT+CNMI=?") == ok("+CNMI: (0-2),(0-3),(0),(0-1),(0,1)"))
    var quectel = self.bench(.quectel)
    #expect(quectel.type("AT+CNMI=?") == ok("+CNMI: (0-3),(0-3),(0,2),(0-2),(0,1)"))
  }

  @Test func errorsAreCalledAsTheMakerCallsThem() {
    let cases: [(ModemProfile, Int, Int)] = [
      (.generic, 304, 314), (.cinterion, 549, 532), (.simcomLTE, 514, 512), (.sierra, 304, 515),
    ]
    for (profile, length, busy) in cases {
      var bench = bench(profile)
      #expect(bench.type("AT+CMGS=1").contains("+CMS ERROR: \(length)"), "\(profile.model)")
      _ = bench.inject(.simBusy(.seconds(5)))
      #expect(bench.type("AT+CMGL=4").contains("+CMS ERROR: \(busy)"), "\(profile.model)")
    }
  }

  @Test func someTakeNoMoreMessages() {
    var stick = bench(.huaweiE173)
    #expect(stick.type("AT+CMMS=2") == "\r\n+CMS ERROR: 500\r\n")
    var module = bench(.cinterion)
    #expect(module.type("AT+CMMS=1") == "\r\n+CMS ERROR: 303\r\n")
    var other = bench(.telit)
    #expect(other.type("AT+CMMS=2") == ok())
  }

  @Test func listsAreWrittenInTheirOwnWay() {
    var stick = bench(.huawei)
    #expect(stick.type("AT+CMGD=?") == ok("+CMGD: (1-4095)"))
    #expect(stick.type("AT+CFUN=5") == ok())
    var older = bench(.huaweiE173)
    #expect(older.type("AT+CPMS=?") == ok("+CPMS: \"ME\",\"MT\",\"SM\""))
    var serial = bench(.quectelSerial)
    #expect(serial.type("AT+CSMS=128") == ok("+CSMS: 1,1,1"))
    var wavecom = bench(.sierra)
    #expect(wavecom.type("AT+CPMS=?").contains("((\"SM\",\"BM\",\"SR\"),(\"SM\"))"))
  }

  @Test func reportsAreHandedOverInTheirOwnWay() throws {
    var stick = bench(.zte)
    _ = stick.type("AT+CNMI=2,1,0,1,0")
    #expect(try stick.deliver(Bench.report()).said.hasPrefix("\r\n+CDS: ,"))
    var module = bench(.simcomLTE)
    _ = module.type("AT+CNMI=2,1,0,1,0")
    #expect(try module.deliver(Bench.report()).said.hasPrefix("\r\r\n+CDS: 2"))
  }
}
