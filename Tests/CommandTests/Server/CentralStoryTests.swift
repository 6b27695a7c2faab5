import EventLoop
import Foundation
import TestSupport
import Testing
import Time

/// Posts that work with a central of ours as they do with any server: nothing in them knows the difference.
@Suite(.ownThreads) struct CentralStoryTests {
  private var now: Int64 { SystemClocks().wall().epochSeconds }

  /// With a line alone: nobody texts.
  @Test(.timeLimit(.minutes(15)), arguments: CentralWorld.Store.here)
  func postsSyncWithTheCentralOverItsAPI(_ store: CentralWorld.Store) async throws {
    let world = try CentralWorld("offline_for: 1h", store: try await store.lines())
    var central = try world.startCentral()
    let east = try world.start(.east)
    let entered = try world.record(.east, "BA 1 PA 1234", at: now - 1_200, photo: try world.photo())
    try east.read(untilEach: "\"kind\":\"photo\"", "\"kind\":\"passage\"")
    let arrived = try central.read(until: "\"passage_arrived\"").split(separator: "\n").last ?? ""
    for field in [
      "\"vehicle_type\":\"car\"", "\"channel\":\"upload\"", "\"ranger_digits\":\"",
      "\"recorded_at\":\"",
    ] {
      #expect(arrived.contains(field), "\(field): \(arrived)")
    }
    #expect(arrived.contains(/"delay_seconds":1[2-9][0-9]{2}/), "\(arrived)")
    #expect(!arrived.contains("BA1PA1234"), "\(arrived)")
    let photos = try FileManager.default.contentsOfDirectory(atPath: world.files.path("photos"))
    #expect(photos.count == 1)
    let photo = try Data(
      contentsOf: URL(fileURLWithPath: world.files.path("photos/\(photos.first ?? "")")))
    #expect([UInt8](photo) == CentralWorld.photograph)

    // The other post fetches what passed here, and warns on the spot while the central is down.
    let west = try world.start(.west)
    central.kill()
    let left = try world.record(.west, "BA 1 PA 1234")
    let found = try west.read(until: "\"speeding_found\"")
    #expect(found.contains("\"entry_from\":\"server\""), "\(found)")
    let later = try world.record(.east, "BA 2 PA 1")
    central = try world.startCentral()
    try west.read(until: "\"uploaded\"")
    try east.read(until: "\"uploaded\"")
    try central.read(until: "\"violation_found\"")
    var standing = try world.standing()
    #expect(standing.rows.map(\.client).sorted() == [entered, left, later].sorted())
    #expect(standing.violations.map(\.kind) == ["speeding"])
    #expect(Set(standing.channels.values) == [["upload"]])

    // A plate that was read wrong is put right: it is another vehicle then, which was not too fast.
    try world.node(.east, "queue", "correct", entered, "--plate", "BA 1 PA 1235")
    try east.read(until: "\"kind\":\"correction\"")
    let retracted = try central.read(until: "\"violation_retracted\"")
    #expect(retracted.contains("\"cause\":\"correction\""), "\(retracted)")
    #expect(try world.standing().violations.isEmpty)
    try world.node(.east, "queue", "correct", entered, "--plate", "BA 1 PA 1234")
    try central.read(until: "\"violation_found\"")
    standing = try world.standing()
    #expect(standing.violations.map(\.kind) == ["speeding"])

    // The central's key is another after a new start: access tokens count no more, the sessions do.
    let before = try signIns(world)
    central.kill()
    try world.renewTokenKey()
    central = try world.startCentral()
    let next = try world.record(.west, "BA 2 PA 1")
    try west.read(until: "\"uploaded\"")
    try central.read(until: "\"violation_found\"")
    #expect(try signIns(world) == before, "the session was renewed, and nobody signed in again")
    standing = try world.standing()
    #expect(standing.rows.count == 4)
    #expect(standing.rows.first?.client == next)
    #expect(standing.violations.count == 2)
    for service in [east, west, central] { service.end() }
    #expect(!world.network.unread().contains { $0.contains("\"submitted\"") }, "no text")
  }

  /// Three posts on a road: the middle one watches both ends, each by its own segment, also without a line and after a
  /// restart; and an end is told of what came to the middle from the far end.
  @Test(.timeLimit(.minutes(15))) func theMiddlePostOfThreeWatchesBothEnds() throws {
    let world = try CentralWorld("offline_for: 1h", isRoad: true)
    var central = try world.startCentral()
    let far = try world.start(.far)
    var east = try world.start(.east)
    _ = try world.record(.east, "BA 1 PA 1", at: now - 1_200)
    try east.read(until: "\"uploaded\"")
    _ = try world.record(.far, "BA 1 PA 2", at: now - 600)
    _ = try world.record(.far, "BA 1 PA 3", at: now - 4_400)
    try far.read(untilEach: "\"uploaded\"", "\"uploaded\"")

    var west = try world.start(.west)
    let overdue = try west.read(until: "\"vehicle_overdue\"")
    // 12 km at 10 km/h are 72 minutes.
    #expect(overdue.contains("\"limit_seconds\":4320"), "\(overdue)")
    central.kill()
    west.end()
    west = try ServiceProcess(try world.settings(.west))
    try west.read(until: "\"modem_ready\"")
    let late = try world.node(.west, "overdue", "--json").objects()
    #expect(late.count == 1, "\(late)")
    _ = try world.record(.west, "BA 1 PA 1")
    // 45 km at 40 km/h are 67 and a half minutes, 12 km are 18.
    #expect(try west.read(until: "\"speeding_found\"").contains("\"limit_seconds\":4050"))
    _ = try world.record(.west, "BA 1 PA 2")
    #expect(try west.read(until: "\"speeding_found\"").contains("\"limit_seconds\":1080"))
    _ = try world.record(.west, "BA 1 PA 3")
    #expect(try west.read(until: "\"overstay_found\"").contains("\"limit_seconds\":4320"))
    #expect(try world.node(.west, "overdue", "--json").objects().isEmpty)

    central = try world.startCentral()
    try west.read(untilEach: "\"uploaded\"", "\"uploaded\"", "\"uploaded\"")
    #expect(
      try world.standing().violations.map(\.kind).sorted() == ["overstay", "speeding", "speeding"])
    // It came to the middle from the far end, and goes on to the near one, where a new machine stands by now.
    east.end()
    for ending in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: world.files.path("BNP-A.db\(ending)"))
    }
    east = try world.start(.east)
    _ = try world.record(.east, "BA 1 PA 2")
    #expect(try east.read(until: "\"speeding_found\"").contains("\"limit_seconds\":4050"))
    for service in [east, west, far, central] { service.end() }
  }

  private func signIns(_ world: CentralWorld) throws -> Int {
    try world.central(["users", "audit", "--json", "--limit", "10000"]).objects()
      .filter { $0["kind"] as? String == "signed_in" }.count
  }

  /// A post that was put back from a backup does not know what it sent: it sends all of it once more.
  @Test(.timeLimit(.minutes(15))) func whatIsSentAgainIsThereOnce() throws {
    let world = try CentralWorld("offline_for: 1h")
    let central = try world.startCentral()
    var east = try world.start(.east)
    let west = try world.start(.west)
    world.line.cut()
    try east.read(until: "\"offline\"")
    let photo = try world.photo()
    let passages = try (1...3).map { number in
      try world.record(
        .east, "BA 1 PA \(number)", at: now - 1_200 - Int64(number),
        photo: number == 1 ? photo : nil)
    }
    let saved = world.files.path("saved.db")
    try world.node(.east, "backup", saved)
    world.line.mend()
    for _ in passages { try east.read(until: "\"kind\":\"passage\"", "\"known\":false") }
    try east.read(until: "\"kind\":\"photo\"")
    _ = try world.record(.west, "BA 1 PA 1")
    try central.read(until: "\"violation_found\"")
    let before = try world.standing()

    east.end()
    try world.node(.east, "restore", saved, "--force")
    east = try ServiceProcess(try world.settings(.east))
    for _ in passages { try east.read(until: "\"kind\":\"passage\"", "\"known\":true") }
    #expect(try world.standing() == before)
    #expect(before.rows.count == 4 && before.violations.count == 1)
    for service in [east, west, central] { service.end() }
  }

  /// An account of another post: the post is told what is wrong, and nothing of it is taken.
  @Test(.timeLimit(.minutes(15))) func thePostOfAnotherAccountIsToldSo() throws {
    let world = try CentralWorld("offline_for: 1h")
    let central = try world.startCentral()
    let east = try ServiceProcess(try world.settings(.east, as: .west))
    _ = try world.record(.east, "BA 1 PA 1")
    let log = try east.read(untilEach: "\"impaired\"", "\"directory_fault\"")
    #expect(log.contains("assigned to post BNP-B on the server"), "\(log)")
    #expect(try world.standing().rows.isEmpty)
    east.end()
    central.end()
  }

  /// Vehicles pass while neither post has a line: texts tell of them. When the line returns all of it comes once
  /// more, and changes nothing but that it is better known.
  @Test(.timeLimit(.minutes(15)), arguments: CentralWorld.Store.here)
  func uploadsMergeWithTheTextsOfAnOutage(_ store: CentralWorld.Store) async throws {
    let world = try CentralWorld("offline_for: 1s", store: try await store.lines())
    let central = try world.startCentral()
    let east = try world.start(.east)
    let west = try world.start(.west)
    world.line.cut()
    try east.read(until: "\"offline\"")
    try west.read(until: "\"offline\"")
    let start = now
    // Too fast, as it ought to be, and too slow, on 45 km at 10 to 40 km/h.
    let took: [Int64] = [1_200, 5_000, 20_000]
    let photo = try world.photo()
    for (number, seconds) in took.enumerated() {
      let photo = number == 0 ? photo : nil
      _ = try world.record(.east, "BA 1 PA \(number + 1)", at: start - seconds, photo: photo)
    }
    for number in 1...took.count {
      _ = try world.record(.west, "BA 1 PA \(number)", at: start)
    }
    for _ in 0..<(2 * took.count) { try central.read(until: "\"passage_arrived\"") }
    for _ in took { try east.read(until: "\"text_delivered\"") }
    for _ in took { try west.read(until: "\"text_delivered\"") }
    let before = try world.standing()
    #expect(before.rows.count == 6)
    #expect(before.rows.allSatisfy { $0.partner != nil && $0.ranger != nil })
    #expect(before.violations.map(\.kind).sorted() == ["overstay", "speeding"])
    #expect(Set(before.channels.values) == [["text"]])
    #expect(before.doubts == ["by_text_alone"])

    world.line.mend()
    for service in [east, west] {
      for _ in took { try service.read(until: "\"kind\":\"passage\"", "\"known\":true") }
    }
    try east.read(until: "\"kind\":\"photo\"")
    // A text that the network hands over once more, now that the upload is there.
    let again = try world.central(["inbox", "list", "--state", "decoded", "--json"]).objects()
    let text = try #require(again.first?["body"] as? String)
    let from = try #require(again.first?["from"] as? String)
    world.network.request(
      "{\"sms\":{\"from\":\"\(from)\",\"text\":\"\(text)\"},\"modem\":2}")
    try central.read(until: "\"passage_repeated\"")
    let after = try world.standing()
    #expect(after.judged == before.judged)
    #expect(Set(after.channels.values) == [["text", "upload"]])
    #expect(after.doubts.isEmpty)
    for service in [east, west, central] { service.end() }
    let texts = world.network.unread().filter { $0.contains("\"submitted\"") }
    #expect(texts.count == 6, "each was texted once")
  }
}
