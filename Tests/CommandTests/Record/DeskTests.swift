import Foundation
import NodeCore
import Passages
import TestSupport
import Testing

@testable import PassageFiles
@testable import checkpost

@Suite(.ownThreads) struct DeskLineTests {
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
    // No plate has a colon, and a time that stands first is not taken for one.
    for line in ["25:99 ba8pa8888 c", "18:10 ba8pa8888 c", "१८:१० बा८प८८८८ का"] {
      guard case .wrong = DeskLine(line) else {
        Issue.record("\(line): \(DeskLine(line))")
        return
      }
    }
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

/// What is meant by a line that names no passage.
@Suite struct DeskMemoryTests {
  private let client = ClientID(random: 1, 2)

  private func asking() throws -> DeskMemory {
    var memory = DeskMemory()
    memory.recorded(.recorded(client, queueID: 7), isKept: false)
    memory.ask(for: try #require(EntryLine("ba1pa2222")))
    return memory
  }

  @Test(arguments: ["c", "= c"]) func aVehicleIsThatOfThePlateThatWaits(_ line: String) throws {
    var memory = try asking()
    let (asked, dropped) = memory.take(DeskLine(line))
    #expect(asked == .entry(try #require(EntryLine("ba1pa2222 car"))))
    #expect(dropped == nil)
    #expect(memory.pending == nil)
  }

  @Test func aPlateIsPutRightBeforeItsVehicleIsKnown() throws {
    var memory = try asking()
    #expect(
      memory.take(DeskLine("= ba1pa3333")).line == .entry(try #require(EntryLine("ba1pa3333"))))
    memory = try asking()
    #expect(
      memory.take(DeskLine("=7 ba1pa3333")).line
        == .correct(queueID: 7, plate: "ba1pa3333", type: nil))
    #expect(memory.pending != nil)
  }

  @Test(arguments: [("u", true), ("ba1pa3333 c", true), ("q", true), ("ba1pa2222 c", false)])
  func whatIsNotAskedForAnyMoreIsTold(_ line: String, _ isTold: Bool) throws {
    var memory = try asking()
    let (asked, dropped) = memory.take(DeskLine(line))
    #expect((dropped != nil) == isTold)
    #expect(memory.pending == nil)
    if line == "u" { #expect(asked == .empty, "the passage before stays") }
  }

  @Test(arguments: ["", "s", "l", "w", "i", "?", "u 7", "u x"])
  func aQuestionBetweenForgetsNothing(_ line: String) throws {
    var memory = try asking()
    #expect(memory.take(DeskLine(line)).dropped == nil)
    #expect(memory.end()?.plate == "ba1pa2222")
  }

  /// What waits for the service has no number: the passage before it is not meant.
  @Test func theLastPassageIsTheLastThatWasTold() {
    var memory = DeskMemory()
    #expect(memory.last == .none)
    memory.recorded(.recorded(client, queueID: 7), isKept: false)
    memory.recorded(.recorded(client, queueID: 8), isKept: false)
    memory.recorded(.recorded(client, queueID: 0), isKept: true)
    #expect(memory.last == .kept)
    memory.recorded(.alreadyRecorded(client, queueID: 7), isKept: false)
    #expect(memory.last == .number(7))
    memory.forget(7)
    #expect(memory.last == .kept)
    memory.recorded(.identityTaken(client), isKept: false)
    #expect(memory.last == .kept)
  }
}

/// A shift at the desk: the program at a pipe beside a real service.
@Suite(.ownThreads) struct DeskTests {
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

  /// A plate whose vehicle is asked for is what is spoken of, until it is recorded, put right or taken back: no
  /// word about it changes the passage before, and none is left out without a word.
  @Test(.timeLimit(.minutes(15))) func aPlateThatWaitsForItsVehicleIsWhatIsMeant() throws {
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
      "ba1pa1111 c", "ba1pa2222", "u", "ba1pa3333", "s", "", "c", "ba1pa4444", "= ba1pa5555 b",
      "ba1pa6666", "ba1pa7777 c", "ba1pa8888", "ba1pa8888 m", "ba1pa9999",
    ]
    let outcome = try Program.run(
      ["desk", "--config", configuration], input: shift.joined(separator: "\n"))
    #expect(outcome.status == 0, "\(outcome.errors)")
    let said = outcome.output
    let queue = try Program.run(["queue", "list", "--json", "--config", configuration]).objects()
    let kept = queue.map {
      "\($0["plate_number"] as? String ?? "") \($0["vehicle_type"] as? String ?? "")"
        + ($0["withdrawn_at"] == nil ? "" : " withdrawn")
    }
    #expect(
      kept == [
        "BA1PA1111 car", "BA1PA3333 car", "BA1PA5555 bus", "BA1PA7777 car", "BA1PA8888 motorcycle",
      ], "\(said)")
    let missing = said.split(separator: "\n").filter { $0.contains("NOT RECORDED") }
    #expect(missing.count == 3, "\(said)")
    #expect(said.contains("NOT RECORDED: BA 1 PA 2222"), "\(said)")
    #expect(said.contains("NOT RECORDED: BA 1 PA 6666"), "\(said)")
    #expect(said.contains("NOT RECORDED: BA 1 PA 9999"), "\(said)")
  }
}
