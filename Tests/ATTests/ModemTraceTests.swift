import AT
import Testing

@Suite struct ModemTraceTests {
  private func trace(_ lines: String...) throws -> ModemTrace {
    let text = ([ModemTrace.header] + lines).joined(separator: "\n")
    return try ModemTrace(text: Array(text.utf8))
  }

  private func reason(_ lines: String...) -> ModemTraceError? {
    do {
      _ = try ModemTrace(text: Array(lines.joined(separator: "\n").utf8))
      return nil
    } catch {
      return error
    }
  }

  @Test func whatWasRecordedIsReadBack() throws {
    let everything = [UInt8](0...255)
    let trace = ModemTrace(entries: [
      .init(milliseconds: 0, direction: .toModem, bytes: Array("AT+CMGS=18\r".utf8)),
      .init(milliseconds: 0, direction: .fromModem, bytes: Array("\r\n> ".utf8)),
      .init(milliseconds: 5, direction: .toModem, bytes: everything),
      .init(milliseconds: 9_999_999, direction: .fromModem, bytes: []),
    ])
    #expect(try ModemTrace(text: Array(trace.text.utf8)) == trace)
    #expect(
      trace.text.hasPrefix(
        """
        # checkpost modem trace 1
        0 > "AT+CMGS=18\\r"
        0 < "\\r\\n> "
        5 > "\\x00\\x01
        """))
    #expect(trace.text.contains("\\x1a"))
    #expect(trace.text.utf8.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) })
  }

  @Test func commentsAndEmptyLinesSayNothing() throws {
    let read = try trace("# who", "", "  # what", "\t10 <  \"a#\\\"\\\\x\" ", "\r")
    #expect(
      read.entries == [
        .init(milliseconds: 10, direction: .fromModem, bytes: Array("a#\"\\x".utf8))
      ])
    #expect(try trace().entries.isEmpty)
    #expect(try trace("1 > \"a\"", "").text == "# checkpost modem trace 1\n1 > \"a\"\n")
  }

  @Test func whatIsWrongIsNamedWithItsLine() {
    let head = ModemTrace.header
    #expect(reason("") == ModemTraceError(line: 1, reason: .noHeader))
    #expect(reason("0 > \"AT\"") == ModemTraceError(line: 1, reason: .noHeader))
    #expect(
      reason("# checkpost modem trace 2") == ModemTraceError(line: 1, reason: .otherVersion))
    let cases: [(String, ModemTraceError.Reason)] = [
      ("> \"AT\"", .noTime), ("-1 > \"AT\"", .noTime), ("99999999999999999999 > \"AT\"", .noTime),
      ("9999999999999 > \"AT\"", .noTime), ("1 \"AT\"", .noDirection), ("1 = \"AT\"", .noDirection),
      ("1 > AT", .noQuotes), ("1 > \"AT", .noQuotes), ("1 > \"AT\" more", .noQuotes),
      ("1 > \"A\\T\"", .badEscape), ("1 > \"\\x1\"", .badEscape), ("1 > \"\\", .badEscape),
      ("1 > \"é\"", .notPrintable), ("1 > \"\t\"", .notPrintable),
    ]
    for (line, expected) in cases {
      let error = reason(head, "# a comment", line)
      #expect(error == ModemTraceError(line: 3, reason: expected), "\(line)")
      #expect(error?.description.hasPrefix("line 3 ") == true)
    }
    #expect(
      reason(head, "5 > \"a\"", "4 > \"b\"") == ModemTraceError(line: 3, reason: .timeGoesBack))
  }

  @Test func maskedDigitsMatchAnyDigit() {
    let entry = ModemTrace.Entry(
      milliseconds: 0, direction: .toModem, bytes: Array("AT+CPIN=\"****\"\r".utf8))
    #expect(entry.matches(Array("AT+CPIN=\"1234\"\r".utf8)))
    #expect(entry.matches(Array("at+cpin=\"aF**\"\r".utf8)))
    #expect(!entry.matches(Array("AT+CPIN=\"12345\"\r".utf8)))
    #expect(!entry.matches(Array("AT+CPIN=\"123g\"\r".utf8)))
    #expect(!entry.matches(Array("AT+CPIN?\"1234\"\r".utf8)))
    #expect(!entry.matches([]))
  }

  @Test func anyBytesAreReadOrRefused() {
    var state: UInt64 = 7
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let alphabet = Array("0123456789 <>\"\\xrn#*\n\r\té".utf8)
    for _ in 0..<5_000 {
      let text =
        Array((ModemTrace.header + "\n").utf8)
        + (0..<next(40)).map { _ in alphabet[next(alphabet.count)] }
      guard let trace = try? ModemTrace(text: text) else { continue }
      #expect((try? ModemTrace(text: Array(trace.text.utf8))) == trace)
    }
  }
}
