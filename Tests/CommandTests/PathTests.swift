import EventLoop
import Foundation
import Testing
import Time

/// The commands of a checkpost and of the office, each as a user calls it.
@Suite(.ownThreads) struct PathTests {
  let files: ProgramFiles
  let configuration: String

  init() throws {
    files = try ProgramFiles()
    let directory = files.directory.path
    configuration = try files.write(
      "checkpost.yaml",
      """
      roles: {node: true, central: true}
      node: {checkpost: BNP-A, database: \(directory)/node.db}
      central: {database: \(directory)/central.db, http: {enabled: false}}
      log: {file: \(directory)/log.jsonl, format: off, mask_key_file: null}
      control: {socket: \(directory)/control.sock}
      """)
  }

  private func run(_ arguments: String..., input: String = "") throws -> Program.Outcome {
    try Program.run(arguments + ["--config", configuration], input: input)
  }

  // MARK: record

  @Test func aPassageIsRecordedOnce() throws {
    let arguments = [
      "record", "--plate", "बा १ पा १२३४", "--type", "car", "--at", "1709123456", "--phone",
      "+977 981 234 9801", "--config", configuration,
    ]
    let first = try Program.run(arguments)
    #expect(first.status == 0)
    #expect(first.lines == ["903f6178-1d77-5a73-b651-63f83b997eb3"])
    let again = try Program.run(arguments + ["--json"])
    #expect(again.status == 0)
    #expect(try again.objects().first?["outcome"] as? String == "already_recorded")
    #expect(try run("queue", "list", "--json").objects().count == 1)
  }

  @Test func whenItPassedIsWrittenAsForOtherCommands() throws {
    for (plate, time) in [("BA1PA1", "90m"), ("BA1PA2", "2026-03-14"), ("BA1PA3", "1709123456")] {
      let outcome = try run("record", "--plate", plate, "--type", "car", "--at", time)
      #expect(outcome.status == 0, "\(time): \(outcome.errors)")
    }
    let queue = try run("queue", "list", "--json").objects()
    #expect(queue.last?["recorded_at"] as? String == "2024-02-28T12:30:56Z")
    #expect(queue.count == 3)
  }

  @Test(arguments: [
    (["--plate", "BA 日 1", "--type", "car"], "U+65E5"),
    (["--plate", "BA1PA1", "--type", "spaceship"], "there are car"),
    (["--plate", "BA1PA1", "--type", "car", "--checkpost", "ABCDEFGHIJK"], "10 are the most"),
    (["--plate", "BA1PA1", "--type", "car", "--at", "1709123456000"], "milliseconds"),
    (["--plate", "BA1PA1", "--type", "car", "--at", "-5"], "negative"),
    (["--plate", "BA1PA1", "--type", "car", "--at", "noon"], "is no time"),
    (["--plate", "BA1PA1", "--type", "car", "--client-id", "7"], "is no UUID"),
  ])
  func whatIsWrongIsSaidInOneLine(arguments: [String], words: String) throws {
    let outcome = try Program.run(["record"] + arguments + ["--config", configuration])
    #expect(outcome.status == 64)
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.contains(words))
    #expect(outcome.output.isEmpty)
  }

  /// It is the clock that may be late: nobody is turned away for it. By decades it is not.
  @Test func aPassageAheadOfTheClockIsRecordedAndWaits() throws {
    let ahead = WallTime(epochSeconds: SystemClocks().wall().epochSeconds + 40 * 86_400).rfc3339
    let outcome = try run("record", "--plate", "BA1PA1", "--type", "car", "--at", ahead, "--json")
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("once the time is known"))
    #expect(outcome.errors.contains("in the future of this machine's clock"))
    #expect(outcome.errors.contains("checkpost queue date"))
    #expect(try outcome.objects().first?["undated"] as? Bool == true)
    let year = (Int(SystemClocks().wall().rfc3339.prefix(4)) ?? 0) + 57
    let sambat = try run(
      "record", "--plate", "BA1PA9", "--type", "car", "--at", "\(year)-01-01T00:00:00Z")
    #expect(sambat.status == 64)
    #expect(sambat.errors.hasPrefix("NOT RECORDED: "), "\(sambat.errors)")
    #expect(sambat.errors.contains("Bikram Sambat"))
    #expect(!sambat.errors.contains("timedatectl"))
    // A person may say that it was another time, once.
    let late = try run("queue", "date", "1", "--at", "2126-01-01T00:00:00Z")
    #expect(late.errors.contains("in the future of this machine's clock"))
    let dated = try run("queue", "date", "1", "--at", "2026-03-14T06:00:00+05:45", "--json")
    #expect(dated.status == 0, "\(dated.errors)")
    #expect(try dated.objects().first?["outcome"] as? String == "dated")
    let shown = try #require(try run("queue", "show", "1", "--json").objects().first)
    #expect(shown["recorded_at"] as? String == "2026-03-14T00:15:00Z")
    #expect(shown["undated"] == nil)
    #expect(try run("queue", "date", "1", "--at", "noon").status == 64)
    let taken = try run(
      "record", "--plate", "BA1PA2", "--type", "car", "--at", "2126-01-01T00:00:00Z", "--any-time",
      "--json")
    #expect(taken.status == 0)
    #expect(try taken.objects().first?["undated"] == nil)
  }

  @Test func aBrokenRowCostsItselfAlone() throws {
    let outcome = try run(
      "record", "--file", "-",
      input: """
        recorded_at,checkpost,plate,vehicle_type
        2026-03-14T00:15:00Z,BNP-A,BA 1 PA 1,car
        2026-03-14T00:16:00Z,BNP-A,"BA 1 PA 2,car
        2026-03-14T00:17:00Z,BNP-A,BA 1 PA 3
        2026-03-14T00:18:00Z,BNP-A,BA 1 PA 4,truck

        """)
    #expect(outcome.status == 65)
    #expect(outcome.lines.count == 2)
    #expect(outcome.errors.contains("line 3"))
    #expect(outcome.errors.contains("line 4"))
    #expect(outcome.errors.contains("2 of 4 passages were not recorded"))
    let queue = try run("queue", "list", "--json").objects()
    #expect(queue.map { $0["plate_number"] as? String } == ["BA1PA1", "BA1PA4"])
  }

  @Test func aPhoneNumberThatIsNoneIsNotTakenForAnUnknownOne() throws {
    let outcome = try run(
      "record", "--plate", "BA 1 PA 1", "--type", "car", "--phone", "abc")
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("--phone abc: is no phone number"))
    let encoded = try Program.run([
      "sms", "encode", "--checkpost", "BNP-A", "--plate", "BA 1 PA 1", "--type", "car", "--phone",
      "abc",
    ])
    #expect(encoded.status == 64)
    let file = try run(
      "record", "--file", "-",
      input: """
        recorded_at,checkpost,plate,vehicle_type,ranger_phone
        2026-03-14T00:15:00Z,BNP-A,BA 1 PA 1,car,abc
        2026-03-14T00:16:00Z,BNP-A,BA 1 PA 2,car,

        """)
    #expect(file.status == 65)
    #expect(file.lines.count == 1)
    #expect(file.errors.contains("line 2: ranger_phone \"abc\": is no phone number"))
  }

  /// A photograph never costs the passage.
  @Test func aPhotographThatIsNotThereIsLeftOut() throws {
    let outcome = try run(
      "record", "--plate", "BA 1 PA 1", "--type", "car", "--photo", "/nonexistent.jpg")
    #expect(outcome.status == 0)
    #expect(outcome.lines.count == 1)
    #expect(
      outcome.errors.contains(
        "the photograph is left out: /nonexistent.jpg: No such file or directory"))
  }

  @Test(arguments: [
    ("1763719200.5", "recorded_at is 1763719200.5"), ("true", "recorded_at is true"),
  ])
  func aMemberOfAnotherKindIsNotMissing(value: String, words: String) throws {
    let outcome = try run(
      "record", "--file", "-",
      input: "{\"plate\":\"BA1PA1\",\"vehicle_type\":\"bus\",\"recorded_at\":\(value)}\n")
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains(words))
  }

  @Test func jsonLinesAreReadToo() throws {
    let own = "0b6f3f0a-6a0c-4d3e-9a53-0d6f1c2b3a4d"
    let outcome = try run(
      "record", "--json", "--file", "-",
      input: """
        {"plate":"BA 1 PA 1","vehicle_type":"bus","recorded_at":1773450000,"client_id":"\(own)"}
        not json
        {"plate_number_raw":"BA 1 PA 2","vehicle_type":"TRK","recorded_at":"2026-03-14T01:00:00Z"}

        """)
    #expect(outcome.status == 65)
    let objects = try outcome.objects()
    #expect(objects.compactMap { $0["client_id"] as? String }.first == own)
    #expect(objects.compactMap { $0["error"] as? String } == ["bad_passage"])
    let queue = try run("queue", "list", "--json").objects()
    #expect(queue.first?["content_client_id"] is String)
  }

  @Test func aFileThatIsNotThereIsNamed() throws {
    let outcome = try run("record", "--file", "/nonexistent.csv")
    #expect(outcome.status == 74)
    #expect(outcome.errors.contains("/nonexistent.csv"))
  }

  @Test func databasesThatCannotBeUsedAreExplained() throws {
    let garbage = try files.write("garbage.db", String(repeating: "no database ", count: 500))
    for (path, status) in [(garbage, 65), ("/nonexistent/x.db", 78), (files.directory.path, 78)] {
      let broken = try files.write(
        "broken.yaml", "node: {checkpost: BNP-A, database: \(path)}")
      let outcome = try Program.run([
        "record", "--plate", "BA1PA1", "--type", "car", "--config", broken,
      ])
      #expect(outcome.status == Int32(status), "\(path)")
      #expect(outcome.errors.contains(path))
    }
  }

  // MARK: queue and status

  @Test func aPassageIsParkedAndRetried() throws {
    _ = try run("record", "--plate", "BA 1 PA 1", "--type", "car")
    #expect(try run("queue", "park", "1", "--reason", "wrong plate").status == 0)
    let parked = try run("queue", "show", "1", "--json").objects().first
    #expect(parked?["parked_reason"] as? String == "wrong plate")
    #expect(try run("queue", "list", "--status", "parked", "--json").objects().count == 1)
    #expect(try run("queue", "retry", "1").status == 0)
    let item = try run("queue", "show", "1", "--json").objects().first
    #expect(item?["parked_reason"] == nil)
    #expect(item?["text"] as? String == "waiting")
    for status in ["undelivered", "unknown"] {
      #expect(try run("queue", "list", "--status", status, "--json").output.isEmpty)
    }
    #expect(try run("queue", "list", "--status", "lost").errors.contains("undelivered, unknown"))
    #expect(try run("queue", "show", "7").status == 65)
    #expect(try run("queue", "show", "x").status == 64)
  }

  @Test func theStatusIsShownWithoutAService() throws {
    _ = try run("record", "--plate", "BA 1 PA 1", "--type", "car")
    let status = try #require(try run("status", "--json").objects().first)
    #expect((status["queue"] as? [String: Any])?["pending"] as? Int == 1)
    #expect((status["service"] as? [String: Any])?["running"] as? Bool == false)
    let shown = try run("status").output
    #expect(shown.contains("NOT RUNNING"))
    #expect(shown.contains("1 to be texted"))
    #expect(shown.contains("storage"))
    #expect(shown.contains("iB free"))
  }

  // MARK: central

  @Test func theDirectoryIsImported() throws {
    let segments = try files.write(
      "segments.csv", "name,distance_km,min_speed_kmh,max_speed_kmh\nBardia,45,10,40\nBad,0,1,2\n")
    let posts = try files.write(
      "posts.csv",
      "code,name,segment,position_index,phone\nBNP-A,A,Bardia,0,+9779801000001\nBNP-B,B,Nowhere,1,\n"
    )
    let rangers = try files.write(
      "rangers.csv", "name,phone,checkpost\nMaya,9812349801,BNP-A\nX,123,BNP-A\n")
    #expect(try run("central", "init").status == 0)
    let outcome = try run(
      "central", "import", "--segments", segments, "--posts", posts, "--rangers", rangers)
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("segments.csv, line 3"))
    #expect(outcome.errors.contains("posts.csv, line 3"))
    #expect(outcome.errors.contains("rangers.csv, line 3: phone \"123\" is no phone number"))
    #expect(outcome.lines.first?.hasPrefix("1 segment from") == true)
    #expect(outcome.errors.contains("not known"))
    let overview = try run("central", "init", "--json").objects().first
    #expect(overview?["posts"] as? Int == 1)
    #expect(overview?["rangers"] as? Int == 1)
    #expect(try run("central", "passages", "--json").output.isEmpty)
    #expect(try run("central", "inbox", "--json").output.isEmpty)
    #expect(try run("central", "inbox", "run", "3").status == 65)
    #expect(try run("central", "inbox", "run", "--any-sender").status == 64)
    let late = try run("central", "inbox", "run", "--any-time")
    #expect(late.status == 65)
    #expect(late.errors.contains("refused for its time"))
  }

  // MARK: modems

  @Test(arguments: [("/dev/nothing-here", 69), ("/tmp", 64), ("/etc/passwd", 64)])
  func aPortThatIsNoneIsExplained(port: String, status: Int) throws {
    let outcome = try run("modem", "info", "--port", port)
    #expect(outcome.status == Int32(status))
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.contains(port))
  }

  @Test func withoutAServiceAModemNeedsAPort() throws {
    #expect(try run("modem", "info", "--role", "foo").status == 64)
    let outcome = try run("modem", "info")
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains("not running"))
  }

  @Test func theDemoEndsWell() throws {
    // With the examples that are built in, wherever it is run.
    let files = try ProgramFiles()
    let place = files.path("place")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    let outcome = try Program.run(["demo", "--json"], environment: ["TMPDIR": place])
    #expect(outcome.status == 0)
    let result = try #require(try outcome.objects().first)
    #expect(result["whole"] as? Bool == true)
    #expect(result["recorded"] as? Int == 509)
    #expect(result["passages"] as? Int == 509)
    #expect(result["inbox_undecodable"] as? Int == 4)
    let lost = try Program.run(
      ["demo", "--examples", "/nonexistent"], environment: ["TMPDIR": place])
    #expect(lost.status == 74)
    #expect(lost.errors.contains("passages.csv"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: place) == [], "nothing stays")
  }
}
