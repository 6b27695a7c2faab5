import GSM
import Testing

/// The final results that end a command in failure, as modems print them.
struct ErrorTextTests {
  private func error(_ line: String, _ family: ErrorFamily = .standard) throws -> ModemError {
    try #require(ModemError(finalResult: line, family: family), "\(line)")
  }

  @Test(arguments: [
    ("+CMS ERROR: 38", ModemError.Kind.cms, 38), ("+CMS ERROR:38", .cms, 38),
    ("+CMS ERROR: 38 ", .cms, 38), ("+CMS ERROR:  500", .cms, 500), ("+CME ERROR: 14", .cme, 14),
    // With +CMEE=2, or with firmware that does as if: words.
    ("+CME ERROR: SIM busy", .cme, 14), ("+CME ERROR: sim not inserted", .cme, 10),
    ("+CME ERROR: SIM PIN required", .cme, 11), ("+CME ERROR: operation not allowed", .cme, 3),
    ("+CMS ERROR: operation not allowed", .cms, 302), ("+CMS ERROR: SIM busy", .cms, 314),
    ("+CMS ERROR: Network out of order", .cms, 38), ("+CMS ERROR: memory_full", .cms, 322),
    ("+CMS ERROR: SMSC address unknown", .cms, 330), ("+CMS ERROR: network timeout", .cms, 332),
    // The names of 3GPP TS 27.005 and 3GPP TS 24.011 in their own spelling.
    ("+CMS ERROR: (U)SIM not inserted", .cms, 310), ("+CMS ERROR: (U)SIM PIN required", .cms, 311),
    ("+CMS ERROR: PH-(U)SIM PIN required", .cms, 312), ("+CMS ERROR: (U)SIM failure", .cms, 313),
    ("+CMS ERROR: ME failure", .cms, 300), ("+CMS ERROR: SMS service of ME reserved", .cms, 301),
    ("+CMS ERROR: Unassigned (unallocated) number", .cms, 1),
    ("+CMS ERROR: Message type non-existent or not implemented", .cms, 97),
    ("+CMS ERROR: Information element non-existent or not implemented", .cms, 99),
    ("+CMS ERROR: (U)SIM SMS storage full", .cms, 208),
    ("+CMS ERROR: Message not compatible with short message protocol state", .cms, 98),
    // Some firmware answers with the other prefix.
    ("+CME ERROR: 330", .cme, 330), ("+CME ERROR: SMSC address unknown", .cme, 330),
  ])
  func reads(_ line: String, _ kind: ModemError.Kind, _ code: Int) throws {
    let found = try error(line)
    #expect(found.kind == kind)
    #expect(found.code == code)
    #expect(found.shortName == "\(kind.rawValue) \(code)")
    #expect(found.description.hasPrefix("\(kind.rawValue) \(code) "))
  }

  @Test func sortsTheOtherPrefixByTheTableThatHasTheCode() throws {
    #expect(try error("+CME ERROR: 330").errorClass == .alert)
    #expect(try error("+CME ERROR: 322").errorClass == .storage)
    #expect(try error("+CME ERROR: SMSC address unknown").errorClass == .alert)
  }

  @Test func keepsWordsThatNobodyKnows() throws {
    let found = try error("+CMS ERROR: the moon is in the wrong house")
    #expect(found.code == nil)
    #expect(found.errorClass == .later)
    #expect(found.words == "the moon is in the wrong house")
    #expect(found.description == "CMS the moon is in the wrong house")
    #expect(found.shortName == "CMS")
    let long = try error("+CMS ERROR: " + String(repeating: "x", count: 5_000))
    #expect(long.words.count == 64)
  }

  @Test(arguments: ["+CMS ERROR:", "+CMS ERROR: ", "+CMS ERROR", "+CME ERROR", "+CME ERROR:"])
  func readsAnErrorWithoutANumber(_ line: String) throws {
    let found = try error(line)
    #expect(found.code == nil)
    #expect(found.errorClass == .later)
    #expect(!found.words.isEmpty)
  }

  @Test(arguments: [
    "ERROR", "NO CARRIER", "NO ANSWER", "NO DIALTONE", "NO DIAL TONE", "BUSY", "ABORTED",
    "COMMAND NOT SUPPORT", "NA", "MODEM ERROR: 4", "+EXT ERROR: 1",
  ])
  func readsAPlainError(_ line: String) throws {
    let found = try error(line)
    #expect(found.kind == .plain)
    #expect(found.code == nil)
    #expect(found.errorClass == .later)
    #expect(!found.isOutcomeUnknown)
    #expect(found.description.hasPrefix("ERROR "))
    #expect(found.shortName == "ERROR")
  }

  @Test(arguments: [
    "OK", "", "+CMGS: 4", "CONNECT", "RING", "+CMTI: \"SM\",3", "ERRORS", "NAME", "BUSYBODY",
    "+CMS ERRORS: 1", "cms error: 3",
  ])
  func isNoError(_ line: String) {
    #expect(ModemError(finalResult: line) == nil)
  }

  @Test func asksTheMakersTable() throws {
    let maker = ErrorFamily("maker", [ErrorCode(531, "ME storage full", .storage)])
    #expect(try error("+CMS ERROR: 531", maker).errorClass == .storage)
    #expect(try error("+CMS ERROR: 531").errorClass == .later)
  }

  @Test func showsCodeAndWords() throws {
    #expect(try error("+CMS ERROR: 38").description == "CMS 38 network out of order")
    #expect(try error("ERROR").description == "ERROR refused without a reason")
  }
}
