import CentralCore
import Testing

struct PhoneNumberTests {
  @Test(arguments: [
    "+9779801234567", "9779801234567", "009779801234567", "9801234567", "09801234567",
    "+977 980-123 4567", "(980) 123.4567", " +977-9801234567 ",
  ])
  func everySpellingIsOneNumber(_ text: String) throws {
    let number = try #require(PhoneNumber(text))
    #expect(number.digits == "9779801234567")
    #expect(number.description == "+9779801234567")
  }

  @Test(arguments: [
    "", "NTC-INFO", "+", "12", "1234567890123456", "98012345a7", "+977+9801234567", "९८०१२३४५६७",
    "98 0123 4567 98 0123 4567 98 0123 4567 98 0123 4567",
  ])
  func whatIsNoNumberIsNone(_ text: String) {
    #expect(PhoneNumber(text) == nil)
  }

  @Test func aForeignNumberStaysWhatItIs() {
    #expect(PhoneNumber("+15005550006")?.digits == "15005550006")
    #expect(PhoneNumber("+911234567890")?.digits == "911234567890")
  }

  @Test func aNumberWithItsPlusIsNeverTakenForANationalOne() {
    #expect(PhoneNumber("+9812345678")?.digits == "9812345678")
    #expect(PhoneNumber("9812345678")?.digits == "9779812345678")
  }

  @Test(arguments: ["31003", "1415", "+9779801234567", "+15005550006"])
  func whatItShowsReadsBackAsTheSame(_ text: String) throws {
    let number = try #require(PhoneNumber(text))
    #expect(PhoneNumber(number.description) == number)
  }
}
