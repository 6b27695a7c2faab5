import Glibc
import NodeCore
import NodeSQLite
import Passages
import SimulatedDisk
import Storage
import TestSupport
import Testing
import Time

/// The node's store on a disk whose power fails at every change: whatever it was doing is there whole or not
/// at all, and what it said is done is there.
@Suite struct StoreCutTests {
  /// How long the node works; `CHECKPOST_TEST_CUT_DAYS` sets it.
  static let days = getenv("CHECKPOST_TEST_CUT_DAYS").flatMap { Int(String(cString: $0)) } ?? 1

  @Test func aStoreIsMadeWholeOrNotAtAll() throws {
    let cuts = try Cuts()
    let life = try StoreLife(on: cuts.disk)
    try life.store.close()
    // Each image is a schema to be made: one way a change.
    let (_, wrong) = try judge(cuts, life, inEachWay: false)
    #expect(wrong == [])
  }

  @Test func everyTransactionIsThereWholeOrNotAtAll() throws {
    let cuts = try Cuts()
    var life = try StoreLife(on: cuts.disk)
    try life.live(days: StoreCutTests.days)
    let (images, wrong) = try judge(cuts, life, from: life.settledAt[0].changes)
    #expect(wrong == [])
    print("\(life.settledAt.count) transactions, \(images) images")
  }

  @Test func aDiskThatDoesNotSyncIsSeen() throws {
    let cuts = try Cuts()
    var life = try StoreLife(on: cuts.disk)
    cuts.disk.isLying = true
    try life.live(days: 1)
    let (_, wrong) = try judge(cuts, life, from: life.settledAt[0].changes)
    #expect(!wrong.isEmpty, "what was acknowledged went, and nobody saw it")
  }

  /// Opens the store as each power cut leaves it, and finds what is otherwise than before or after the
  /// transaction that was under way.
  private func judge(
    _ cuts: Cuts, _ life: StoreLife, from first: Int = 0, inEachWay: Bool = true
  ) throws -> (images: Int, wrong: [String]) {
    var (images, wrong) = (0, [String]())
    try life.standIn(for: cuts.image)
    try cuts.each(from: first, inEachWay: inEachWay) { changes, words in
      guard wrong.count < 5 else { return }
      images += 1
      do {
        let store = try SQLiteNodeStore(
          path: cuts.image.path, bootID: StoreLife.bootID, reserveBytes: 0)
        let found = try StoreLife.facts(of: store)
        try store.close()
        let done = life.settledAt.last { $0.changes <= changes }?.facts ?? []
        let next = life.settledAt.first { $0.changes > changes }?.facts ?? done
        if found != done, found != next { wrong.append("\(words): \(found), and not \(done)") }
      } catch let error as StorageError {
        wrong.append("\(words): \(error)")
      }
    }
    return (images, wrong)
  }
}
