import EventLoop
import Foundation
import JSON
import ServerModel
import ServerSimulator
import TestSupport
import Testing
import Time

/// What becomes of a passage that is recorded while there is no line, from the beginning to the end.
@Suite(.ownThreads) struct StoryTests {
  @Test(.timeLimit(.minutes(15))) func aPassageOfAnOutageIsTextedPushedMatchedAndThereOnce() throws
  {
    let world = try ServerWorld()
    defer { world.end() }
    // The vehicle came in at the other post, twenty minutes ago: too fast for 45 km.
    let entry = WallTime(epochSeconds: SystemClocks().wall().epochSeconds - 1_200)
    _ = world.server.withModel { model in
      model.put(
        [
          "client_id": "6f1a2b3c-0000-4000-8000-000000000001", "plate_number": "BA1PA1234",
          "vehicle_type": "car", "checkpost_id": .text(ServerModel.Pilot.west),
          "segment_id": .text(ServerModel.Pilot.segment),
          "ranger_id": .text(ServerModel.Pilot.westRanger), "recorded_at": .text(entry.rfc3339),
        ], into: "vehicle_passages")
    }
    let service = try ServiceProcess(world.configuration)
    // With a line: it signs in, learns its place, and pulls what passed at the other post.
    try service.read(untilEach: "\"directory_learned\"", "\"modem_ready\"")
    #expect(try world.hasPulled())

    // The line goes. What is recorded now is matched with what was pulled, and leaves as a text.
    world.server.behave { $0.isAway = true }
    try service.read(until: "\"offline\"")
    let photo = try photograph(world)
    let client = try world.record(1_234, "--photo", photo)
    try service.read(untilEach: "\"text_accepted\"", "\"speeding_found\"")
    let submitted = try #require(
      try world.modem.read(until: "\"submitted\"").last { $0.contains("\"submitted\"") })
    let event = try #require(
      try JSONSerialization.jsonObject(with: Data(submitted.utf8)) as? [String: Any])
    try world.arrive(text: try #require(event["text"] as? String))
    #expect(world.rows.count == 2)

    // The line returns: the server has the passage from its text already, and the node sees that.
    world.server.behave { $0.isAway = false }
    let log = try service.read(untilEach: "\"uploaded\"", "\"kind\":\"photo\"")
    #expect(log.contains("\"known\":true"), "the server had it")
    let mine = try #require(world.rows.first { $0["client_id"]?.text == client })
    #expect(world.rows.count == 2, "there is one row of it")
    #expect(mine["matched_passage_id"]?.text != nil, "the server paired it")
    let path = try #require(mine["photo_path"]?.text)
    #expect(world.server.withModel { $0.file("passage-photos/\(path)") } != nil)
    #expect(world.server.withModel { $0.count(of: "violations") } == 1)
    let item = try #require(try world.queue().first)
    #expect(item["status"] as? String == "synced")
    service.end()
    #expect(world.modem.unread().filter { $0.contains("\"submitted\"") }.isEmpty, "one text, once")
  }

  /// A small photograph: a JPEG's frame of 16 by 16, a scan and its end.
  private func photograph(_ world: ServerWorld) throws -> String {
    let path = world.files.path("photo.jpg")
    let bytes: [UInt8] =
      [0xFF, 0xD8, 0xFF, 0xC0, 0x00, 0x0B, 0x08, 0x00, 0x10, 0x00, 0x10, 0x01, 0x01, 0x11, 0x00]
      + [0xFF, 0xDA, 0x00, 0x08, 0x01, 0x01, 0x00, 0x00, 0x3F, 0x00]
      + [UInt8](repeating: 0x55, count: 400) + [0xFF, 0xD9]
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }
}
