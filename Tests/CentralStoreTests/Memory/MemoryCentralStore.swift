import CentralCore
import GSM
import Passages
import Storage
import Synchronization
import Time

/// A place in memory, which several stores may use at once.
final class MemoryPlace: StorePlace {
  let state = Mutex(MemoryState())

  func open() -> any CentralStore { MemoryCentralStore(self) }
}

/// A store that forgets everything with its process: it shows that the port asks for no database, and
/// that the suite tests the port.
final class MemoryCentralStore: CentralStore {
  private let place: MemoryPlace
  private let isOpen = Mutex(true)

  init(_ place: MemoryPlace) {
    self.place = place
  }

  func use<Value: Sendable>(
    _ body: (inout MemoryState) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    guard isOpen.withLock({ $0 }) else {
      throw StorageError(
        .failed, of: "memory", problem: "The store in memory was closed", remedy: "Open it again")
    }
    return try place.state.withLock { state throws(StorageError) in try body(&state) }
  }

  func keep(_ messages: [InboundMessage]) throws(StorageError) -> [InboxReceipt] {
    try use { state in messages.map { state.keep(KeptMessage($0)) } }
  }

  func transaction<Value: Sendable>(
    _ body: (any CentralTransaction) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    try change { inbox throws(StorageError) in try body(inbox) }
  }

  func change<Value: Sendable>(
    _ body: (MemoryTransaction) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    try use { state throws(StorageError) in
      let inbox = MemoryTransaction(state)
      let value = try body(inbox)
      state = inbox.state
      return value
    }
  }

  func put(_ entries: [DirectoryEntry]) throws(StorageError) -> [DirectoryRefusal?] {
    try change { inbox throws(StorageError) in try inbox.put(entries) }
  }

  func trial(
    _ entries: [DirectoryEntry], rules: JudgingRules, vehicles: Int, at wall: WallTime
  ) throws(StorageError) -> DirectoryTrial {
    try use { state throws(StorageError) in
      let rows = MemoryTransaction(state)
      _ = try rows.put(entries)
      return try DirectoryTrial(vehicles: vehicles) { count throws(StorageError) in
        try rows.rejudge(rules: rules, everything: false, limit: count, at: wall)
      }
    }
  }

  func segments() throws(StorageError) -> [Segment] { try use { $0.segments } }

  func posts() throws(StorageError) -> [Post] { try use { $0.posts } }

  func rangers() throws(StorageError) -> [Ranger] { try use { $0.rangers } }

  func assignments() throws(StorageError) -> [RangerAssignment] {
    try use { state in
      Dictionary(grouping: state.assignments, by: \.phone).sorted { $0.key < $1.key }.flatMap(
        \.value)
    }
  }

  func numbers() throws(StorageError) -> [SenderBinding] { try use { $0.numbers } }

  func inbox(_ query: InboxQuery) throws(StorageError) -> [InboxItem] {
    try use { state in
      Array(state.items.reversed().filter { query.wants($0) }.prefix(query.limit))
    }
  }

  func dismiss(
    _ dismissal: InboxDismissal, at wall: WallTime
  ) throws(StorageError) -> Int64 {
    try use { state in
      var count: Int64 = 0
      for index in state.items.indices where dismissal.wants(state.items[index]) {
        state.items[index].dismissal = InboxItem.Dismissal(at: wall, by: dismissal.author)
        count += 1
      }
      return count
    }
  }

  func inboxItem(_ id: Int64) throws(StorageError) -> InboxItem? {
    try use { state in state.items.first { $0.id == id } }
  }

  func webhookTallies() throws(StorageError) -> [WebhookTally] {
    try use { state in
      state.webhooks.sorted { $0.key < $1.key }.flatMap { path in
        path.value.sorted { $0.kind.rawValue < $1.kind.rawValue }
      }
    }
  }

  func keep(_ tallies: [String: [WebhookTally]]) throws(StorageError) {
    try use { $0.webhooks.merge(tallies) { _, new in new } }
  }

  func overview() throws(StorageError) -> CentralOverview {
    try use { state in
      var heard: [String: PostHeard] = [:]
      for post in state.posts {
        heard[post.code.code] = PostHeard(code: post.code.code, name: post.name)
      }
      for row in state.judging.passages.values {
        let code = row.place.post.code
        var post = heard[code] ?? PostHeard(code: code)
        post.lastAt = max(post.lastAt ?? row.insertedAt, row.insertedAt)
        post.passages += 1
        heard[code] = post
      }
      for post in Set(state.judging.records.values.map(\.record.received.post)) {
        heard[post.code, default: PostHeard(code: post.code)].recorded =
          state.judging.recorded(post)
      }
      for (code, heartbeat) in state.heartbeats {
        var post = heard[code.code] ?? PostHeard(code: code.code)
        post.heartbeat = heartbeat
        heard[code.code] = post
      }
      for (code, marks) in state.judging.marks {
        heard[code.code]?.wentBackAt = marks.values.compactMap(\.wentBackAt).max()
      }
      var overview = CentralOverview(
        posts: state.posts.count, segments: state.segments.count, rangers: state.rangers.count,
        passages: state.judging.passages.count, received: state.items.count,
        undecodable: state.items.count { $0.state == .undecodable && $0.dismissal == nil },
        duplicates: state.items.count { $0.state == .duplicate },
        heard: heard.values.sorted { $0.code < $1.code })
      overview.violations = state.judging.violations.values.count { !$0.violation.isRetracted }
      let changed = state.judging.violations.values.compactMap(\.violation.changedFinalAt)
      overview.changedAfterFinal = changed.count
      overview.changedSince = changed.min()
      overview.alerts = state.judging.alerts.values.count { $0.ending == nil }
      overview.judgesAgain = state.judging.state.pending != nil
      return overview
    }
  }

  var shortage: StorageError? { nil }

  var isShared: Bool { false }

  func proveWritable() throws(StorageError) { try use { _ in } }

  func saveCopy() -> String? { nil }

  func close() { isOpen.withLock { $0 = false } }
}

final class MemoryTransaction: CentralTransaction {
  var state: MemoryState

  init(_ state: MemoryState) {
    self.state = state
  }

  func unprocessed(limit: Int) -> [InboxItem] {
    Array(state.items.filter { $0.state == .received }.prefix(limit))
  }

  func waitingParts(receivedBefore limit: WallTime, beyondNewest count: Int) -> [InboxItem] {
    let waiting = state.items.filter { $0.state == .part }
    let beyond = waiting.dropLast(count).map(\.id)
    return waiting.filter { $0.receivedAt < limit || beyond.contains($0.id) }
  }

  func parts(ofKeys keys: [String], states: [InboxItem.State]) -> [InboxItem] {
    state.items.filter { states.contains($0.state) && keys.contains($0.part?.key ?? "") }
  }

  func message(_ id: Int64) -> InboxItem? { state.items.first { $0.id == id } }

  func refused(after: Int64, reason: String?, limit: Int) -> [InboxItem] {
    Array(
      state.items.filter {
        $0.state == .undecodable && $0.dismissal == nil && $0.id > after
          && $0.reason == reason ?? $0.reason
      }.prefix(limit))
  }

  func posts() -> [Post] { state.posts }

  func rangers() -> [Ranger] { state.rangers }

  func numbers() -> [SenderBinding] { state.numbers }

  func apply(_ facts: [InboxFact], repeated: Set<Int64>, at wall: WallTime) {
    for fact in facts { state.write(fact, isRepeated: repeated.contains(fact.id)) }
  }

  func heartbeat(of post: CheckpostCode) -> PostHeartbeat? { state.heartbeats[post] }

  func keep(_ heartbeat: PostHeartbeat) {
    state.heartbeats[heartbeat.message.checkpost] = heartbeat
  }

  func passages(of post: CheckpostCode) -> Int64 {
    state.judging.recorded(post)
  }
}

extension MemoryTransaction {
  func put(_ entries: [DirectoryEntry]) throws(StorageError) -> [DirectoryRefusal?] {
    let before = state.routes
    let segments = segments(of: Set(state.posts.map(\.code)))
    let refusals = state.put(entries)
    try directoryChanged(from: before, segments: segments, of: Set(state.posts.map(\.code)))
    return refusals
  }
}
