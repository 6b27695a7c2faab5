import Foundation
import TestSupport
import Testing

/// `record --photo`, by the file and through a running service: the photograph is copied before the
/// passage is told as recorded.
@Suite(.ownThreads) struct RecordPhotoTests {
  private static let jpeg: [UInt8] =
    [
      0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63,
      0,
    ]
    + [0x12, 0x34, 0xFF, 0xD9]
  /// More than one part on its way to the service.
  private static let large = jpeg + [UInt8](repeating: 7, count: 700_000)

  private func configuration(_ files: ProgramFiles) throws -> String {
    try files.write(
      "checkpost.yaml",
      """
      roles: {node: true}
      node: {checkpost: BNP-A, database: \(files.path("node.db"))}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(files.path("control.sock"))}
      """)
  }

  private func photo(_ files: ProgramFiles, _ bytes: [UInt8]) throws -> String {
    let path = files.path("photo.jpg")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func record(_ configuration: String, _ photo: String) throws -> Program.Outcome {
    try Program.run([
      "record", "--plate", "BA 1 PA 9", "--type", "car", "--at", "2026-03-14T01:00:00Z",
      "--photo", photo, "--config", configuration,
    ])
  }

  private func kept(_ files: ProgramFiles) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: files.path("photos"))) ?? [])
      .filter { $0.hasSuffix(".jpg") }
  }

  /// Recorded twice: the photograph is kept once, and is the one of the queue.
  private func check(_ files: ProgramFiles, _ configuration: String) throws {
    let source = try photo(files, Self.large)
    for _ in 0..<2 {
      let outcome = try record(configuration, source)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.lines.count == 1)
    }
    let queue = try Program.run(["queue", "list", "--json", "--config", configuration]).objects()
    #expect(queue.count == 1)
    let name = try #require(queue.first?["photo_path"] as? String)
    let copy = try Data(contentsOf: URL(fileURLWithPath: files.path("photos/\(name)")))
    #expect(Array(copy) == Self.large)
  }

  @Test(.timeLimit(.minutes(15))) func aPhotographIsCopiedByTheFile() throws {
    let files = try ProgramFiles()
    try check(files, try configuration(files))
    #expect(kept(files).count == 1)
  }

  @Test(.timeLimit(.minutes(15))) func aPhotographIsHandedToTheService() throws {
    let files = try ProgramFiles()
    let configuration = try configuration(files)
    let service = try ServiceProcess(configuration)
    try service.read(until: "\"node_started\"")
    try check(files, configuration)
    service.end()
    #expect(kept(files).count == 1)
  }

  /// What there is to be said against photographs.
  private static let bad: [(bytes: [UInt8]?, words: String)] = [
    (Array("PK\u{3}\u{4}".utf8), "is a ZIP archive, not a JPEG or PNG photograph"),
    ([], "is empty"), (Array(jpeg.dropLast(2)), "is not whole"), (nil, "No such file"),
    (jpeg + [UInt8](repeating: 0, count: 2 << 20), "is larger than 2 MB"),
  ]

  /// Records a passage with each of them; none is lost, and each says why it has no photograph.
  private func recordBad(_ files: ProgramFiles, _ configuration: String) throws {
    for (number, (bytes, words)) in Self.bad.enumerated() {
      let source = files.path("bad.jpg")
      try? FileManager.default.removeItem(atPath: source)
      if let bytes { try Data(bytes).write(to: URL(fileURLWithPath: source)) }
      let outcome = try Program.run(
        [
          "record", "--plate", "BA 1 PA \(100 + number)", "--type", "car", "--photo", source,
          "--config", configuration,
        ], environment: ["PATH": "/nonexistent"])
      #expect(outcome.status == 0)
      #expect(outcome.lines.count == 1)
      #expect(outcome.errors.contains("the photograph is left out: \(source): "))
      #expect(outcome.errors.lowercased().contains(words.lowercased()), "\(outcome.errors)")
    }
    let queue = try Program.run(["queue", "list", "--json", "--config", configuration]).objects()
    #expect(queue.count == Self.bad.count)
    // Whoever asks for one of them is told why it has no photograph, by the service as well as by the file.
    for (number, (_, words)) in Self.bad.enumerated() {
      let asked = ["queue", "show", "\(number + 1)", "--config", configuration]
      let shown = try Program.run(asked + ["--json"]).objects().first
      let reason = try #require(shown?["photo_left_out"] as? String)
      #expect(reason.lowercased().contains(words.lowercased()))
      let page = try Program.run(asked)
      #expect(
        page.lines.contains("photograph    left out when it was recorded: \(reason)"),
        "\(page.lines)")
    }
    #expect(queue.allSatisfy { !($0["photo_path"] is String) })
    #expect(kept(files).isEmpty)
    let status = try Program.run(["status", "--json", "--config", configuration]).objects().first
    let problems = status?["problems"] as? [[String: Any]] ?? []
    let told = problems.first { $0["name"] as? String == "photos_left_out" }
    let words = try #require(told?["what"] as? String ?? told?["message"] as? String, "\(problems)")
    #expect(words.contains("\(Self.bad.count) passages were recorded without their photographs"))
  }

  @Test func aBadPhotographNeverCostsThePassage() throws {
    let files = try ProgramFiles()
    try recordBad(files, try configuration(files))
  }

  @Test(.timeLimit(.minutes(15))) func aBadPhotographNeverCostsThePassageOfAService() throws {
    let files = try ProgramFiles()
    let configuration = try configuration(files)
    let service = try ServiceProcess(configuration)
    try service.read(until: "\"node_started\"")
    try recordBad(files, configuration)
    for _ in Self.bad { try service.read(until: "\"photo_left_out\"") }
    service.end()
  }

  /// Nobody was there: the service tells of it when it finds the passages.
  @Test(.timeLimit(.minutes(15))) func aTableWithBadPhotographsIsRecorded() throws {
    let files = try ProgramFiles()
    let configuration = try configuration(files)
    let bad = try files.write("bad.jpg", "no photograph")
    let outcome = try Program.run(
      ["record", "--file", "-", "--config", configuration],
      input: """
        recorded_at,plate,vehicle_type,photo_path
        2026-03-14T01:00:00Z,BA 1 PA 1,car,\(bad)
        2026-03-14T01:00:01Z,BA 1 PA 2,car,

        """)
    #expect(outcome.status == 0)
    #expect(outcome.lines.count == 2)
    #expect(outcome.errors.contains("line 2: the photograph is left out: \(bad): is not a JPEG"))
  }

  /// A program of the system makes it smaller; what that does is played by a script.
  @Test func whatIsTooLargeIsScaledDown() throws {
    let files = try ProgramFiles()
    let configuration = try configuration(files)
    let small = files.path("small.jpg")
    try Data(Self.jpeg).write(to: URL(fileURLWithPath: small))
    let programs = files.path("bin")
    try FileManager.default.createDirectory(
      atPath: programs, withIntermediateDirectories: true)
    let program = "\(programs)/vipsthumbnail"
    try Data("#!/bin/sh\ncp \(small) ${6%%\\[*}\n".utf8).write(to: URL(fileURLWithPath: program))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let outcome = try Program.run(
      [
        "record", "--plate", "BA 1 PA 9", "--type", "car", "--config", configuration, "--photo",
        try photo(files, Self.jpeg + [UInt8](repeating: 0, count: 2 << 20)),
      ], environment: ["PATH": "\(programs):/usr/bin:/bin"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("the photograph is scaled down"))
    let name = try #require(kept(files).first)
    #expect(
      try Array(Data(contentsOf: URL(fileURLWithPath: files.path("photos/\(name)")))) == Self.jpeg)
  }

  @Test func aTableMayNamePhotographs() throws {
    let files = try ProgramFiles()
    let configuration = try configuration(files)
    let source = try photo(files, Self.jpeg)
    let outcome = try Program.run(
      ["record", "--file", "-", "--config", configuration],
      input: """
        recorded_at,plate,vehicle_type,photo_path
        2026-03-14T01:00:00Z,BA 1 PA 1,car,\(source)
        2026-03-14T01:00:01Z,BA 1 PA 2,car,elsewhere.jpg

        """)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let queue = try Program.run(["queue", "list", "--json", "--config", configuration]).objects()
    let paths = queue.compactMap { $0["photo_path"] as? String }
    #expect(paths.count == 2 && paths.contains("elsewhere.jpg"))
    #expect(kept(files).count == 1 && paths.contains(kept(files)[0]))
  }

  /// A directory that takes nothing costs the photograph, and not the passage.
  @Test func aPassageIsRecordedWhosePhotographCannotBeKept() throws {
    let files = try ProgramFiles()
    let configuration = try configuration(files)
    _ = try files.write("photos", "a file where the directory should be")
    let outcome = try record(configuration, try photo(files, Self.jpeg))
    #expect(outcome.status == 0)
    #expect(outcome.lines.count == 1)
    #expect(outcome.errors.contains("the photograph is left out"))
    #expect(outcome.errors.contains("node.photo_directory"))
  }
}
