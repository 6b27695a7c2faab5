import Foundation
import GRDB
import NodeCore
import SQLiteFile
import Testing
import Timing

@testable import PassageStore

/// A file that an older program wrote.
@Suite struct MigrationTests {
  @Test func aFileOfTheFirstVersionKeepsItsTexts() throws {
    let directory = NSTemporaryDirectory() + "checkpost-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = directory + "/node.db"
    let old = try SQLiteFile.open(
      path, applicationID: Schema.applicationID, migrations: DatabaseMigrator())
    try Schema.migrations.migrate(old, upTo: "1: passages, queue, texts, log, inbox")
    try old.write { database in
      for (id, outcome) in [(1, "accepted"), (2, "not_sent"), (3, "intent")] {
        try database.execute(
          sql: """
            INSERT INTO texts (id, modem, recipient, recipient_tail, body, intent_t, intent_ms)
            VALUES (?, 0, '+9779800000000', '800000000', 'text', ?, 0)
            """, arguments: [id, Int64(id) * 1_000_000_000])
        try database.execute(
          sql: "UPDATE texts SET outcome = ? WHERE id = ? AND outcome <> ?",
          arguments: [outcome, id, outcome])
      }
    }
    try old.close()
    let store = try PassageStore(path: path, bootID: "boot-1")
    defer { try? store.close() }
    let facts = try store.recover(
      rules: NodeRules(),
      at: Moment(boot: .zero + .seconds(60), wall: WallTime(epochSeconds: 1_800_000_000)))
    #expect(facts.nextTextID == 4)
    #expect(facts.intents == 1)
    // What never left cost nothing.
    #expect(facts.charges == [.zero + .seconds(1), .zero + .seconds(3)])
  }
}
