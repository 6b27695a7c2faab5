import Passages
import Time

// What is asked of the server so that vehicles can be warned of on the spot.
extension ServerSide {
  /// Asks for passages of the opposite post, and for the confirmation of a pair, where it is time for it.
  /// How far back is counted by the server's own clock: ours may not have been set.
  ///
  /// - Returns: the numbers of what went out.
  mutating func askForMatching(
    at now: BootInstant, _ effects: inout [NodeEffect]
  ) -> [CallID] {
    pulls.placed(area)
    guard isReady, !uploads.isStopping else { return [] }
    var asked: [CallID] = []
    if let clock = serverClock,
      let query = pulls.advance(at: now, wall: clock.time(at: now))
    {
      asked.append(ask(.pull(query), for: .pull, at: now, &effects))
    }
    if let call = confirmations.next() {
      asked.append(ask(call, for: .match, at: now, &effects))
    }
    return asked
  }

  /// Takes a page of passages of the opposite post.
  mutating func pulled(
    _ reply: ServerReply, at now: BootInstant, _ effects: inout [NodeEffect]
  ) {
    switch reply.result {
    case .success(.remote(let page)):
      let set = pulls.answered(.success(page), at: now)
      effects.append(.pulled(page, set))
      guard set != nil, let time = serverClock?.time(at: now) else { return }
      // It is written down now and then only: nothing hangs on the second.
      if memory.lastPulledAt.map({ time - $0 >= Limits.pullNoted }) ?? true {
        memory.lastPulledAt = time
      }
    case .success:
      let other = ServerFailure(.trouble(.failing), words: "the server answered something else")
      _ = pulls.answered(.failure(other), at: now)
    case .failure(let failure):
      _ = pulls.answered(.failure(failure), at: now)
    }
  }

  /// Takes what the server calls our passages, so that it can be asked about pairs of them.
  mutating func learnNames(_ reply: ServerReply) {
    guard case .success(.stored(let rows)) = reply.result else { return }
    for row in rows {
      guard let client = ClientID(row.clientID) else { continue }
      confirmations.learned(client, serverID: row.serverID, isMatched: row.matchedID != nil)
    }
  }

  private var area: PullSchedule.Area? {
    guard let names = directory.place,
      let place = MatchingPlace(memory.directory, rules: rules.matching)
    else { return nil }
    // By the names of the posts where the server tells who stands at the ends: of a post that ends several segments
    // all passages stand under one of them.
    guard let told = memory.directory, told.profile.segment?.checkpostIDs != nil else {
      return PullSchedule.Area(names: names, place: place)
    }
    return PullSchedule.Area(
      names: names, place: place, postIDs: told.opposites.map(\.id),
      includesArrivals: told.opposites.contains { ($0.segmentIDs?.count ?? 1) > 1 })
  }
}

extension ServerReply {
  /// Why the server did not do it; nil when it did.
  var failure: ServerFailure? {
    if case .failure(let failure) = result { failure } else { nil }
  }
}

extension NodeCore {
  /// Where passages are matched; nil while nobody tells how long the segment is.
  public var matchingPlace: MatchingPlace? {
    MatchingPlace(server.memory.directory, rules: rules.matching)
  }

  /// What the server's clock showed last, in this start of the machine; nil when it told nothing.
  public var serverTime: KnownTime? { server.memory.serverTime }

  /// What rangers were warned of lately. It is kept with what else is known of the server.
  public var alerts: AlertBook {
    get { AlertBook(server.memory.alerts) }
    set { server.memory.alerts = newValue.alerts }
  }

  /// A pair was found here: the server is asked to confirm it once it has both.
  public mutating func found(_ travel: SpotTravel) {
    if rules.hasServer { server.confirmations.found(travel) }
  }
}
