import Mutants
import Passages
import Time

extension ServerSide {
  /// Takes an answer; nil when nothing is out under that number, and it says nothing any more.
  mutating func answered(
    _ id: CallID, _ reply: ServerReply, at now: BootInstant, _ effects: inout [NodeEffect]
  ) -> Purpose? {
    guard let call = open.removeValue(forKey: id) else { return nil }
    if let serverTime = reply.serverTime {
      serverClock = ServerClock(time: serverTime, at: now)
      // A portal on the way has a clock of its own.
      if rules.sync.believesServerTime, case .success = reply.result {
        noteTime(serverTime, at: now)
      }
    }
    var doubts = UploadDoubts()
    switch call.purpose {
    case .probe:
      switch reply.result {
      case .success: signIn.wasTaken(byProbe: true)
      case .failure(let failure) where failure.kind == .credential && !call.isSignedOut:
        doubts.credential = failure
      case .failure: break
      }
    case .signIn(let grant): signedIn(reply, by: grant, at: now, &effects)
    case .directory: told(reply, at: now, &effects)
    case .upload(let way):
      doubts =
        way == .photos
        ? uploads.photoAnswered(reply, at: now, &effects)
        : uploads.answered(reply, at: now, &effects)
      if case .success = reply.result { signIn.wasTaken() }
      learnNames(reply)
    case .pull, .mark, .match:
      if call.purpose == .pull { pulled(reply, at: now, &effects) }
      if call.purpose == .match { confirmations.answered(reply.failure) }
      if case .failure(let failure) = reply.result, failure.kind == .credential {
        doubts.credential = failure
      }
    }
    if let failure = doubts.credential { signIn.doubt(failure, at: now, &random) }
    if doubts.isDirectoryOld {
      uploads.awaitPlace(directory.doubt(at: now), failures: directory.failures)
    }
    return call.purpose
  }

  /// Questions whose answer never came: each is one that nothing answered.
  func lostCalls(at now: BootInstant) -> [CallID] {
    open.filter { $0.value.lostAt <= now }.keys.sorted()
  }

  /// Keeps what the server's clock shows, once in a while, and when it is not what was expected: it dates
  /// passages that were recorded by a clock that had not been set, and says how far ours is off.
  private mutating func noteTime(_ time: WallTime, at now: BootInstant) {
    if let known = memory.serverTime, now - known.at < Limits.serverTimeEvery {
      let off = time - known.wall(at: now)
      if max(off, .zero - off) < Limits.serverTimeWithin { return }
    }
    memory.serverTime = KnownTime(.server, time, at: now)
  }

  private mutating func signedIn(
    _ reply: ServerReply, by grant: ServerCall.Grant, at now: BootInstant,
    _ effects: inout [NodeEffect]
  ) {
    switch reply.result {
    case .success(.session(let session)):
      let isNew = memory.userID != session.userID || grant == .password
      signIn.granted(session, at: now)
      if !Mutant.rotatedTokenIsForgotten.isActive || memory.refreshToken == nil {
        memory.refreshToken = session.refreshToken
      }
      memory.userID = session.userID
      effects.append(.report(.signedIn(byPassword: grant == .password, isNew: isNew)))
      directory.lineReturned(at: now)
      if grant == .password { uploads.signedIn() }
    case .success:
      signIn.refused(
        ServerFailure(.trouble(.failing), words: "the server answered no session"), for: grant,
        at: now, &random)
    case .failure(let failure):
      signIn.refused(failure, for: grant, at: now, &random)
      let isRefresh = if case .refresh = grant { true } else { false }
      if failure.isOfServer {
        effects.append(
          .report(
            .signInFailed(reason: failure.words, isRefresh: isRefresh, next: signIn.deadline)))
      }
    }
  }

  private mutating func told(
    _ reply: ServerReply, at now: BootInstant, _ effects: inout [NodeEffect]
  ) {
    let before = directory.directory
    switch reply.result {
    case .success(.profile(let profile)):
      if let call = directory.told(profile, at: now) {
        following.append(Following(purpose: .directory, call: call))
      }
    case .success(.segments(let segments)):
      if let call = directory.told(segments, at: now) {
        following.append(Following(purpose: .directory, call: call))
      }
    case .success(.posts(let posts)): directory.told(posts, at: now)
    case .success:
      directory.failed(
        ServerFailure(.trouble(.failing), words: "the server answered something else"), at: now)
    case .failure(let failure): directory.failed(failure, at: now)
    }
    memory.directory = directory.directory
    if let new = directory.directory, new != before {
      effects.append(.report(.directoryLearned(new)))
    }
  }

  /// Tells once of what keeps passages from going, and once that it no longer does.
  mutating func tellFaults(at now: BootInstant, _ effects: inout [NodeEffect]) {
    guard reach != .none else { return }
    if toldAlarm != signIn.alarm {
      toldAlarm = signIn.alarm
      if let alarm = signIn.alarm { effects.append(.report(.credentialRefused(reason: alarm))) }
    }
    guard signIn.isReady(at: now), !directory.isAsking, userID != nil else { return }
    if toldFault != directory.fault, directory.fault != .unknown {
      toldFault = directory.fault
      if let fault = directory.fault { effects.append(.report(.directoryFault(fault))) }
    }
  }
}

/// What the server's clock showed, and when.
struct ServerClock: Hashable, Sendable {
  var time: WallTime
  var at: BootInstant

  /// What it shows now.
  func time(at now: BootInstant) -> WallTime { time + (now - at) }
}
