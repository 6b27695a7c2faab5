import JSON
import NodeCore
import NodeService
import Passages
import ServerModel
import SimulatedDisk
import Storage
import Supabase
import Time

/// What has to hold of what is asked of the server: each question is looked at when it is asked.
extension World {
  /// Something is asked: it must be allowed at this moment.
  mutating func judge(_ call: ServerCall) {
    if case .push(let pushes) = call { judge(pushes) }
    if case .signIn(.refresh(let token)) = call, let lastRefresh, token != lastRefresh {
      violate(.durable, "a refresh token of before the last one is shown")
    }
    if case .probe = call { return }
    if !isLinkUp, let since = linkDownSince, clock.boot() - since > .seconds(1) {
      violate(
        .attempts, "an attempt while connectivity is known to be absent: \(call.name)")
    }
  }

  private mutating func judge(_ pushes: [PassagePush]) {
    checkOneInFlight(pushes.count)
    pushesOut += 1
    for push in pushes {
      judge(push.passage)
      if push.place.checkpostID != ServerModel.Pilot.east {
        violate(.frozen, "a passage goes as one of another post")
      }
    }
    if pushes.count == 1 { checkOrder(pushes[0].passage) }
    if let troubleAt, clock.boot() - troubleAt < .seconds(1) {
      violate(.noSpin, "no pause after the server said that it cannot")
    }
  }

  private mutating func judge(_ passage: Passage) {
    let client = passage.clientID.description
    guard let name = name(of: client) else {
      violate(.noInvention, "a passage goes that was never recorded: \(client)")
      return
    }
    checkTime(passage, of: name)
    checkFrozen(passage)
    checkTransitions(client)
    if rejected.contains(name) {
      violate(.noBlock, "what the server will never take goes again: \(client)")
    }
  }

  /// I24: while the post's clock is right, what it dated in this start and has not left goes with the right time.
  private mutating func checkTime(_ passage: Passage, of name: String) {
    let ahead = clock.ahead
    guard let it = known[name], it.isClocked, it.boot == boots, it.submissions == 0,
      sentBodies[passage.clientID.description] == nil, ahead <= .seconds(60),
      ahead >= .seconds(-60), server.fired[.clockAhead] == nil,
      let item = item(passage.clientID.description), item.textAttempts == 0
    else { return }
    let off = passage.recordedAt - it.truth
    if off > .seconds(130) || off < .seconds(-130) {
      violate(.rightTime, "a passage goes that is \(off.wholeSeconds) s off: \(passage.clientID)")
    }
  }

  /// I4: what goes is what went before, and it has a time.
  private mutating func checkFrozen(_ passage: Passage) {
    let client = passage.clientID.description
    let words = "\(passage)"
    if let sent = sentBodies[client], sent != words {
      violate(.frozen, "a passage goes with other content than before: \(client)")
    }
    sentBodies[client] = words
    if passage.isUndated { violate(.frozen, "a passage goes without a time: \(client)") }
  }

  /// I6 and I8: what goes is under way here, has attempts left, and was never done.
  private mutating func checkTransitions(_ client: String) {
    guard let item = item(client) else { return }
    if item.status != .inFlight {
      violate(.transitions, "a passage goes that is \(item.status) here")
    }
    if done.contains(client) {
      violate(.transitions, "a passage goes that the server was known to have: \(client)")
    }
    if item.attempts >= SyncRules().attempts {
      violate(.attempts, "a passage goes after \(item.attempts) attempts: \(client)")
    }
  }

  /// I7: there is one request with passages, and nothing else is under way.
  private mutating func checkOneInFlight(_ count: Int) {
    if pushesOut > 0 {
      violate(.oneInFlight, "two requests with passages are out at a time")
    }
    let moment = machine.store.clock.time(at: nodeBoot)
    guard let under = try? machine.store.overview(at: moment).inFlight, under > count else {
      return
    }
    violate(.oneInFlight, "\(under) passages are under way, and \(count) go")
  }

  /// I10: passages go in their order, as long as none was tried before.
  private mutating func checkOrder(_ passage: Passage) {
    var query = QueueQuery()
    query.status = .pending
    query.limit = 1
    guard let oldest = try? machine.store.list(query).first,
      let mine = item(passage.clientID.description), oldest.queueID < mine.queueID,
      oldest.attempts == 0, oldest.lastError == nil, !oldest.passage.isUndated
    else { return }
    violate(.order, "passage \(mine.queueID) goes before passage \(oldest.queueID)")
  }

  /// I22: a request without a photograph is small.
  mutating func checkSize(_ request: ServerRequest) {
    guard case .bytes(let bytes, _) = request.body, bytes.count > Limits.request else { return }
    violate(.memory, "a request of \(bytes.count) bytes")
  }

  /// I6 and I8: what was answered stands in the queue as it has to.
  mutating func checkAnswered(_ call: ServerCall) {
    let clients: [ClientID]
    switch call {
    case .push(let pushes): clients = pushes.map(\.passage.clientID)
    case .readBack(let asked): clients = asked
    default: return
    }
    for client in clients {
      checkNotDue(client)
      checkGivenUp(client.description)
    }
  }

  private mutating func checkGivenUp(_ client: String) {
    guard !disk.isOff, let item = item(client), let name = name(of: client) else { return }
    switch item.status {
    case .synced: done.insert(client)
    case .failed
    where item.attempts < SyncRules().attempts && !rejected.contains(name)
      && refused[name] == nil:
      violate(.attempts, "a passage was given up after \(item.attempts) attempts")
    default:
      if item.attempts > SyncRules().attempts {
        violate(.attempts, "a passage had \(item.attempts) attempts")
      }
    }
  }

  /// Attempts of the passage that a request is about, where it is about one.
  func attempts(of call: ServerCall) -> Int? {
    guard case .push(let pushes) = call, pushes.count == 1 else { return nil }
    return item(pushes[0].passage.clientID.description)?.attempts
  }

  /// Notes what the node is told, to hold what it does next to it.
  ///
  /// - Parameter isFresh: Whether the line stands over which it was asked: what was on its way when the line
  ///   went ends no absence.
  mutating func note(_ reply: ServerReply, to call: ServerCall, isFresh: Bool) {
    noteDown(reply, to: call)
    if isFresh, !reply.isOutage, !reply.tellsOnlyOfSignIn(call) { lastAnswer = clock.boot() }
    let missing = reply.missing(of: call)
    for client in missing {
      guard let name = name(of: client.description) else { continue }
      missedAt[name] = missedAt[name] ?? clock.boot()
    }
    switch (call, reply.result) {
    case (.signIn, .success(.session(let session))): lastRefresh = session.refreshToken
    case (.posts, .success(.posts)), (.profile, .success(.profile)): placeToldAt = clock.boot()
    case (.push(let pushes), .success):
      for push in pushes {
        if let name = name(of: push.passage.clientID.description) { refused[name] = nil }
      }
    case (.push(let pushes), .failure(let failure)):
      if case .trouble = failure.kind { troubleAt = clock.boot() }
      for push in pushes {
        guard let name = name(of: push.passage.clientID.description) else { continue }
        missedAt[name] = missedAt[name] ?? clock.boot()
        guard pushes.count == 1 else { continue }
        if failure.kind == .rejected { rejected.insert(name) }
        if failure.kind == .denied { refused[name] = clock.boot() }
      }
    default: break
    }
  }

  /// What passages need before they can go.
  enum Need: Hashable, Sendable {
    case session, place
  }

  /// Since when the server takes no passage: what one met is refuted by one only, and without a session or
  /// its names for the place other questions that are answered say nothing.
  private mutating func noteDown(_ reply: ServerReply, to call: ServerCall) {
    let isPush = if case .push = call { true } else { false }
    let need: Need? =
      switch call {
      case .signIn: .session
      case .profile, .posts, .postsNamed, .segments: .place
      default: nil
      }
    // What is answered well and stored nowhere shows only when it is read back.
    let isSwallowed = !reply.missing(of: call).isEmpty
    if reply.storesNothing(of: call) { return }
    let isFailed = if case .failure = reply.result { true } else { false }
    let isRefused = need != nil && isFailed && !reply.isOutage
    if reply.takesNothing || isRefused || isSwallowed || isPush && isFailed && !reply.isDuplicate {
      takesNothingSince = takesNothingSince ?? clock.boot()
      if isPush || isSwallowed { hasPushFailed = true }
      if let need, isRefused { isWithout.insert(need) }
    } else if !reply.isOutage {
      if let need { isWithout.remove(need) }
      guard isPush || !hasPushFailed && isWithout.isEmpty else { return }
      takesNothingSince = nil
      hasPushFailed = false
    }
  }

  // MARK: The end of the day

  /// At the end everything is on the server, once.
  mutating func checkServer() throws(StorageError) {
    let rows = checkRows()
    for client in order {
      guard let item = try stored(client) else {
        checkPruned(client, isThere: rows.contains(client))
        continue
      }
      if item.status == .synced {
        try checkTrulySynced(item, isThere: rows.contains(client))
      }
      if settings.endsOnline, isPoisoned(client) {
        checkPoisoned(client)
      } else if settings.endsOnline, !rejected.contains(client), refused[client] == nil {
        checkArrived(item, isThere: rows.contains(client))
        try checkBelongings(client, item)
      }
    }
  }

  /// I1: what is not here any more is on the server.
  private mutating func checkPruned(_ client: String, isThere: Bool) {
    if !isThere { violate(.noLoss, "a recorded passage is gone: \(client)") }
  }

  /// I3 and I5, on the server: each passage is one row, and each row of ours a passage.
  private mutating func checkRows() -> Set<String> {
    var rows: Set<String> = []
    for row in server.rows(of: "vehicle_passages") {
      guard let client = row["client_id"]?.text, !World.isWest(row) else { continue }
      guard let name = name(of: client) else {
        violate(.noInvention, "the server has what was never recorded: \(client)")
        continue
      }
      // A passage that got its time after another client wrote that has another identity, and a row of its own.
      if written.contains(client),
        item(name).map({ $0.passage.clientID.description != client })
          ?? isOnServer(name, otherThanAs: client)
      {
        continue
      }
      if !rows.insert(name).inserted {
        violate(.once, "more than one row of \(client) on the server")
      }
    }
    return rows
  }

  /// Whether the server has a passage, which is here no more, under another of its identities than that.
  private func isOnServer(_ name: String, otherThanAs client: String) -> Bool {
    let names = [name] + aliases.filter { $0.value == name }.map(\.key)
    return names.contains { $0 != client && server.passage(clientID: $0) != nil }
  }

  /// I9: what counts as synced is what the server has, or the difference was found.
  private mutating func checkTrulySynced(
    _ item: QueueItem, isThere: Bool
  ) throws(StorageError) {
    let client = item.passage.clientID.description
    guard isThere else {
      violate(
        .trulySynced,
        "a passage counts as synced, and the server does not have it: \(client)")
      return
    }
    if let row = server.passage(clientID: client) { try checkSame(row, item) }
  }

  /// I17: with a line, everything has reached the server, and that is known here.
  private mutating func checkArrived(_ item: QueueItem, isThere: Bool) {
    // One that refers to something unknown rests for a day after its attempts.
    if item.status == .pending, item.attempts >= SyncRules().attempts { return }
    // Its row is one of a segment that this post ended before, which the server does not show here.
    if item.status != .synced, isThere, isHidden(item) { return }
    if !isThere {
      violate(
        .allSynced,
        "a passage never reached the server: \(item.status), attempts \(item.attempts),"
          + " \(item.lastError ?? "no error")")
    }
    if item.status != .synced {
      violate(.allSynced, "the server has a passage that is \(item.status) here")
    }
  }

  /// Whether the server keeps from this post the row that it has of a passage: read policies go by the segment
  /// that the post ends now.
  func isHidden(_ item: QueueItem) -> Bool {
    let posts = server.rows(of: "checkposts")
    guard let row = server.passage(clientID: item.passage.clientID.description),
      let post = posts.first(where: { $0["id"]?.text == ServerModel.Pilot.east })
    else { return false }
    return row["segment_id"]?.text != post["segment_id"]?.text
  }
}

extension ServerReply {
  /// Whether nothing of the server answered.
  fileprivate var isOutage: Bool {
    if case .failure(let failure) = result, case .outage = failure.kind { true } else { false }
  }

  /// What it was asked for by identity and did not show.
  fileprivate func missing(of call: ServerCall) -> [ClientID] {
    guard case .readBack(let asked) = call, case .success(.stored(let rows)) = result else {
      return []
    }
    let shown = Set(rows.map(\.clientID))
    return asked.filter { !shown.contains($0.description) }
  }

  /// Whether it answered passages well and named none of them as stored.
  fileprivate func storesNothing(of call: ServerCall) -> Bool {
    guard case .push = call, case .success(.stored(let rows)) = result else { return false }
    return rows.isEmpty
  }

  /// Whether it is a failure of what grants sessions, or of another question that says nothing of passages.
  fileprivate func tellsOnlyOfSignIn(_ call: ServerCall) -> Bool {
    guard case .failure(let failure) = result, case .trouble = failure.kind else { return false }
    switch call {
    case .push, .probe, .readBack, .correct: return false
    default: return true
    }
  }

  /// Whether it has what it was handed already.
  fileprivate var isDuplicate: Bool {
    if case .failure(let failure) = result { failure.kind == .duplicate } else { false }
  }

  /// Whether the server answered that it takes nothing now.
  fileprivate var takesNothing: Bool {
    guard case .failure(let failure) = result else { return false }
    switch failure.kind {
    case .credential, .trouble: return true
    default: return false
    }
  }
}
