import Accounts
import CentralCore
import Storage
import Testing
import Time

/// Messages that a person looked at: they stay, and wait no more.
struct DismissalTests {
  private let stranger = "+9779812345678"

  /// Four that are no passage, of two senders and for two reasons, and one that is.
  private func bench(_ kind: StoreKind) throws -> Bench {
    let bench = try Bench(kind)
    try bench.receive("nonsense", id: "SM1", from: stranger)
    try bench.receive("more nonsense", id: "SM2", from: stranger)
    try bench.receive("nonsense, too", id: "SM3")
    try bench.receive(text(0), id: "SM4", from: stranger)
    try bench.receive(text(1), id: "SM5")
    return bench
  }

  private func dismiss(
    _ bench: Bench, _ change: (inout InboxDismissal) -> Void = { _ in }
  ) throws -> Int64 {
    var dismissal = InboxDismissal(by: "uid 1000")
    change(&dismissal)
    return try bench.store.dismiss(dismissal, at: bench.wall + .seconds(60))
  }

  @Test(arguments: StoreKind.all) func whatWasLookedAtWaitsNoMore(_ kind: StoreKind) throws {
    let bench = try bench(kind)
    #expect(try bench.store.overview().undecodable == 4)
    #expect(try dismiss(bench) { $0.ids = [1, 5, 99] } == 1)
    #expect(try dismiss(bench) { $0.ids = [1] } == 0)
    try bench.reopen()
    let item = try #require(try bench.store.inboxItem(1))
    #expect(item.dismissal == .init(at: bench.wall + .seconds(60), by: "uid 1000"))
    #expect((item.state, item.body) == (.undecodable, "nonsense"))
    #expect(try bench.store.inboxItem(2)?.dismissal == nil)
    #expect(try bench.store.inboxItem(5)?.dismissal == nil)
    let overview = try bench.store.overview()
    #expect((overview.undecodable, overview.received) == (3, 5))
    #expect(
      try bench.store.inbox(state: .undecodable, isDismissed: false).map(\.id) == [4, 3, 2])
    #expect(try bench.store.inbox(isDismissed: true).map(\.id) == [1])
    #expect(try bench.store.inbox(state: .undecodable).count == 4)
    // It counts no more where it is asked how many more may wait, and is not run again with the others.
    #expect(try bench.store.ingress(rules: bench.rules, at: bench.wall).quarantine.count == 3)
    let again = try bench.store.reprocessAll(rules: bench.rules, at: bench.wall)
    #expect(again.messages.map(\.id) == [2, 3, 4])
    #expect(try bench.store.inboxItem(1)?.dismissal != nil)
  }

  @Test(arguments: StoreKind.all) func theyAreChosenByReasonSenderAndTime(_ kind: StoreKind) throws
  {
    let bench = try bench(kind)
    #expect(try dismiss(bench) { $0.before = bench.wall } == 0)
    #expect(
      try dismiss(bench) {
        $0.reason = Reason.sender
        $0.before = bench.wall + .seconds(1)
      } == 1)
    #expect(try bench.store.inbox(isDismissed: true).map(\.id) == [4])
    #expect(try dismiss(bench) { $0.sender = "981-234 5678" } == 2)
    #expect(try bench.store.inbox(state: .undecodable, isDismissed: false).map(\.id) == [3])
    #expect(try dismiss(bench) == 1)
    #expect(try bench.store.overview().undecodable == 0)
  }

  /// Whoever runs one again by its number takes it up: it is a passage then, or waits once more.
  @Test(arguments: StoreKind.all) func oneThatIsRunAgainIsDismissedNoMore(_ kind: StoreKind) throws
  {
    let bench = try bench(kind)
    #expect(try dismiss(bench) == 4)
    #expect(try bench.reprocess(4, waiving: .anySender).count == 1)
    let taken = try #require(try bench.store.inboxItem(4))
    #expect((taken.state, taken.dismissal) == (.decoded, nil))
    #expect(try bench.reprocess(1).count == 1)
    #expect(try bench.store.inboxItem(1)?.dismissal == nil)
    #expect(try bench.store.overview().undecodable == 1)
  }

  @Test(arguments: StoreKind.shipped) func itIsInTheAuditLog(_ kind: StoreKind) throws {
    let bench = try bench(kind)
    #expect(try dismiss(bench) { $0.reason = Reason.sender } == 1)
    #expect(try dismiss(bench) { $0.reason = "none such" } == 0)
    let accounts = try #require(bench.store as? any AccountStore)
    let entries = try accounts.readAccounts { rows throws(StorageError) in try rows.audit(limit: 9)
    }
    #expect(
      entries == [
        AuditEntry(
          at: bench.wall + .seconds(60), .messagesDismissed, actor: "uid 1000",
          detail: "messages 1, reason sender")
      ])
  }
}
