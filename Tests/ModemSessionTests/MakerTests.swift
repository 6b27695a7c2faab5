import AT
import GSM
import ModemMakers
import ModemModel
import ModemSession
import Testing
import Time

/// Modems that call their maker otherwise, and what is set up for each maker.
@Suite struct MakerTests {
  @Test(arguments: [
    // Xinyuan-LilyGO/LilyGo-Modem-Series#52, warthog618/modem#17
    ("INCORPORATED", "A7670G-LLSE", "simcom_lte"), ("INCORPORATED", "A7600C1", "simcom_lte"),
    ("FOXCOM MODEM", "Quectel_M26", "quectel_serial"), ("Quectel_Ltd", "M26", "quectel_serial"),
    ("QUALCOMM INCORPORATED", "SIMCOM_SIM7600E", "simcom_lte"), ("", "SIM800L", "simcom"),
    ("Manufacturer", "SIMCOM_SIM7070G", "simcom_narrow"), ("Neoway", "SIM900A", "simcom"),
    ("QUALCOMM INCORPORATED", "MF190", "zte"), ("QUALCOMM INCORPORATED", "E173", "huawei"),
    ("FOXCOM MODEM", "EC25", "quectel"), ("Vodafone", "MU509", "huawei"),
    ("Huawei Technologies Co., Ltd.", "EM770W", "huawei"), ("Bosch", "LE910C1-EU", "telit"),
    ("Arduino", "SARA-R410M-02B", "ublox"), ("Teltonika", "EG915U", "quectel"),
    ("generic", "PLS8-E", "cinterion"), ("QCOM", "NL668-EU", "fibocom"),
    ("Dell", "EM7455", "sierra"), ("QUALCOMM INCORPORATED", "0", "generic"), ("", "", "generic"),
    ("Maker", "SIMPLE", "generic"), ("Maker", "Modem 76", "generic"),
    // The maker's word goes before the model's.
    ("Telit", "SIM800", "telit"), ("huawei", "EM7455", "huawei"),
  ])
  func aMakerIsKnownByTheModelToo(row: (String, String, String)) {
    #expect(name(row.0, row.1) == row.2)
    #expect(name(row.0.uppercased(), row.1.lowercased()) == row.2)
  }

  private func name(_ manufacturer: String, _ model: String) -> String {
    MakerList.known.recognise(manufacturer: manufacturer, model: model).profile.name
  }

  // A module that refuses in words: without them each refusal takes the time of a command.
  @Test(arguments: ["TOO MANY PARAMETERS", "COMMAND NOT SUPPORT"])
  func anMU509IsSetUpAtOnce(_ refusal: String) {
    var line = HandPlayed()
    line.run(for: .seconds(3)) { command in
      let refused = [
        "AT+CNMI=1,1,0,2,0", "AT+CNMI=2,1", "AT+CEREG", "AT+CTZ", "AT^PORTSEL", "ATQ0",
      ]
      if command.hasPrefix("AT+CGMI") { return "\r\nhuawei\r\n\r\nOK\r\n" }
      if command.hasPrefix("AT+CGMM") { return "\r\nMU509\r\n\r\nOK\r\n" }
      return refused.contains { command.hasPrefix($0) }
        ? "\r\n\(refusal)\r\n" : HandPlayed.healthy(command)
    }
    #expect(line.session.status.state == .ready)
    #expect(line.commands.contains("AT+CNMI=1,1,0,1,0"))
    line.send()
    line.run(for: .seconds(1)) { command in
      command.hasPrefix("AT+CMGS") ? "\r\n\(refusal)\r\n" : HandPlayed.healthy(command)
    }
    #expect(line.outcomes.count == 1)
    guard case .refused(let error)? = line.outcomes.first else {
      Issue.record("\(line.outcomes)")
      return
    }
    #expect(error.kind == .plain)
  }

  @Test func aModemThatIsNamedIncorporatedIsSetUpAsItsMakers() {
    for name in ["INCORPORATED", "SIMCOM INCORPORATED"] {
      var bench = Bench(modem: {
        $0.profile = .simcomA76
        $0.profile.manufacturer = name
      })
      bench.start()
      #expect(bench.session.status.profile == "simcom_lte")
      // Reports in a storage cannot be read with these.
      #expect(bench.commands.contains("AT+CNMI=2,1,0,1,0"))
      #expect(!bench.commands.contains("AT+CNMI=2,1,0,2,0"))
      // 512 is the modem's own word for a SIM that is busy, as with all on Qualcomm's chips.
      bench.inject(.refuse(code: 512, times: 1))
      bench.send(1)
      bench.pass(.seconds(5))
      #expect(
        bench.outcomes.first?.outcome
          == .refused(ModemError(.cms, code: 512, family: ModemMaker.simcom.errors)))
    }
  }
}
