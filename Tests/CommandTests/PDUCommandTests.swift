import Testing

@Suite(.ownThreads) struct PDUCommandTests {
  private let text = "V1|BNP-A|BA1PA1234|CAR|1709123456|9801"

  @Test func encodesForAModem() throws {
    let outcome = try Program.run([
      "pdu", "encode", "--to", "+9779801234567", "--json", "--no-status-report", text,
    ])
    #expect(outcome.status == 0)
    // 3GPP TS 23.040 9.2.2.2; `|` is two septets, so that 38 characters are 43.
    #expect(
      outcome.output == """
        {"parts":[{"length":52,"pdu":"0001000D91799708214365F700002BD6D8062874425BC10D50188C418331D9\
        8CB6010E83D20D307683E562B219AD66DB007338580C"}]}

        """)
  }

  @Test func decodesWhatItEncodes() throws {
    for text in [text, "नमस्ते, यो लामो सन्देश हो। ", String(repeating: "long ", count: 100)] {
      let encoded = try Program.run(
        ["pdu", "encode", "--to", "+9779801234567", "--reference", "300", text])
      #expect(encoded.status == 0)
      let pdus = encoded.lines.compactMap { $0.split(separator: " ").last.map(String.init) }
      let decoded = try Program.run(["pdu", "decode", "--direction", "mo", "--json"] + pdus)
      let objects = try decoded.objects()
      #expect(objects.compactMap { $0["text"] as? String }.joined() == text)
      #expect(objects.allSatisfy { $0["number"] as? String == "+9779801234567" })
      #expect(objects.allSatisfy { $0["number_type"] as? String == "international" })
      #expect(objects.allSatisfy { $0["type"] as? String == "submit" })
      if pdus.count > 1 {
        #expect(objects.compactMap { $0["part"] as? Int } == Array(1...pdus.count))
        #expect(objects.allSatisfy { $0["part_reference"] as? Int == 300 })
      }
    }
  }

  @Test func showsEveryKeyOfADeliveredMessage() throws {
    // SMS-DELIVER by way of +9779851000000, its time stamp by a clock that is 5:45 ahead of UTC.
    let pdu = "0891799758010000F0" + "040D91799708214365F70000" + "62111220411132" + "05E8329BFD06"
    let outcome = try Program.run(["pdu", "decode", "--json", pdu])
    #expect(outcome.status == 0)
    let object = try #require(try outcome.objects().first)
    #expect(
      Set(object.keys) == [
        "type", "smsc", "number", "number_type", "text", "alphabet", "data", "timestamp", "class",
        "reference", "part", "parts", "part_reference", "message_reference", "status", "discharge",
      ])
    #expect(object["type"] as? String == "deliver")
    #expect(object["smsc"] as? String == "+9779851000000")
    #expect(object["text"] as? String == "hello")
    #expect(object["alphabet"] as? String == "gsm7")
    #expect(object["timestamp"] as? String == "2026-11-21T02:14:11+05:45")
  }

  @Test func oneBadLineOfManyIsOneError() throws {
    let good = try #require(
      try Program.run(["pdu", "encode", "--to", "123", "hello"]).lines.first?.split(separator: " ")
        .last)
    let input = "\(good)\n\nnonsense\n\(good)\n0001\n"
    let json = try Program.run(
      ["pdu", "decode", "--direction", "mo", "--json", "-"], input: input)
    #expect(json.status == 65)
    #expect(
      try json.objects().map { $0["error"] as? String } == [
        nil, "not_hexadecimal", nil, "truncated",
      ])
    #expect(try json.objects().allSatisfy { $0["error"] == nil || $0["message"] is String })
    #expect(json.errorLines.count == 1)
    let people = try Program.run(["pdu", "decode", "--direction", "mo", "-"], input: input)
    #expect(people.status == 65)
    #expect(people.lines.filter { $0.hasSuffix("hello") }.count == 2)
    #expect(people.errorLines.count == 2)
    #expect(people.errors.contains("PDU 2: not hexadecimal"))
  }

  @Test(arguments: [
    ["pdu", "decode", "07"],
    ["pdu", "encode", "--to", "123", "--alphabet", "gsm7", "नमस्ते"],
  ])
  func badDataIs65(arguments: [String]) throws {
    let outcome = try Program.run(arguments)
    #expect(outcome.status == 65)
    #expect(outcome.errorLines.count == 1)
  }

  @Test(arguments: [
    ["--class", "4"], ["--validity", "5"], ["--alphabet", "latin1"], ["--to", "12a"],
  ])
  func badOptionsAre64(options: [String]) throws {
    let outcome = try Program.run(["pdu", "encode", "--to", "123"] + options + ["x"])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(options[0]))
  }
}
