import NodeCore
import Passages
import Testing
import Time

/// A core with a server: a queue of uploads in memory, a clock that is moved by hand, and questions that
/// wait until the test answers them.
struct UploadBench {
  /// A row of the queue.
  struct Row {
    var upload: DueUpload
    var status = QueueStatus.pending
    var next: BootInstant?
    /// When it is tried again after it was given up.
    var again: BootInstant?
    var isPermanent = false
    var refusal: UploadRefusal?
    var mayBeTexted = true
    var error: String?
    var serverID: String?
    var conflict: StoredOnServer?
  }

  var core: NodeCore
  var rows: [UploadID: Row] = [:]
  var now = BootInstant.seconds(1_000)
  var effects: [NodeEffect] = []
  /// Questions that nobody answered yet, oldest first.
  var asked: [(id: CallID, call: ServerCall, token: Token?)] = []
  var remembered = NodeMemory()
  /// When the first passage may leave as a text that the server did not take, though the line is there.
  var untakenDue: BootInstant?
  private var lastUpload: UploadID = 0

  static let place = ServerPlace(checkpostID: "post-a", segmentID: "segment", rangerID: "ranger")

  static var directory: PostDirectory {
    PostDirectory(
      profile: ServerProfile(
        userID: "ranger", fullName: "R", role: "ranger", isActive: true,
        post: ServerPost(id: "post-a", code: "BNP-A", name: "East", position: 0),
        segment: ServerSegment(
          id: "segment", name: "Highway", distanceKilometres: 45, minimumKilometresPerHour: 10,
          maximumKilometresPerHour: 40)),
      opposite: ServerPost(id: "post-b", code: "BNP-B", name: "West", position: 1))
  }

  static var rules: NodeRules {
    var rules = NodeRules.withServer
    rules.sync.userID = "ranger"
    rules.sync.spread = .seconds(30)
    return rules
  }

  init(_ rules: NodeRules = UploadBench.rules, memory: NodeMemory? = nil, seed: UInt64 = 1) {
    core = NodeCore(rules: rules, seed: seed)
    var known = NodeMemory()
    known.directory = UploadBench.directory
    remembered = memory ?? known
    var facts = StartFacts(nextTextID: 1, charges: [])
    facts.memory = remembered
    tell(.started(facts))
  }

  /// One whose server has answered the probe and told of the place.
  static func online(_ rules: NodeRules = UploadBench.rules, passages: Int = 0) throws
    -> UploadBench
  {
    var bench = UploadBench(rules)
    for _ in 0..<passages { try bench.record() }
    bench.goOnline()
    return bench
  }

  mutating func goOnline() {
    tell(.linkChanged(.up))
    answerProbe()
    answerDirectory()
  }

  mutating func goOffline() {
    tell(.linkChanged(.down))
  }

  mutating func answerProbe() {
    answer(where: { $0 == .probe }, .success(.done))
  }

  mutating func answerDirectory() {
    answer(
      where: { if case .profile = $0 { true } else { false } },
      .success(.profile(UploadBench.directory.profile)))
    answer(
      where: { if case .posts = $0 { true } else { false } },
      .success(.posts([UploadBench.directory.opposite].compactMap { $0 })))
  }

  /// Answers the oldest question of that kind; false when there is none.
  @discardableResult
  mutating func answer(
    where isMeant: (ServerCall) -> Bool, _ result: Result<ServerResult, ServerFailure>,
    serverTime: WallTime? = nil
  ) -> Bool {
    guard let index = asked.firstIndex(where: { isMeant($0.call) }) else { return false }
    let question = asked.remove(at: index)
    tell(.answered(question.id, ServerReply(result, serverTime: serverTime)))
    return true
  }

  /// The oldest question about passages.
  var push: ServerCall? {
    asked.lazy.map(\.call).first { call in
      switch call {
      case .push, .readBack, .correct: true
      default: false
      }
    }
  }

  var pushed: [Passage] {
    if case .push(let pushes) = push { pushes.map(\.passage) } else { [] }
  }

  /// Answers the oldest question about passages.
  mutating func answerPush(_ result: Result<ServerResult, ServerFailure>) {
    let call = push
    answer(where: { $0 == call }, result)
  }

  /// The server takes what was pushed.
  mutating func take() {
    answerPush(.success(.stored(pushed.map { UploadBench.stored($0) })))
  }

  static func stored(_ passage: Passage, plate: String? = nil) -> StoredOnServer {
    StoredOnServer(
      serverID: "row-\(passage.clientID)", clientID: passage.clientID.description,
      checkpostID: "post-a", plate: plate ?? passage.plate.compact, vehicleType: "car",
      recordedAt: passage.recordedAt)
  }

  @discardableResult
  mutating func record(
    kind: UploadKind = .passage, of passage: Passage? = nil,
    _ change: (inout DueUpload) -> Void = { _ in }
  ) throws -> UploadID {
    lastUpload += 1
    let number = 1_000 + lastUpload
    let passage =
      try passage
      ?? Passage(
        recording: Plate("BA 1 PA \(number)"), vehicleType: .car,
        checkpost: CheckpostCode("BNP-A"),
        recordedAt: WallTime(epochSeconds: 1_790_000_000 + lastUpload),
        suffix: try #require(PhoneSuffix("4567")))
    var upload = DueUpload(id: lastUpload, queueID: lastUpload, kind: kind, passage: passage)
    change(&upload)
    rows[lastUpload] = Row(upload: upload)
    tell(.woke)
    return lastUpload
  }

  @discardableResult
  mutating func tell(_ event: NodeEvent) -> [NodeEffect] {
    var pending = core.handle(event, at: now)
    var index = 0
    while index < pending.count {
      switch pending[index] {
      case .chooseUploads(let query):
        pending += core.handle(.uploadsChosen(query.kind, choose(query)), at: now)
      case .upload(let change): apply(change)
      case .call(let id, let call, let token): asked.append((id, call, token))
      case .remember(let memory): remembered = memory
      case .chooseDue:
        pending += core.handle(.chosen(DueAnswer(text: nil, nextDue: nil)), at: now)
      case .chooseUntaken:
        pending += core.handle(.chosen(DueAnswer(text: nil, nextDue: untakenDue)), at: now)
      case .write, .send, .chooseHeartbeat, .findSyncMark, .pulled, .manualQueued, .manualKept,
        .manualFinished, .report:
        break
      }
      index += 1
    }
    effects += pending
    return pending
  }

  /// Moves the clock on, stopping at every deadline on the way; probes are answered at once.
  mutating func pass(_ duration: Duration) {
    let end = now + duration
    var turns = 0
    while let deadline = core.nextDeadline, deadline <= end {
      now = max(now, deadline)
      turns += 1
      guard turns < 100_000 else {
        Issue.record("the core is busy with nothing")
        break
      }
      tell(.timePassed)
      answerProbe()
    }
    now = end
    tell(.timePassed)
    answerProbe()
  }

  /// Moves the clock on until something about passages is asked.
  mutating func passUntilPush() {
    for _ in 0..<300 where push == nil {
      guard let deadline = core.nextDeadline else { return }
      pass(max(deadline - now, .zero))
    }
  }

  private func choose(_ query: UploadQuery) -> UploadAnswer {
    let pending = rows.values.filter { $0.status == .pending && $0.upload.kind == query.kind }
      .sorted {
        ($0.upload.isBehind ? 1 : 0, $0.upload.id) < ($1.upload.isBehind ? 1 : 0, $1.upload.id)
      }
    let due = pending.filter { $0.next ?? .zero <= now }
    var answer = UploadAnswer(
      uploads: due.prefix(query.limit).map(\.upload),
      nextDue: due.isEmpty ? pending.compactMap(\.next).min() : nil,
      backlog: rows.values.filter { $0.status == .pending && $0.upload.kind == .passage }.count)
    answer.nextAgain = rows.values.filter { $0.status == .failed }.compactMap(\.again).min()
    return answer
  }

  private mutating func apply(_ change: UploadChange) {
    switch change {
    case .claimed(let ids): for id in ids { rows[id]?.status = .inFlight }
    case .synced(let id, let serverID):
      rows[id]?.status = .synced
      rows[id]?.serverID = serverID
    case .stored(let id): rows[id]?.upload.isStored = true
    case .missed(let id, let error, let next, _):
      rows[id]?.status = .pending
      rows[id]?.upload.attempts += 1
      rows[id]?.error = error
      rows[id]?.next = next
    case .returned(let id, let error, let next):
      rows[id]?.status = .pending
      rows[id]?.error = error
      rows[id]?.next = next
    case .failed(let id, let error, let isPermanent, let mayBeTexted, let refusal, let again):
      rows[id]?.mayBeTexted = mayBeTexted
      rows[id]?.refusal = refusal
      rows[id]?.upload.refusal = refusal
      rows[id]?.again = again
      rows[id]?.status = .failed
      rows[id]?.upload.attempts += 1
      rows[id]?.error = error
      rows[id]?.isPermanent = isPermanent
    case .requeuedDue(let refusedAgain):
      let now = now
      requeue(behind: true) { !$0.isPermanent && $0.again.map { $0 <= now } == true }
      let refused = rows.values.filter {
        $0.status == .failed && $0.refusal != nil && $0.again.map { $0 <= now } == true
      }
      guard let one = refused.map(\.upload.id).min() else { return }
      for id in rows.keys where rows[id]?.refusal != nil && rows[id]?.again != nil {
        rows[id]?.again = refusedAgain
      }
      requeue(behind: true) { $0.upload.id == one }
    case .requeuedFailed: requeue(behind: true) { !$0.isPermanent }
    case .requeuedOne(let refusals):
      let known = rows.values.filter {
        $0.status == .failed && $0.refusal.map { refusals.contains($0) } == true
      }
      guard let one = known.map(\.upload.id).min() else { return }
      requeue(behind: true) { $0.upload.id == one }
    case .requeuedRefused(let refusal): requeue(behind: false) { $0.refusal == refusal }
    case .requeuedAll:
      requeue(behind: false) { _ in true }
      for id in rows.keys { rows[id]?.next = nil }
    case .textedAfterAll(let id): rows[id]?.mayBeTexted = true
    case .conflict(let id, let row, _):
      rows[id]?.status = .synced
      rows[id]?.conflict = row
    }
  }

  private mutating func requeue(behind: Bool, where isMeant: (Row) -> Bool) {
    for id in rows.keys {
      guard let row = rows[id], row.status == .failed, isMeant(row) else { continue }
      rows[id]?.status = .pending
      rows[id]?.upload.attempts = 0
      rows[id]?.upload.requeues += 1
      rows[id]?.upload.isBehind = behind
      if !behind { rows[id]?.upload.refusal = nil }
      rows[id]?.next = nil
      rows[id]?.again = nil
    }
  }

  func count(_ status: QueueStatus) -> Int { rows.values.filter { $0.status == status }.count }
}

extension ServerFailure {
  static let refused = ServerFailure(.outage(.refused), words: "connection refused")
  static let silence = ServerFailure(.outage(.noAnswer), words: "no answer in time")
  static let failing = ServerFailure(.trouble(.failing), status: 500, words: "HTTP 500")
  static let readOnly = ServerFailure(
    .trouble(.readOnly), status: 405, code: "25006", words: "read-only")
  static let duplicate = ServerFailure(
    .duplicate, status: 409, code: "23505", words: "it has this identity")
  static let denied = ServerFailure(
    .denied, status: 403, code: "42501", words: "the server does not allow it to this user")
  static let reference = ServerFailure(
    .reference, status: 409, code: "23503", words: "no such ranger")
  static let firewall = ServerFailure(
    .outage(.captivePortal), status: 403, words: "what answers is not the server")
  static let rejected = ServerFailure(
    .rejected, status: 400, code: "23514", words: "vehicle_passages_vehicle_type_check")
  static let expired = ServerFailure(
    .credential, status: 401, code: "PGRST303", words: "JWT expired")
}
