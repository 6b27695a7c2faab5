import Passages
import Testing
import Time

@Suite struct FieldTests {
  @Test(arguments: [
    (VehicleType.car, "CAR"), (.jeepSUV, "JSV"), (.minibus, "MNB"), (.bus, "BUS"),
    (.truck, "TRK"), (.tanker, "TNK"), (.motorcycle, "MCY"), (.autoRickshaw, "ARK"),
    (.tractor, "TRC"), (.other, "OTH"), (.pickup, "OTH"), (.van, "OTH"),
  ])
  func vehicleTypes(type: VehicleType, code: String) {
    #expect(type.v1Code == code)
    #expect(VehicleType(name: type.rawValue) == type)
    #expect(VehicleType(name: type.rawValue.uppercased()) == type)
  }

  @Test func vehicleTypesByOtherNames() {
    #expect(VehicleType(name: "jeep") == .jeepSUV)
    #expect(VehicleType(name: "Auto Rickshaw") == .autoRickshaw)
    #expect(VehicleType(name: "mtk") == .truck)
    #expect(VehicleType(name: "spaceship") == nil)
    #expect(VehicleType(v1Code: "CA") == nil)
    #expect(VehicleType(v1Code: "CARS") == nil)
  }

  @Test func checkpostCodes() throws {
    #expect(try CheckpostCode("bnp-a").code == "BNP-A")
    #expect(throws: CheckpostCodeError.empty) { try CheckpostCode("") }
    #expect(throws: CheckpostCodeError.tooLong(11)) { try CheckpostCode("ABCDEFGHIJK") }
    #expect(throws: CheckpostCodeError.character("_")) { try CheckpostCode("A_B") }
    #expect(throws: CheckpostCodeError.character("É")) { try CheckpostCode("É") }
    #expect(throws: CheckpostCodeError.character("|")) { try CheckpostCode("A|B") }
  }

  @Test(arguments: [
    (String?.none, "0000"), ("", "0000"), ("+977 98-0112 3456", "3456"), ("7", "0007"),
    ("no number", "0000"),
  ])
  func phoneSuffixes(number: String?, suffix: String) {
    #expect(PhoneSuffix(phoneNumber: number).digits == suffix)
  }

  @Test func aPassageTakesTheIdentityOfItsBody() throws {
    let recorded = try Passage(
      recording: Plate("बा १ पा १२३४"), vehicleType: .car, checkpost: CheckpostCode("BNP-A"),
      recordedAt: WallTime(milliseconds: 1_709_123_456_789),
      suffix: PhoneSuffix(phoneNumber: "9801"))
    #expect(recorded.v1Body == "V1|BNP-A|BA1PA1234|CAR|1709123456|9801")
    #expect(recorded.clientID.description == "903f6178-1d77-5a73-b651-63f83b997eb3")
    #expect(recorded.contentClientID == nil)
    #expect(recorded.recordedAt.milliseconds == 1_709_123_456_789)
    let own = ClientID(random: 1, 2)
    let handedIn = try Passage(
      recording: Plate("BA1PA1234"), vehicleType: .car, checkpost: CheckpostCode("BNP-A"),
      recordedAt: WallTime(epochSeconds: 1_709_123_456), suffix: PhoneSuffix(phoneNumber: "9801"),
      identity: own)
    #expect(handedIn.clientID == own)
    #expect(handedIn.contentClientID == recorded.clientID)
  }

  @Test(arguments: [-1, 0, 999_999_999, 10_000_000_000, 1_709_123_456_000] as [Int64])
  func refusesATimeThatV1CannotSay(epoch: Int64) throws {
    let plate = try Plate("BA1PA1234")
    let post = try CheckpostCode("A")
    #expect(throws: V1Error.self) {
      try V1Message(
        checkpost: post, plate: plate, vehicleType: .car, recordedEpoch: epoch, suffix: .unknown)
    }
  }
}
