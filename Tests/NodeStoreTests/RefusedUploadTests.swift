import NodeCore
import Passages
import Storage
import Testing
import Time

/// What every store of a node must do with what the server does not take.
@Suite struct RefusedUploadTests {
  private func due(_ desk: Desk, limit: Int = 50) throws -> UploadAnswer {
    try desk.run { transaction, moment throws(StorageError) in
      try transaction.dueUploads(UploadQuery(.passage, limit: limit), at: moment.boot)
    }
  }

  private func apply(_ desk: Desk, _ changes: UploadChange...) throws {
    try desk.run { transaction, moment throws(StorageError) in
      for change in changes { try transaction.apply(change, at: moment) }
    }
  }

  private func untaken(_ desk: Desk, for after: Duration = .seconds(1_800)) throws -> DueAnswer {
    try desk.run { transaction, moment throws(StorageError) in
      try transaction.chooseUntaken(for: after, at: moment.boot)
    }
  }

  private func giveUp(
    _ desk: Desk, _ ids: [UploadID], _ refusal: UploadRefusal?, again: BootInstant? = nil
  ) throws {
    for id in ids {
      try apply(
        desk, .claimed([id]),
        .failed(
          id, error: "no \(id)", isPermanent: refusal != nil, mayBeTexted: refusal != .value,
          refusal: refusal, again: again))
    }
  }

  @Test(arguments: StoreMaker.all) func whatWasGivenUpComesBackBehindTheOthersInItsTime(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    for number in 1...3 as ClosedRange<Int64> { try desk.record(number, priority: 2) }
    let ids = try due(desk).uploads.map(\.id)
    let again = desk.moment.boot + .seconds(900)
    try giveUp(desk, [ids[0]], nil, again: again)
    #expect(try due(desk).nextAgain == again)
    try apply(desk, .requeuedDue(refusedAgain: again + .seconds(86_400)))
    #expect(try due(desk).uploads.map(\.queueID) == [2, 3], "its moment has not come")
    desk.pass(.seconds(900))
    try apply(desk, .requeuedDue(refusedAgain: again + .seconds(86_400)))
    let answer = try due(desk)
    #expect(answer.uploads.map(\.queueID) == [2, 3, 1])
    #expect(answer.uploads.map(\.isBehind) == [false, false, true])
    #expect(answer.uploads.last?.attempts == 0)
    #expect(answer.nextAgain == nil)
    #expect(try desk.store.overview(at: desk.moment.boot).oldestPendingAge == .seconds(900))
    // Somebody asks for it: it has its place again.
    try giveUp(desk, [ids[0]], nil, again: again)
    #expect(try desk.store.retry(1, at: desk.moment) == .retried)
    #expect(try due(desk).uploads.map(\.queueID) == [1, 2, 3])
  }

  @Test(arguments: StoreMaker.all) func oneOfThoseThatPolicyRefusedIsTriedAtATime(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    for number in 1...4 as ClosedRange<Int64> { try desk.record(number) }
    let ids = try due(desk).uploads.map(\.id)
    let again = desk.moment.boot + .seconds(86_400)
    try giveUp(desk, Array(ids[..<3]), .policy, again: again)
    try giveUp(desk, [ids[3]], .value)
    desk.pass(.seconds(86_400))
    let next = desk.moment.boot + .seconds(86_400)
    try apply(desk, .requeuedDue(refusedAgain: next))
    var answer = try due(desk)
    #expect(answer.uploads.map(\.queueID) == [1])
    #expect(answer.uploads.first?.refusal == .policy)
    #expect(answer.nextAgain == next)
    try apply(desk, .requeuedOne([.policy, .attempts]))
    #expect(try due(desk).uploads.map(\.queueID) == [1, 2])
    try apply(desk, .requeuedOne([.attempts]))
    try apply(desk, .requeuedRefused(.policy))
    answer = try due(desk)
    #expect(Set(answer.uploads.map(\.queueID)) == [1, 2, 3])
    #expect(try desk.item(4).status == .failed, "that is for what it says")
    try apply(desk, .requeuedAll)
    #expect(try due(desk).uploads.contains { $0.queueID == 4 })
  }

  /// A trial that never is one would keep the others from theirs for ever.
  @Test(arguments: StoreMaker.all) func whatCannotGoIsNotTriedInPlaceOfWhatCan(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    for number in 1...4 as ClosedRange<Int64> { try desk.record(number) }
    let ids = try due(desk).uploads.map(\.id)
    let again = desk.moment.boot + .seconds(86_400)
    try giveUp(desk, ids, .policy, again: again)
    #expect(try desk.store.park(1, reason: "to be asked about"))
    try desk.run { transaction, moment throws(StorageError) in
      try transaction.change(2, .handedOn(at: moment.wall))
    }
    desk.pass(.seconds(86_400))
    try apply(desk, .requeuedDue(refusedAgain: desk.moment.boot + .seconds(86_400)))
    #expect(try due(desk).uploads.map(\.queueID) == [3])
    try apply(desk, .requeuedOne([.policy]))
    #expect(try due(desk).uploads.map(\.queueID) == [3, 4])
  }

  /// A server that refuses all tells nobody; what somebody keeps here is not texted for that, and nothing fails.
  @Test(arguments: StoreMaker.all, [false, true]) func whatIsKeptHereIsNotTextedAfterAll(
    _ maker: StoreMaker, _ isWithdrawn: Bool
  ) throws {
    let desk = try Desk(maker)
    for number in 1...2 as ClosedRange<Int64> { try desk.record(number) }
    let ids = try due(desk).uploads.map(\.id)
    try giveUp(desk, ids, .value)
    if isWithdrawn {
      #expect(try desk.store.withdraw(1, reason: "never was", at: desk.moment) == .keptHere)
    } else {
      #expect(try desk.store.park(1, reason: "to be asked about"))
    }
    for id in ids { try apply(desk, .textedAfterAll(id)) }
    desk.pass(.seconds(600))
    #expect(try desk.choose().text?.queueID == 2)
    #expect(try desk.item(1).textDue == nil)
  }

  @Test(arguments: StoreMaker.all) func askedForEverythingNothingWaits(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    for number in 1...3 as ClosedRange<Int64> { try desk.record(number) }
    let ids = try due(desk).uploads.map(\.id)
    try giveUp(desk, [ids[0]], .value)
    try giveUp(desk, [ids[1]], .attempts)
    try apply(
      desk, .claimed([ids[2]]),
      .missed(ids[2], error: "503", next: desk.moment.boot + .seconds(600)))
    #expect(try due(desk).uploads.isEmpty)
    try apply(desk, .requeuedAll)
    #expect(try due(desk).uploads.map(\.queueID) == [1, 2, 3])
    #expect(try due(desk).uploads.allSatisfy { !$0.isBehind && $0.refusal == nil })
  }

  @Test(arguments: StoreMaker.all) func whatIsRefusedIsCountedWithTheServersWords(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    func refused() throws -> [UploadKind: RefusedUploads] {
      try desk.store.overview(at: desk.moment.boot).refused
    }
    #expect(try refused().isEmpty)
    for number in 1...4 as ClosedRange<Int64> { try desk.record(number) }
    let ids = try due(desk).uploads.map(\.id)
    let since = desk.moment.boot
    try giveUp(desk, [ids[0]], .policy)
    desk.pass(.seconds(60))
    try giveUp(desk, [ids[1]], .policy)
    try giveUp(desk, [ids[2]], .value)
    try giveUp(desk, [ids[3]], nil, again: desk.moment.boot + .seconds(900))
    // Of those that were tried last it is the newest, whichever was refused first.
    let told = RefusedUploads(count: 3, since: since, error: "no \(ids[2])")
    #expect(try refused() == [.passage: told], "what is tried again by itself is not refused")
    let record = try #require(try desk.store.uploads(of: 1).first)
    #expect(record.refusal == .policy)
    #expect(record.missedSince == since)
    // It stays known over a restart.
    #expect(try desk.another().overview(at: desk.moment.boot).refused == [.passage: told])
    // It has stood since then, though one of them is tried once more each day.
    desk.pass(.seconds(86_400))
    try apply(desk, .requeuedOne([.policy]))
    try giveUp(desk, [ids[0]], .policy)
    #expect(
      try refused() == [.passage: RefusedUploads(count: 3, since: since, error: "no \(ids[0])")])
    // Who handed one on waits for nobody.
    #expect(try desk.store.handOn([2], at: desk.moment).marked == 1)
    #expect(try refused()[.passage]?.count == 2)
  }

  @Test(arguments: StoreMaker.all) func whatTheServerNeverTakesIsDueForATextByItself(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    for number in 1...3 as ClosedRange<Int64> { try desk.record(number) }
    #expect(try untaken(desk) == DueAnswer(text: nil, nextDue: nil))
    let ids = try due(desk).uploads.map(\.id)
    let missed = desk.moment.boot
    try apply(
      desk, .claimed(ids), .missed(ids[0], error: "504", next: missed + .seconds(30)),
      .missed(ids[1], error: "the line went", next: nil, isOwn: false),
      .returned(ids[2], error: nil, next: nil))
    let first = missed + .seconds(1_800) + .nanoseconds(1)
    #expect(try untaken(desk) == DueAnswer(text: nil, nextDue: first))
    desk.pass(.seconds(1_800))
    #expect(try untaken(desk).text == nil, "for longer than that")
    desk.pass(.nanoseconds(1))
    #expect(try untaken(desk).text?.queueID == 1)
    // Another attempt does not begin it again, nor does a restart.
    try apply(desk, .claimed([ids[0]]))
    #expect(try untaken(desk).text == nil, "it is on its way")
    try apply(desk, .missed(ids[0], error: "504", next: nil))
    #expect(try untaken(desk).text?.queueID == 1)
    try desk.begin(1, text: 1)
    try desk.end(1, .accepted(references: [1]), .texted)
    #expect(try untaken(desk) == DueAnswer(text: nil, nextDue: nil))
    try giveUp(desk, [ids[1]], .policy)
    desk.pass(.seconds(1_801))
    #expect(try untaken(desk).text?.queueID == 2)
    try giveUp(desk, [ids[2]], .value)
    desk.pass(.seconds(1_801))
    #expect(try untaken(desk).text?.queueID == 2)
    // Where the server says of everything that it will not take what it says, nobody else tells of it.
    #expect(try desk.item(3).textDue == nil)
    try apply(desk, .textedAfterAll(ids[2]))
    #expect(try desk.item(3).textDue != nil)
  }

  /// A photograph that was given up hangs on a passage that is there.
  @Test(arguments: StoreMaker.all) func aPhotographIsTriedAgainWithItsPassage(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    let photo = StoredPhoto(path: "1.jpg", count: 1_000, contentType: "image/jpeg")
    _ = try desk.store.record([RecordRequest(try passage(1), photo: photo)], at: desk.moment)
    let id = try #require(try due(desk).uploads.first).id
    try apply(desk, .claimed([id]), .synced(id, serverID: "s-1"))
    #expect(try desk.store.retry(1, at: desk.moment) == .alreadySynced)
    let photoID = try #require(try desk.store.uploads(of: 1).last).id
    try giveUp(desk, [photoID], .value)
    #expect(try desk.store.overview(at: desk.moment.boot).refused[.photo]?.count == 1)
    #expect(try desk.store.retry(1, at: desk.moment) == .retried)
    #expect(try desk.store.uploads(of: 1).last?.status == .pending)
  }
}
