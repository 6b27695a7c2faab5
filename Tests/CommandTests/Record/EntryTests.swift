import NodeCore
import Passages
import Settings
import Testing
import Time

@testable import PassageFiles

/// What a person types, and what a person would want to hear of it.
@Suite(.ownThreads) struct EntryTests {
  private let now = WallTime(epochSeconds: 1_795_263_731)

  private func passage(_ plate: String, at ahead: Int64 = 0) throws -> Passage {
    try Passage(
      recording: try Plate(plate), vehicleType: .car, checkpost: try CheckpostCode("BNP-A"),
      recordedAt: now + .seconds(ahead), suffix: .unknown)
  }

  @Test(
    arguments: [
      ("ba1pa1234 c", "ba1pa1234", "c", nil), ("BA 1 PA 1234 car", "BA 1 PA 1234", "car", nil),
      ("BA 1 PA 1234, t, 18:10", "BA 1 PA 1234", "t", "18:10"),
      ("बा १ पा १२३४ का", "बा १ पा १२३४", "का", nil), ("ba1pa1234", "ba1pa1234", nil, nil),
      ("BA 1 PA 1234", "BA 1 PA 1234", nil, nil), ("ba1pa1234 lorry", "ba1pa1234", "lorry", nil),
      ("ba1pa1234 b 10m", "ba1pa1234", "b", "10m"),
    ] as [(String, String, String?, String?)])
  func aLineIsAPlateATypeAndATime(
    line: String, plate: String, type: String?, time: String?
  ) throws {
    let entry = try #require(EntryLine(line))
    #expect(entry.plate == plate)
    #expect(entry.type == type)
    #expect(entry.time == time)
  }

  @Test func typesHaveShortNamesOfTheirOwn() {
    let names = EntryLine.types.flatMap(\.names)
    #expect(Set(names).count == names.count)
    #expect(Set(EntryLine.types.map(\.type)) == Set(VehicleType.allCases))
    #expect(EntryLine.type("C") == .car)
    #expect(EntryLine.type("ट्र") == .truck)
    #expect(EntryLine.type("motorcycle") == .motorcycle)
    #expect(EntryLine.type("q") == nil)
    #expect(EntryLine("  ") == nil)
  }

  @Test(arguments: [
    ("BA 1 PA 12E4", "12E4"), ("BA1PA12E4", "12E4"), ("बा १ पा १२क४", "१२क४"),
    ("BA 1 PA 1O34", "1O34"),
  ])
  func aLetterAmongDigitsIsToldOf(plate: String, part: String) throws {
    #expect(EntryWarning.of(try passage(plate), now: now) == [.letterInNumber(part)])
  }

  @Test(arguments: [
    "BA 1 PA 1234", "बा १ पा १२३४", "BA1PA1", "BR-06-PA-1234", "BAGMATI 02 033 CHA 1234", "CD 12 345",
  ])
  func plainPlatesAreNotDoubted(plate: String) throws {
    #expect(EntryWarning.of(try passage(plate), now: now).isEmpty)
  }

  @Test func aPostOrATimeThatCannotBeIsToldOf() throws {
    let posts = ["BNP-B", "BNP-C"]
    #expect(
      EntryWarning.of(try passage("BA1PA1234"), now: now, posts: posts)
        == [.unknownPost("BNP-A", known: posts)])
    #expect(EntryWarning.of(try passage("BA1PA1234"), now: now, posts: ["BNP-A", "BNP-B"]).isEmpty)
    // Half a directory tells of no post that it is not there.
    #expect(EntryWarning.of(try passage("BA1PA1234"), now: now, posts: ["BNP-B"]).isEmpty)
    #expect(
      EntryWarning.of(try passage("BA1PA1234", at: 60), now: now) == [.future(seconds: 60)])
    #expect(EntryWarning.of(try passage("BA1PA1234", at: -60), now: now).isEmpty)
    for (seconds, span) in [
      (119, "119 s"), (7_199, "119 min"), (172_799, "47 h"), (172_800, "2 days"),
    ] {
      #expect(EntryWarning.future(seconds: Int64(seconds)).words.contains(" \(span) in the future"))
    }
  }

  @Test func theSameVehicleWithinAMinuteIsToldOf() throws {
    let passage = try passage("BA 1 PA 1234")
    func warning(_ plate: String, _ post: String, _ before: Int64, numbered number: Int64 = 8)
      -> EntryWarning?
    {
      EntryWarning.sameVehicle(
        as: passage, numbered: number,
        among: [(queueID: 7, plate: plate, checkpost: post, at: now - .seconds(before))])
    }
    #expect(warning("BA1PA1234", "BNP-A", 20) == .sameVehicle(seconds: 20, queueID: 7))
    #expect(warning("BA1PA1234", "BNP-A", 61) == nil)
    #expect(warning("BA1PA1235", "BNP-A", 20) == nil)
    #expect(warning("BA1PA1234", "BNP-B", 20) == nil)
    #expect(warning("BA1PA1234", "BNP-A", 0, numbered: 7) == nil, "itself")
  }

  // MARK: Times that are the writer's mistake

  @Test(arguments: [
    ("2083-08-05T10:00:00Z", "Bikram Sambat"), ("3020816000", "years in the future"),
    ("2126-01-01T00:00:00Z", "100 years in the future"),
  ])
  func aTimeFarAheadIsTheWritersMistake(time: String, words: String) throws {
    var settings = Settings().node
    settings.checkpost = "BNP-A"
    var row = PassageRow(line: 2)
    (row.plate, row.vehicleType, row.recordedAt) = ("BA1PA1", "car", time)
    let checker = PassageChecker(settings: settings, now: now, future: .seconds(120))
    let fault = #expect(throws: PassageChecker.Fault.self) { try checker.request(row) }
    #expect(fault?.words.contains(words) == true || time == "3020816000", "\(fault?.words ?? "")")
    #expect(fault?.words.contains("clock") == false)
    // A person who says that it comes from elsewhere is taken at their word.
    let any = PassageChecker(settings: settings, now: now, future: nil)
    #expect(try any.request(row).passage.isUndated == false)
    // A clock that was never set judges nobody.
    let unset = PassageChecker(
      settings: settings, now: WallTime(epochSeconds: 60), future: .seconds(120))
    _ = try unset.request(row)
  }

  @Test func aTimeALittleAheadIsKeptAndWaits() throws {
    var settings = Settings().node
    settings.checkpost = "BNP-A"
    var row = PassageRow(line: 2)
    (row.plate, row.vehicleType) = ("BA1PA1", "car")
    row.recordedAt = (now + .seconds(40 * 86_400)).rfc3339
    let checker = PassageChecker(settings: settings, now: now, future: .seconds(120))
    #expect(try checker.request(row).passage.isUndated)
  }

  // MARK: What is typed into a pipe

  private func rows(_ parts: [String]) throws -> [PassageRow] {
    var reader = PassageReader(name: "standard input", isTyped: true)
    var entries: [PassageReader.Entry] = []
    for part in parts { entries += try reader.read(Array(part.utf8)) }
    entries += try reader.finish()
    return entries.compactMap { try? $0.get() }
  }

  @Test func linesWithoutColumnsAreRead() throws {
    let rows = try rows(["ba1pa", "1 c\nBA 1 PA 2 bu", "s\n\nBA1PA3, t, 18:10"])
    #expect(rows.map(\.plate) == ["ba1pa1", "BA 1 PA 2", "BA1PA3"])
    #expect(rows.map(\.vehicleType) == ["car", "bus", "truck"])
    #expect(rows.map(\.recordedAt) == [nil, nil, "18:10"])
    #expect(rows.map(\.line) == [1, 2, 4])
  }

  @Test func columnsMayLackTheTime() throws {
    let rows = try rows(["plate,vehi", "cle_type\nBA1PA1,car\n"])
    #expect(rows.map(\.plate) == ["BA1PA1"])
    #expect(rows.map(\.recordedAt) == [nil])
    let json = try self.rows(["{\"plate\":\"BA1PA1\",\"vehicle_type\":\"car\"}"])
    #expect(json.map(\.plate) == ["BA1PA1"])
    #expect(throws: PassageReader.TableFault.self) { try self.rows(["plate\nBA1PA1\n"]) }
    var file = PassageReader(name: "passages.csv")
    #expect(throws: PassageReader.TableFault.self) {
      try file.read(Array("plate,vehicle_type\nBA1PA1,car\n".utf8))
    }
  }
}
