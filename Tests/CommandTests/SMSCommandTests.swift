import Foundation
import Testing

@Suite(.ownThreads) struct SMSCommandTests {
  private let body = "V1|BNP-A|BA1PA1234|CAR|1709123456|9801"

  @Test func encodesAPassage() throws {
    let outcome = try Program.run([
      "sms", "encode", "--checkpost", "BNP-A", "--plate", "बा १ पा १२३४", "--type", "car", "--at",
      "2024-02-28T12:30:56Z", "--phone", "+9779841239801",
    ])
    #expect(outcome.status == 0)
    #expect(outcome.output == body + "\n")
  }

  @Test(arguments: [("1709123456000", "milliseconds"), ("-5", "negative"), ("noon", "is no time")])
  func aTimeThatIsNoneIsExplained(time: String, words: String) throws {
    let outcome = try Program.run([
      "sms", "encode", "--checkpost", "BNP-A", "--plate", "BA1PA1", "--type", "car", "--at", time,
    ])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
  }

  /// A time is written in the forms in which all commands take one.
  @Test func aTimeMayBeWrittenAsForOtherCommands() throws {
    for time in ["90m", "2026-03-14", "00:00"] {
      let encoded = try Program.run([
        "sms", "encode", "--checkpost", "BNP-A", "--plate", "BA1PA1", "--type", "car", "--at", time,
      ])
      #expect(encoded.status == 0, "\(time): \(encoded.errors)")
      let decoded = try Program.run([
        "sms", "decode", encoded.output.trimmingCharacters(in: .newlines), "--now", time,
        "--window", "1h,1h",
      ])
      #expect(decoded.status == 0, "\(time): \(decoded.errors)")
    }
  }

  @Test func aLineThatIsNotTextIsShownAsFarAsItCanBe() throws {
    let outcome = try Program.run(
      ["sms", "decode", "--json", "-"], input: Data("V1|BNP-A|".utf8) + [0xFF, 0x0A])
    #expect(outcome.status == 65)
    let object = try #require(try outcome.objects().first)
    #expect(object["error"] as? String == "field_count")
    #expect(object["input"] as? String == "V1|BNP-A|\u{FFFD}")
    #expect((object["message"] as? String)?.contains("UTF-8") == true)
  }

  @Test func decodesWithEveryKey() throws {
    let outcome = try Program.run(["sms", "decode", "--json", "--any-time", body])
    #expect(outcome.status == 0)
    #expect(
      outcome.output == """
        {"canonical":"\(body)","checkpost":"BNP-A",\
        "client_id":"903f6178-1d77-5a73-b651-63f83b997eb3","plate_display":"BA 1 PA 1234",\
        "plate_number":"BA1PA1234","ranger_phone_suffix":"9801",\
        "recorded_at":"2024-02-28T12:30:56Z","recorded_epoch":1709123456,"vehicle_type":"car"}

        """)
  }

  @Test func theWindowIsThatOfTheMomentGiven() throws {
    func status(_ options: String...) throws -> Int32 {
      try Program.run(["sms", "decode", body] + options).status
    }
    #expect(try status() == 65)
    #expect(try status("--now", "2024-02-28T12:31:00Z") == 0)
    #expect(try status("--now", "1709123456") == 0)
    #expect(try status("--now", "1709123335") == 65)
    #expect(try status("--now", "1709123336") == 0)
    #expect(try status("--now", "2024-03-03T12:30:57Z") == 65)
    #expect(try status("--now", "2024-03-03T12:30:57Z", "--window", "7d") == 0)
    #expect(try status("--now", "2024-02-28T12:00:00Z", "--window", "1h,1h") == 0)
    #expect(try status("--now", "tomorrow") == 64)
    #expect(try status("--window", "5") == 64)
  }

  @Test(arguments: [
    ("V1|BNP-A|BA1PA1234|CAR|1709123456", "field_count"),
    ("V1|BNP-A|BA1PA1234|CAR|1709123456|9801|x", "field_count"),
    ("V2|BNP-A|BA1PA1234|CAR|1709123456|9801", "version"),
    ("V1|BNP-ABCDEFGH|BA1PA1234|CAR|1709123456|9801", "checkpost"),
    ("V1|BNP-A||CAR|1709123456|9801", "plate"),
    ("V1|BNP-A|BA1PA1234|XXX|1709123456|9801", "vehicle_type"),
    ("V1|BNP-A|BA1PA1234|CAR|1709123456000|9801", "timestamp"),
    ("V1|BNP-A|BA1PA1234|CAR|-1|9801", "timestamp"),
    ("V1|BNP-A|BA1PA1234|CAR|soon|9801", "timestamp"),
    ("V1|BNP-A|BA1PA1234|CAR|1709123456|98", "phone_suffix"),
  ])
  func errorsHaveTheirNames(body: String, code: String) throws {
    let outcome = try Program.run(["sms", "decode", "--json", "--any-time", body])
    #expect(outcome.status == 65)
    let object = try #require(try outcome.objects().first)
    #expect(object["error"] as? String == code)
    #expect(object["input"] as? String == body)
    #expect((object["message"] as? String)?.isEmpty == false)
    #expect(outcome.errorLines.count == 1)
  }

  @Test func readsWhatPhonesMakeOfIt() throws {
    let inputs = [
      body.lowercased(), body.replacing("|", with: "¡"), "  \(body) ",
      body.replacing("|", with: " ¡"),
    ]
    let outcome = try Program.run(
      ["sms", "decode", "--json", "--any-time", "-"], input: inputs.joined(separator: "\n"))
    #expect(outcome.status == 0)
    #expect(try outcome.objects().map { $0["canonical"] as? String } == inputs.map { _ in body })
  }

  @Test func oneBadTextOfManyIsOneError() throws {
    let outcome = try Program.run(
      ["sms", "decode", "--any-time", "-"], input: "\(body)\n\nhello\n\(body)\n")
    #expect(outcome.status == 65)
    #expect(outcome.lines.count == 2)
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.hasPrefix("checkpost: text 2: "))
  }

  @Test(arguments: [
    ["--plate", "x$y"], ["--checkpost", "TOOLONGCODE"], ["--type", "spaceship"], ["--at", "soon"],
  ])
  func badOptionsAre64(change: [String]) throws {
    var options = [
      "--checkpost": "BNP-A", "--plate": "BA 1 PA 1234", "--type": "car", "--at": "1709123456",
    ]
    options[change[0]] = change[1]
    let outcome = try Program.run(["sms", "encode"] + options.flatMap { [$0.key, $0.value] })
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(change[0]), "\(outcome.errors)")
    #expect(outcome.errorLines.count == 1)
  }
}
