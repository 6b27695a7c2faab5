import Foundation
import Testing

/// A queue that is handed on: what one node exports, another one records as the same passages.
@Suite(.ownThreads) struct ExportTests {
  let files: ProgramFiles
  let here: String
  let elsewhere: String

  init() throws {
    files = try ProgramFiles()
    here = try files.write(
      "here.yaml", "node: {checkpost: BNP-A, database: \(files.path("here.db"))}")
    elsewhere = try files.write(
      "elsewhere.yaml", "node: {checkpost: BNP-B, database: \(files.path("elsewhere.db"))}")
  }

  /// The queue of one of the two, each passage by its keys.
  private func queue(_ configuration: String) throws -> [[String: Any]] {
    try Program.run(["queue", "list", "--json", "--config", configuration]).objects()
  }

  /// Records rows elsewhere.
  private func record(_ rows: String) throws -> Program.Outcome {
    try Program.run(["record", "--file", "-", "--config", elsewhere], input: rows)
  }

  @Test func anExportCanBeRecordedElsewhere() throws {
    for more in [
      ["--phone", "+977 981 234 9801", "--at", "1709123456"], ["--at", "1709123457"],
      ["--client-id", "0b6f3f0a-6a0c-4d3e-9a53-0d6f1c2b3a4d", "--phone", "9812340007"],
    ] {
      let recorded = try Program.run(
        ["record", "--plate", "बा १ पा १२३४", "--type", "car", "--config", here] + more)
      #expect(recorded.status == 0)
    }
    let export = try Program.run(["queue", "export", "--config", here])
    let outcome = try record(export.output)
    #expect(outcome.status == 0)
    for key in ["client_id", "content_client_id", "v1", "ranger_phone_suffix", "recorded_at"] {
      let given = try queue(here).map { $0[key] as? String }
      let taken = try queue(elsewhere).map { $0[key] as? String }
      #expect(given.count == 3)
      #expect(given == taken, "\(key)")
    }
    // What is there already is the same passage still.
    #expect(try record(export.output).status == 0)
    #expect(try queue(elsewhere).count == 3)
  }

  @Test func aRowThatBecomesAnotherTextIsRefused() throws {
    let row = """
      {"plate":"BA1PA1234","vehicle_type":"car","recorded_at":1709123456,\
      "checkpost":"BNP-A","v1":"V1|BNP-A|BA1PA1234|CAR|1709123456|9801"}

      """
    let outcome = try record(row)
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("line 1: v1"))
    #expect(try queue(elsewhere).isEmpty)
  }

  @Test(arguments: ["980", "98011", "abcd", "+980"])
  func aSuffixIsFourDigits(_ suffix: String) throws {
    let outcome = try record(
      """
      recorded_at,plate,vehicle_type,ranger_phone_suffix
      1709123456,BA1PA1234,car,\(suffix)

      """)
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("ranger_phone_suffix"))
    #expect(outcome.errors.contains("four digits"))
  }

  @Test func aSuffixOfAnotherNumberIsRefused() throws {
    let outcome = try record(
      """
      recorded_at,plate,vehicle_type,ranger_phone,ranger_phone_suffix
      1709123456,BA1PA1234,car,9812349801,9802
      1709123457,BA1PA1234,car,9812349801,9801

      """)
    #expect(outcome.status == 65)
    #expect(outcome.lines.count == 1)
    #expect(outcome.errors.contains("line 2: ranger_phone_suffix"))
  }

  /// A spreadsheet reckons out no cell of it, and what it saves is recorded as what was exported.
  @Test func aSpreadsheetCanBeRecordedElsewhere() throws {
    let rows = """
      {"plate":"- बा १ पा १२३४","vehicle_type":"car","recorded_at":1709123456,"ranger":"=HYPERLINK(\\"x\\")","ranger_phone":"9812349801"}
      {"plate":"-BA, 1 PA 1235","vehicle_type":"bus","recorded_at":1709123457,"ranger":"+9779801234567","segment":"'@x"}
      {"plate":"BA 1 PA 1236","vehicle_type":"car","recorded_at":1709123458,"ranger":"सिता, \\"S\\"","photo_path":"# 1","priority":2}

      """
    let recorded = try Program.run(["record", "--file", "-", "--config", here], input: rows)
    #expect(recorded.status == 0, "\(recorded.errors)")
    let export = try Program.run(["queue", "export", "--csv", "--config", here])
    #expect(export.lines.count == 4)
    #expect(export.output.hasPrefix("\u{FEFF}recorded_at,plate,vehicle_type,"))
    // No cell begins like a formula, whether it is quoted or not.
    for line in export.lines.dropFirst() {
      #expect(line.firstMatch(of: /(^|,)"?[=+\-@\t\r]/) == nil, "\(line)")
    }
    let outcome = try record(export.output)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let keys = [
      "client_id", "plate_number_raw", "plate_number", "v1", "ranger", "ranger_phone_suffix",
      "segment", "photo_path", "recorded_at", "priority",
    ]
    for key in keys {
      let given = try queue(here).map { "\($0[key] ?? "")" }
      #expect(try queue(elsewhere).map { "\($0[key] ?? "")" } == given, "\(key)")
    }
    #expect(try queue(here).map { $0["ranger"] as? String }.contains("=HYPERLINK(\"x\")"))
  }

  @Test func twoFormsAtATimeAreRefused() throws {
    let outcome = try Program.run(["sms", "inbox", "--csv", "--json", "--config", here])
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("--csv and --json"))
  }
}
