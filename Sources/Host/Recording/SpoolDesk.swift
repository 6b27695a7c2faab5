import Dispatch
import EventLoop
import Events
import Log
import NodeCore
import NodeService
import Passages
import Synchronization
import Time

/// Takes what members of the group put down while the service did not run into its queue: at its start, and
/// when it sees more.
final class SpoolDesk: Sendable {
  private struct State {
    var isLooking = false
    var hasEnded = false
    /// Whether it was told that passages wait for the name of the post.
    var hasToldOfPost = false
  }

  /// How long after a failure it is tried again.
  private static let retry: DispatchTimeInterval = .seconds(10)

  private let spool: Spool
  private let service: NodeService
  private let nodeClock: NodeClock
  private let checkpost: @Sendable () -> String?
  private let log: ServiceLog
  private let clocks: any Clocks
  private let queue = DispatchQueue(label: "spool")
  private let state = Mutex(State())

  /// - Parameters:
  ///   - nodeClock: The clock of the node's store.
  ///   - checkpost: The node's post, by the settings as they are then.
  init(
    _ spool: Spool, into service: NodeService, nodeClock: NodeClock,
    checkpost: @escaping @Sendable () -> String?, log: ServiceLog, clocks: any Clocks
  ) {
    self.spool = spool
    self.service = service
    self.nodeClock = nodeClock
    self.checkpost = checkpost
    self.log = log
    self.clocks = clocks
  }

  /// Makes the directory, for the time in which the service does not run.
  func prepare() {
    spool.prepare(at: clocks.wall())
  }

  /// Takes in what waits; returns at once.
  func look() {
    // Where nothing lies there is nothing to begin a thread for.
    guard !spool.waiting().isEmpty else { return }
    let isNew = state.withLock { state in
      guard !state.isLooking, !state.hasEnded else { return false }
      state.isLooking = true
      return true
    }
    guard isNew else { return }
    queue.async { [self] in
      let isDone = spool.waiting().allSatisfy(take)
      let isWanted = state.withLock { state in
        state.isLooking = false
        return !isDone && !state.hasEnded
      }
      if isWanted {
        queue.asyncAfter(deadline: .now() + SpoolDesk.retry) { [weak self] in self?.look() }
      }
    }
  }

  /// What keeps passages in the spool until a person acts.
  var problem: Problem? {
    let bad = spool.unreadable().count
    if bad > 0 {
      return Problem(
        "spool_unreadable", .critical,
        "\(bad) file\(bad == 1 ? "" : "s") in \(spool.directory) could not be taken into the queue",
        remedy: "look what stands there (*\(Spool.badEnding)), record it, and remove the file")
    }
    guard state.withLock({ $0.hasToldOfPost }) else { return nil }
    return Problem(
      "spool_waits", .critical,
      "passages wait in \(spool.directory), and no setting says which post this is",
      remedy: "set node.checkpost, and restart the service")
  }

  /// Blocks until what was begun is done; nothing is begun after that.
  func finish() {
    state.withLock { $0.hasEnded = true }
    queue.sync {}
  }

  /// Takes in one file; false when the next ones would fare no better.
  private func take(_ name: String) -> Bool {
    if state.withLock({ $0.hasEnded }) { return false }
    let read: Spool.Batch?
    do throws(SpoolError) {
      read = try spool.batch(name)
    } catch {
      switch error.failure {
      // Somebody took it back.
      case .missing: return true
      case .denied:
        setAside(name, "this service may not read it")
        return true
      default: return false
      }
    }
    guard let batch = read else {
      setAside(name, "it is not a file of passages")
      return true
    }
    guard let requests = named(batch) else { return true }
    let answer = Answer()
    service.record(requests, at: moment(batch.moment)) { answer.give($0) }
    switch answer.wait() {
    case .success(let outcomes):
      spool.remove(name)
      tell(outcomes, batch)
      return true
    case .failure(.tooMany):
      setAside(name, "it holds more passages than were ever put down at once")
      return true
    case .failure:
      return false
    }
  }

  /// The moment by the node's clock: what was put down in this start of the machine has waited since then,
  /// and anything else since the machine started, at least.
  private func moment(_ moment: Spool.Moment) -> Moment {
    let isOurs = moment.bootID == SystemClocks.bootIdentity() && !moment.bootID.isEmpty
    let boot = isOurs ? min(max(moment.boot, .zero), clocks.boot()) : .zero
    return Moment(boot: nodeClock.time(at: boot), wall: moment.wall)
  }

  /// The passages with the post of the settings, where nobody could say which it is; nil while these do not
  /// say it either.
  private func named(_ batch: Spool.Batch) -> [RecordRequest]? {
    guard batch.requests.contains(where: { $0.passage.checkpost.code == Spool.unknownPost }) else {
      return batch.requests
    }
    guard let post = checkpost().flatMap({ try? CheckpostCode($0) }) else {
      let isNews = state.withLock { state in
        defer { state.hasToldOfPost = true }
        return !state.hasToldOfPost
      }
      if isNews {
        log.record(
          Event(
            "spool_waits", .error, at: clocks.wall(),
            words:
              "passages wait in \(spool.directory), and no setting says which post this is; set"
              + " node.checkpost, and restart the service"))
      }
      return nil
    }
    return batch.requests.map { $0.named(post, bootID: batch.moment.bootID) }
  }

  private func tell(_ outcomes: [RecordOutcome], _ batch: Spool.Batch) {
    let new = outcomes.count { if case .recorded = $0 { true } else { false } }
    let taken = outcomes.count { if case .identityTaken = $0 { true } else { false } }
    guard new + taken > 0 else { return }
    let passages = new == 1 ? "1 passage" : "\(new) passages"
    log.record(
      Event(
        "spool_taken", taken == 0 ? .notice : .error, at: clocks.wall(),
        words: "\(passages) recorded while the service did not answer"
          + (new == 1 ? " is" : " are") + " in the queue now"
          + (taken == 0 ? "" : "; \(taken) refused, whose client_id belongs to another passage"),
        fields: [
          EventField("passages", .integer(Int64(new))),
          EventField("put_down_at", .text(batch.moment.wall.rfc3339)),
        ]))
  }

  private func setAside(_ name: String, _ why: String) {
    spool.setAside(name)
    log.record(
      Event(
        "spool_unreadable", .error, at: clocks.wall(),
        words: "a file in \(spool.directory) was not taken in: \(why). It is kept as"
          + " \(name)\(Spool.badEnding)"))
  }

  /// The node's answer, from its thread to the one that waits.
  private final class Answer: Sendable {
    typealias Outcome = Result<[RecordOutcome], NodeServiceError>

    private let result = Mutex<Outcome>(.failure(.ended))
    private let isGiven = DispatchSemaphore(value: 0)

    func give(_ given: Outcome) {
      result.withLock { $0 = given }
      isGiven.signal()
    }

    func wait() -> Outcome {
      isGiven.wait()
      return result.withLock { $0 }
    }
  }
}

extension RecordRequest {
  /// The same passage at another post, with the identity that it has there. One that was given stays.
  fileprivate func named(_ post: CheckpostCode, bootID: String) -> RecordRequest {
    guard passage.checkpost.code == Spool.unknownPost else { return self }
    let identity = passage.contentClientID == nil ? nil : passage.clientID
    var request = self
    if passage.isUndated {
      request.passage = Passage(
        undated: passage.plate, vehicleType: passage.vehicleType, checkpost: post,
        recordedAt: passage.recordedAt, boot: clock == nil ? nil : bootID, suffix: passage.suffix,
        identity: identity, segment: passage.segment, ranger: passage.ranger,
        photoPath: passage.photoPath)
    } else if let dated = try? Passage(
      recording: passage.plate, vehicleType: passage.vehicleType, checkpost: post,
      recordedAt: passage.recordedAt, suffix: passage.suffix, identity: identity,
      segment: passage.segment, ranger: passage.ranger, photoPath: passage.photoPath)
    {
      request.passage = dated
    }
    return request
  }
}
