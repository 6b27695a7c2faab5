import Foundation
import Passages
import TestSupport
import Testing

@testable import PassageFiles
@testable import checkpost

@Suite struct DeskLineTests {
  @Test(arguments: [
    ("ba1pa1234 c", "ba1pa1234", "c"), ("BA 1 PA 1234 bus", "BA 1 PA 1234", "bus"),
    ("बा १ पा १२३४ ट्र", "बा १ पा १२३४", "ट्र"),
  ])
  func aPlateAndAVehicleAreAPassage(line: String, plate: String, type: String) throws {
    guard case .entry(let entry) = DeskLine(line) else {
      Issue.record("\(DeskLine(line))")
      return
    }
    #expect(entry.plate == plate)
    #expect(entry.type == type)
  }

  @Test(
    arguments: [
      ("", DeskLine.empty), ("c", .type(.car)), ("का", .type(.car)), ("l", .last), ("S", .status),
      ("?", .help), ("q", .quit), ("w", .warnings), ("i", .expected), ("list", .last),
      ("overdue", .warnings), ("expected", .expected), ("u", .undo(queueID: nil)),
      ("u 7", .undo(queueID: 7)), ("u १२", .undo(queueID: 12)),
      ("1234", .digits("1234", type: nil)),
      ("१२३४", .digits("1234", type: nil)), ("1234 b", .digits("1234", type: "b")),
      ("= b", .correct(queueID: nil, plate: nil, type: .bus)),
      ("=ba1pa1235", .correct(queueID: nil, plate: "ba1pa1235", type: nil)),
      ("= BA 1 PA 1235 b", .correct(queueID: nil, plate: "BA 1 PA 1235", type: .bus)),
      ("=7 ba1pa1235", .correct(queueID: 7, plate: "ba1pa1235", type: nil)),
      ("= 7 b", .correct(queueID: 7, plate: nil, type: .bus)),
    ] as [(String, DeskLine)])
  func aLineIsReadAsWhatItAsksFor(line: String, asked: DeskLine) {
    #expect(DeskLine(line) == asked)
  }

  @Test func whatCannotBeMeantIsSaid() {
    guard case .wrong = DeskLine("="), case .wrong = DeskLine("u x") else {
      Issue.record("taken for something")
      return
    }
  }

  /// No command is the short name of a vehicle.
  @Test func everyShortNameIsAVehicle() {
    for (type, names) in EntryLine.types {
      for name in names { #expect(DeskLine(name) == .type(type)) }
    }
  }
}

/// A shift at the desk: the program at a pipe beside a real service.
@Suite struct DeskTests {
  @Test(.timeLimit(.minutes(15))) func aShiftIsRecordedCorrectedAndTakenBack() throws {
    let files = try ProgramFiles()
    let configuration = try files.write(
      "checkpost.yaml",
      """
      roles: {node: true}
      node: {checkpost: BNP-A, database: \(files.path("node.db"))}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(files.path("control.sock"))}
      """)
    let service = try ServiceProcess(configuration)
    defer { service.end() }
    try service.read(until: "\"node_started\"")
    let shift = [
      "ba1pa1111 c", "बा १ पा २२२२", "ट्र", "ba1pa3333 tank", "c", "= b", "= ba1pa3334",
      "2222 b", "ba1pa12e4 c", "u", "u 99", "nonsense日 c", "l", "s", "q", "ba1pa9999 c",
    ]
    let outcome = try Program.run(
      ["desk", "--config", configuration], input: shift.joined(separator: "\n"))
    #expect(outcome.status == 0, "\(outcome.errors)")
    let said = outcome.output
    #expect(said.contains("Recorded: BA 1 PA 1111, car,"), "\(said)")
    #expect(said.contains("BA 1 PA 2222: which vehicle?"), "\(said)")
    #expect(said.contains("Recorded: BA 1 PA 2222 (बा १ पा २२२२), truck"), "\(said)")
    #expect(said.contains("tank is no vehicle"), "\(said)")
    #expect(said.contains("This plate was recorded"), "the same plate within a minute: \(said)")
    #expect(said.contains("a letter where digits belong"), "\(said)")
    #expect(said.contains("NOT RECORDED: plate:"), "\(said)")
    let queue = try Program.run(["queue", "list", "--json", "--config", configuration]).objects()
    let kept = queue.filter { $0["withdrawn_at"] == nil }.map {
      "\($0["plate_number"] as? String ?? "") \($0["vehicle_type"] as? String ?? "")"
    }
    // What was taken back does not count, nor what was typed after the end of the shift.
    #expect(
      kept == ["BA1PA1111 car", "BA1PA2222 truck", "BA1PA3334 bus", "BA1PA2222 bus"], "\(queue)")
  }
}
