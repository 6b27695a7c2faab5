import Passages
import SeededRandom
import Testing

@Suite struct V1DecodeTests {
  static let good = "V1|BNP-A|BA1PA1234|CAR|1709123456|9801"

  @Test func readsEachField() throws {
    let message = try V1Message.decode(V1DecodeTests.good, window: nil)
    #expect(message.checkpost.code == "BNP-A")
    #expect(message.plate.compact == "BA1PA1234")
    #expect(message.vehicleType == .car)
    #expect(message.recordedEpoch == 1_709_123_456)
    #expect(message.suffix.digits == "9801")
    #expect(message.body == V1DecodeTests.good)
  }

  @Test(arguments: [
    ("", "version"), ("hello", "version"), ("V2|BNP-A|X", "version"),
    ("V2|BNP-A|BA1PA1234|CAR|1709123456|9801", "version"), ("V1", "field_count"),
    ("V1|BNP-A|BA1PA1234|CAR|1709123456", "field_count"),
    ("V1|BNP-A|BA1PA1234|CAR|1709123456|9801|", "field_count"),
    ("V1|BNP-A|BA1PA1234|CAR|1709123456|9801|7", "field_count"),
    ("V1||BA1PA1234|CAR|1709123456|9801", "checkpost"),
    ("V1|BNP-ABCDEFG|BA1PA1234|CAR|1709123456|9801", "checkpost"),
    ("V1|BNP_A|BA1PA1234|CAR|1709123456|9801", "checkpost"),
    ("V1|BNP-A|B|CAR|1709123456|9801", "plate"),
    ("V1|BNP-A|BA 1 PA|CAR|1709123456|9801", "plate"),
    ("V1|BNP-A|AAAAAAAAAAAAAAAAAAAAA|CAR|1709123456|9801", "plate"),
    ("V1|BNP-A|बा१|CAR|1709123456|9801", "plate"),
    ("V1|BNP-A|BA1PA1234|XXX|1709123456|9801", "vehicle_type"),
    ("V1|BNP-A|BA1PA1234|CARS|1709123456|9801", "vehicle_type"),
    ("V1|BNP-A|BA1PA1234|CAR|1709123456000|9801", "timestamp"),
    ("V1|BNP-A|BA1PA1234|CAR|-170912345|9801", "timestamp"),
    ("V1|BNP-A|BA1PA1234|CAR|0709123456|9801", "timestamp"),
    ("V1|BNP-A|BA1PA1234|CAR|1709.23456|9801", "timestamp"),
    ("V1|BNP-A|BA1PA1234|CAR|yesterday|9801", "timestamp"),
    ("V1|BNP-A|BA1PA1234|CAR|1709123456|980", "phone_suffix"),
    ("V1|BNP-A|BA1PA1234|CAR|1709123456|98O1", "phone_suffix"),
  ])
  func refuses(text: String, code: String) {
    let error = #expect(throws: V1Error.self) { try V1Message.decode(text, window: nil) }
    #expect(error?.code == code)
    #expect(error?.message.isEmpty == false)
  }

  @Test func saysWhatIsWrong() {
    func message(_ text: String) -> String {
      do {
        _ = try V1Message.decode(text, window: nil)
        return ""
      } catch { return error.message }
    }
    #expect(message("V2|A").contains("unsupported version V2"))
    #expect(message("V1|A|B").contains("there are 3 fields"))
    #expect(message("V1|A|BA1|CAR|1709123456000|9801").contains("look like milliseconds"))
    #expect(message("V1|A|BA1|CAR|-1|9801").contains("cannot be negative"))
    #expect(message("V1|A|BA1|XXX|1709123456|9801").contains("CAR, JSV, MNB"))
  }

  // A gateway's byte order mark, an editor's zero-width space, a telephone's mark of direction: all stood
  // before V1, and a whole passage was "no passage".
  @Test(arguments: [
    "\u{FEFF}", "\u{FFFE}", "\u{200B}", "\u{200C}\u{200D}", "\u{2060}", "\u{200E}", "\u{200F}",
    "\u{202A}", "\u{2066}", "\u{61C}", "\0", "\u{1A}", " \u{FEFF}\r\n\0 ",
  ])
  func whatNobodySeesAroundATextIsPassedOver(_ unseen: String) throws {
    let read = try V1Message.decode(V1DecodeTests.good, window: nil)
    for (before, after) in [(unseen, ""), ("", unseen), (unseen, unseen)] {
      for text in [V1DecodeTests.good, V1DecodeTests.good.lowercased()] {
        #expect(try V1Message.decode(before + text + after, window: nil) == read)
      }
    }
    let heartbeat = "H1|BNP-A|12|1709123456|0|3"
    #expect(H1Message.isMeant(by: unseen + heartbeat))
    #expect(
      try H1Message.decode(unseen + heartbeat + unseen) == H1Message.decode(heartbeat))
  }

  // In the middle it is a mistake, and one that has to be seen.
  @Test(arguments: [
    ("V1|BNP-A|BA1\u{200B}PA1234|CAR|1709123456|9801", "\\u{200B}"),
    ("V1|BNP-A|BA1PA1234|C\0R|1709123456|9801", "\\u{0}"),
    ("V1|BN\u{200E}P|BA1PA1234|CAR|1709123456|9801", "\\u{200E}"),
    ("V1|BNP-A|BA1PA1234|CAR|17091\u{FEFF}3456|9801", "\\u{FEFF}"),
    ("V1|BNP-A|BA1PA1234|CAR|1709123456|98\u{A0}1", "\\u{A0}"),
  ])
  func whatCannotBeSeenIsShownAsAnEscape(text: String, escape: String) {
    let error = #expect(throws: V1Error.self) { try V1Message.decode(text, window: nil) }
    #expect(error?.message.contains(escape) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    "V1 BNP-A BA1PA1234 CAR 1709123456 9801", "v1 bnp-a ba 1 pa 1234 car 1709123456 9801",
    "v1,bnp-a,ba1pa1234,car,1709123456,9801", "V1/BNP-A/BA1PA1234/CAR/1709123456/9801",
    "V1\nBNP-A\nBA1PA1234\nCAR\n1709123456\n9801", "\u{FEFF}v1  BNP-A  BA1PA1234  CAR",
  ])
  func aTextTypedByHandIsToldWhatToPutRight(_ text: String) {
    let error = #expect(throws: V1Error.self) { try V1Message.decode(text, window: nil) }
    #expect(error?.code == "version")
    let message = error?.message ?? ""
    #expect(message.contains("separate the fields with |"), "\(message)")
    #expect(!message.contains("BA1PA1234|CAR|1709123456|9801"))
  }

  @Test(arguments: ["V1", "V1 hello there", "hello", "V1234 56 78 90 12"])
  func otherWordsAreNotTakenForOne(_ text: String) {
    let error = #expect(throws: V1Error.self) { try V1Message.decode(text, window: nil) }
    #expect(error?.message.contains("separate") == false)
  }

  @Test func refusesATimeOutsideTheWindow() throws {
    let window: ClosedRange<Int64> = 1_709_123_456...1_709_123_460
    _ = try V1Message.decode(V1DecodeTests.good, window: window)
    let late = "V1|BNP-A|BA1PA1234|CAR|1709123461|9801"
    #expect(throws: V1Error.outsideWindow(epoch: 1_709_123_461, window: window)) {
      try V1Message.decode(late, window: window)
    }
    // What had to be put right first is held to the window too.
    #expect(throws: V1Error.outsideWindow(epoch: 1_709_123_455, window: window)) {
      try V1Message.decode("v1|bnp-a|ba1pa1234|car|1709123455|9801", window: window)
    }
  }

  @Test func refusesALongTextUnread() {
    let text = V1DecodeTests.good + String(repeating: " ", count: 1_000)
    #expect(throws: V1Error.tooLong(text.utf8.count)) { try V1Message.decode(text, window: nil) }
  }

  @Test(arguments: [
    ("JEP", VehicleType.jeepSUV), ("MOT", .motorcycle), ("AUT", .autoRickshaw), ("MTK", .truck),
  ])
  func readsOldCodes(code: String, type: VehicleType) throws {
    let body = "V1|BNP-A|BA1PA1234|\(code)|1709123456|9801"
    #expect(try V1Message.decode(body, window: nil).vehicleType == type)
  }

  @Test func randomMessagesGoThereAndBack() throws {
    var random = SplitMix64(seed: 21)
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    for _ in 0..<5_000 {
      func word(_ count: ClosedRange<Int>, _ extra: [Character] = []) -> String {
        String(
          (0..<Int.random(in: count, using: &random)).compactMap { _ in
            (letters + extra).randomElement(using: &random)
          })
      }
      let message = try V1Message(
        checkpost: CheckpostCode(word(1...10, ["-"])), plate: Plate(word(2...20)),
        vehicleType: VehicleType.allCases.randomElement(using: &random) ?? .car,
        recordedEpoch: Int64.random(in: Limits.epochs, using: &random),
        suffix: PhoneSuffix(phoneNumber: "\(Int.random(in: 0...99_999, using: &random))"))
      let read = try V1Message.decode(message.body, window: nil)
      #expect(read.body == message.body)
      #expect(read.clientID == message.clientID)
      #expect(read.plate == message.plate)
      #expect(message.body.utf8.count <= 54)
      let small = try V1Message.decode("  " + message.body.lowercased(), window: nil)
      #expect(small == read)
    }
  }

  @Test func mutatedTextsGiveAMessageOrAnError() {
    var random = SplitMix64(seed: 22)
    for _ in 0..<50_000 {
      var bytes = Array(V1DecodeTests.good.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.insert(UInt8.random(in: 32...126, using: &random), at: place)
        default: if bytes.count > 1 { bytes.remove(at: place) }
        }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      guard let message = try? V1Message.decode(text, window: nil) else { continue }
      // Whatever is taken has one canonical form, and that form is stable.
      let again = try? V1Message.decode(message.body, window: nil)
      #expect(again == message, "\(text.debugDescription)")
    }
  }
}
