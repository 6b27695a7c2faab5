import Foundation
import GRDB
import NodeCore
import Passages
import SQLiteFile
import Storage
import TestSupport
import Testing
import Time

@testable import NodeSQLite

/// A damaged file: what is legible goes on, and the file is kept.
@Suite struct SalvageTests {
  private static let passages: Int64 = 300
  private let directory: TemporaryDirectory
  private let path: String
  private let moment = Moment(
    boot: BootInstant(nanoseconds: 9_000_000_000_000), wall: WallTime(epochSeconds: 1_800_001_000))

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("node.db")
  }

  private func open(_ path: String, salvages: Bool = true) throws -> SQLiteNodeStore {
    try SQLiteNodeStore(path: path, bootID: "a", reserveBytes: 0, salvages: salvages)
  }

  /// Hundreds of passages: each seventh is on the server, each twentieth was texted.
  private func image() throws -> [UInt8] {
    let store = try open(path)
    let requests = (1...Self.passages).map { RecordRequest(samplePassage($0)) }
    _ = try store.record(requests, at: moment)
    for number in stride(from: 7, through: Self.passages, by: 7) {
      let upload = try store.uploads(of: number)[0].id
      try store.transaction { transaction throws(StorageError) in
        try transaction.apply(.claimed([upload]), at: moment)
        try transaction.apply(.synced(upload, serverID: nil), at: moment)
      }
    }
    for number in stride(from: 20, through: Self.passages, by: 20) where number % 7 != 0 {
      try store.transaction { transaction throws(StorageError) in
        let intent = TextIntent(
          id: TextID(number), queueID: number, modem: ModemID(0), to: "+9779800000001",
          body: samplePassage(number).v1Body)
        try transaction.apply(.intent(intent), at: moment)
        try transaction.apply(
          .outcome(TextID(number), .accepted(references: [1]), .texted), at: moment)
      }
    }
    try store.close()
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private func put(_ bytes: [UInt8]) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
      try FileManager.default.removeItem(atPath: directory.file(name))
    }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// The first page of this kind that has these words.
  private func page(_ bytes: [UInt8], kind: UInt8, with words: String) throws -> Range<Int> {
    let pages = stride(from: 4_096, to: bytes.count, by: 4_096).map { $0..<$0 + 4_096 }
    return try #require(
      pages.first { page in
        bytes[page.lowerBound] == kind
          && Data(bytes[page]).range(of: Data(words.utf8)) != nil
      })
  }

  private func tallies(_ store: SQLiteNodeStore) throws -> [String: Int] {
    try store.file.read { database in
      var found: [String: Int] = [:]
      for row in try Row.fetchAll(
        database,
        sql: """
          SELECT status, count(*) FROM queue GROUP BY status
          UNION ALL SELECT 'waiting', count(*) FROM text_deliveries WHERE due_t IS NOT NULL
          """)
      { found[row[0]] = row[1] }
      return found
    }
  }

  @Test func aPageOfPassagesTakesNoOtherWithIt() throws {
    var bytes = try image()
    let whole = try open(path)
    let texted = try whole.overview(at: moment.boot).textsLastDay
    try whole.close()
    for place in try page(bytes, kind: 0x0D, with: samplePassage(140).v1Body) {
      bytes[place] = 0xFF
    }
    try put(bytes)
    #expect(throws: StorageError.self) { try open(path, salvages: false) }

    let store = try open(path)
    let salvage = try #require(store.salvage)
    #expect(salvage.unreadable > 0 && salvage.unreadable < 40)
    #expect(salvage.passages + salvage.unreadable == Int(Self.passages))
    #expect(salvage.unsynced > 0 && salvage.unsynced < salvage.unreadable)
    #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: salvage.file))) == bytes)
    #expect(try store.item(140) == nil)
    let overview = try store.overview(at: moment.boot)
    #expect(overview.textsLastDay == texted, "what was sent stays charged")
    #expect(overview.salvage == salvage)

    // What the server has stays known, and what it lacks may be recorded again.
    let missing = try #require(
      try (1...Self.passages).first { number in
        guard number % 7 != 0 else { return false }
        return try store.item(number) == nil
      })
    let again = try store.record(
      [140, missing].map { RecordRequest(samplePassage($0)) }, at: moment)
    #expect(
      again == [
        .alreadyRecorded(samplePassage(140).clientID, queueID: 140),
        .recorded(samplePassage(missing).clientID, queueID: Self.passages + 1),
      ])

    try FileManager.default.removeItem(atPath: salvage.file)
    #expect(try store.overview(at: moment.boot).salvage == nil)
    try store.close()
    #expect(try open(path).salvage == nil)
  }

  /// Whichever page it is (each third is tried), the store opens, counts what it has, and goes on.
  @Test func everyPageMayBeDamaged() throws {
    let whole = try image()
    var salvaged = 0
    for page in stride(from: 4_096, to: whole.count, by: 3 * 4_096) {
      var bytes = whole
      for place in page..<page + 4_096 { bytes[place] = 0xFF }
      try put(bytes)
      let store = try open(path)
      let now = Moment(boot: store.clock.time(at: .zero + .seconds(9_001)), wall: moment.wall)
      let overview = try store.overview(at: now.boot)
      let counts = try tallies(store)
      #expect(overview.pending == counts["pending"] ?? 0, "page \(page / 4_096)")
      #expect(overview.synced == counts["synced"] ?? 0, "page \(page / 4_096)")
      #expect(overview.waitingForText == counts["waiting"] ?? 0, "page \(page / 4_096)")
      if let salvage = store.salvage {
        salvaged += 1
        #expect(salvage.passages == overview.pending + overview.synced, "page \(page / 4_096)")
      }
      // The clock never falls behind what is written down.
      let newest = try store.file.read { database in
        try Int64.fetchOne(database, sql: "SELECT max(since_t) FROM passages") ?? 0
      }
      #expect(now.boot.nanoseconds >= newest, "page \(page / 4_096)")
      let outcome = try store.record([RecordRequest(samplePassage(9_000))], at: now)
      #expect(outcome.count == 1)
      try store.close()
    }
    #expect(salvaged > 5)
  }

  /// The check of a large file's start does not look at every page; what was met while running is remembered.
  @Test func whatWasMetWhileRunningIsLookedForAtTheNextStart() throws {
    var bytes = try image()
    // An index that does not say what its table says, which a quick look does not compare.
    let page = try page(bytes, kind: 0x0A, with: samplePassage(140).plate.compact)
    let words = Data(samplePassage(140).plate.compact.utf8)
    let place = try #require(Data(bytes[page]).range(of: words)).lowerBound
    bytes[page.lowerBound + place + words.count - 1] ^= 1
    try put(bytes)
    let store = try open(path)
    #expect(store.salvage == nil)
    #expect(throws: StorageError.self) {
      try store.transaction { _ throws(StorageError) in
        throw StorageError.corrupt(path: path, detail: "met while running")
      }
    }
    try store.close()
    let next = try open(path)
    let salvage = try #require(next.salvage)
    #expect((salvage.passages, salvage.unreadable) == (Int(Self.passages), 0))
    #expect(salvage.isWhole)
    try next.close()
    #expect(try open(path).salvage == nil)
  }

  /// A salvage that ended between its two names is done again, with the log that has the other name already.
  @Test func whatEndedOnTheWayBeginsAnew() throws {
    var bytes = try image()
    for place in try page(bytes, kind: 0x0D, with: samplePassage(140).v1Body) {
      bytes[place] = 0xFF
    }
    try put(bytes)
    try FileManager.default.linkItem(atPath: path, toPath: path + ".corrupt-1")
    let store = try open(path)
    #expect(store.salvage?.file == path + ".corrupt-1")
    #expect(try #require(store.salvage).passages > 260)
    try store.close()
  }

  @Test func whatIsNotDamagedIsNeverSetAside() throws {
    try Data("text".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: StorageError.self) { try open(path) }
    try Data().write(to: URL(fileURLWithPath: path))
    #expect(throws: StorageError.self) { try open(path) }
    for error in [
      StorageError.deviceFailed(path: path, detail: "disk I/O error"), .diskFull(path: path),
      .locked(path: path), .readOnlyFileSystem(path: path), .newerSchema(path: path),
    ] {
      #expect(try NodeSalvage.tryToSave(path, error) == nil)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["node.db"])
  }
}
