import GSM
import ModemMakers
import Testing

extension ErrorFamily {
  fileprivate static let wavecom = ModemMaker.sierra.errors
  fileprivate static let cinterion = ModemMaker.cinterion.errors
  fileprivate static let qualcomm = ModemMaker.qualcomm.errors
}

/// What makers' own error codes mean.
@Suite struct ErrorFamilyTests {
  @Test(arguments: [
    (ErrorFamily.wavecom, 512, ErrorClass.soon), (.wavecom, 513, .later), (.wavecom, 514, .later),
    (.wavecom, 515, .soon), (.cinterion, 512, .soon), (.cinterion, 513, .storage),
    (.cinterion, 514, .permanent), (.cinterion, 515, .permanent), (.cinterion, 516, .permanent),
    (.cinterion, 517, .permanent), (.cinterion, 519, .permanent), (.cinterion, 520, .permanent),
    (.cinterion, 521, .later), (.cinterion, 522, .soon), (.cinterion, 532, .soon),
    (.cinterion, 534, .later), (.cinterion, 535, .soon), (.cinterion, 538, .permanent),
    (.cinterion, 549, .permanent), (.cinterion, 550, .permanent), (.cinterion, 551, .permanent),
    (.cinterion, 553, .permanent), (.cinterion, 554, .permanent), (.cinterion, 615, .later),
    (.cinterion, 616, .later), (.qualcomm, 512, .soon), (.qualcomm, 513, .permanent),
    (.qualcomm, 514, .permanent), (.qualcomm, 515, .storage), (.qualcomm, 517, .later),
    (.qualcomm, 528, .soon), (.qualcomm, 529, .alert), (.qualcomm, 530, .later),
    (.qualcomm, 531, .storage), (.standard, 512, .later), (.standard, 529, .later),
    // The maker's table has only its own codes; the rest is as with everybody.
    (.wavecom, 38, .later), (.cinterion, 310, .alert), (.qualcomm, 616, .later),
    // Older modems of this family give these as CMS.
    (.cinterion, 256, .soon), (.cinterion, 257, .destination), (.cinterion, 262, .alert),
  ])
  func asksTheMakersTable(_ family: ErrorFamily, _ code: Int, _ errorClass: ErrorClass) {
    #expect(ModemError(.cms, code: code, family: family).errorClass == errorClass)
  }

  @Test(arguments: [
    ("Sierra Wireless, Inc.", ErrorFamily.wavecom), ("WAVECOM MODEM", .wavecom),
    ("Cinterion", .cinterion), ("SIEMENS", .cinterion), ("Gemalto", .cinterion),
    ("Thales", .cinterion), ("SIMCOM INCORPORATED", .qualcomm), ("SIMCOM_Ltd", .qualcomm),
    ("QUALCOMM INCORPORATED", .qualcomm), ("Quectel", .qualcomm), ("huawei", .standard),
    ("", .standard),
  ])
  func knowsTheFamilyByTheMakersName(_ name: String, _ family: ErrorFamily) {
    #expect(MakerList.known.recognise(manufacturer: name, model: nil).errors == family)
  }

  @Test func knowsWhenAMessageMayHaveGoneAllTheSame() {
    #expect(ModemError(.cms, code: 513, family: .wavecom).isOutcomeUnknown)
    #expect(ModemError(.cms, code: 521, family: .cinterion).isOutcomeUnknown)
    #expect(!ModemError(.cms, code: 513, family: .cinterion).isOutcomeUnknown)
    #expect(!ModemError(.cms, code: 513, family: .qualcomm).isOutcomeUnknown)
  }

  @Test func namesNoCodeTwice() {
    for maker in MakerList.known.makers {
      let codes = maker.errors.codes.map(\.code)
      #expect(codes == codes.sorted(), "\(maker.name)")
      #expect(Set(codes).count == codes.count, "\(maker.name)")
    }
  }
}
