import CentralCore
import EventLoop
import Events
import NodeCore
import Passages
import SeededRandom
import Storage
import Supabase
import Time

/// One turn after the other: what is due, where it belongs, what the server says of it.
struct ForwardLine {
  let store: any ForwardStore
  let asking: Asking
  let api: SupabaseAPI
  let clocks: any Clocks
  var chance: SplitMix64
  let isStopping: @Sendable () -> Bool
  let onEvent: @Sendable (Event) -> Void

  private var pause = ForwardPause()
  /// Since when nothing can be handed on, and why; nil while it can.
  private(set) var failing: (since: WallTime, words: String)?
  private var notBefore = BootInstant.zero
  private var directory: ForwardDirectory?
  private var learnedAt = BootInstant.zero
  /// Rows of which it was told that they cannot go.
  private var told: Set<Int64> = []

  init(
    store: any ForwardStore, asking: Asking, api: SupabaseAPI, clocks: any Clocks,
    chance: SplitMix64, isStopping: @escaping @Sendable () -> Bool,
    onEvent: @escaping @Sendable (Event) -> Void
  ) {
    self.store = store
    self.asking = asking
    self.api = api
    self.clocks = clocks
    self.chance = chance
    self.isStopping = isStopping
    self.onEvent = onEvent
  }

  /// Hands on all that is due.
  ///
  /// - Returns: When to look again, if nobody tells of anything before.
  mutating func go() -> BootInstant {
    guard clocks.boot() >= notBefore else { return notBefore }
    do throws(ForwardFault) {
      while !isStopping() {
        let due: DueForwards
        let wall = clocks.wall()
        do throws(StorageError) {
          due = try store.forwards(due: wall, limit: Limits.batch)
        } catch {
          throw .store(error)
        }
        guard !due.passages.isEmpty else {
          let next = due.next.map { min(max($0 - wall, .seconds(1)), Limits.look) } ?? Limits.look
          return clocks.boot() + next
        }
        try handOn(due.passages)
        recovered()
      }
      return clocks.boot()
    } catch {
      return failed(error)
    }
  }

  private mutating func handOn(_ all: [StoredPassage]) throws(ForwardFault) {
    let withdrawals = all.filter { $0.withdrawal != nil }
    if !withdrawals.isEmpty {
      try settle(try withdraw(withdrawals), of: withdrawals)
      if isStopping() { return }
    }
    let passages = all.filter { $0.withdrawal == nil }
    guard !passages.isEmpty else { return }
    try learn()
    var (pushes, outcomes) = placed(passages)
    if !outcomes.isEmpty, clocks.boot() - learnedAt > Limits.directoryLacks {
      // Somebody may be there by now.
      learnedAt = .zero
      directory = nil
      try learn()
      (pushes, outcomes) = placed(passages)
    }
    if !pushes.isEmpty { outcomes += try push(pushes) }
    guard !isStopping() else { return }
    try settle(outcomes, of: passages)
  }

  private mutating func settle(
    _ outcomes: [ForwardOutcome], of passages: [StoredPassage]
  ) throws(ForwardFault) {
    do throws(StorageError) {
      try store.settle(outcomes, at: clocks.wall())
    } catch {
      throw .store(error)
    }
    tell(outcomes, of: passages)
  }

  /// Passages that never were: what the server has of them is withdrawn there, and the others never go. What was
  /// handed over without an answer is there as well, so the server is asked.
  private func withdraw(_ passages: [StoredPassage]) throws(ForwardFault) -> [ForwardOutcome] {
    let found = try answered(try call(.readBack(passages.map(\.passage.clientID))))
    var rows: [String: String] = [:]
    for stored in found { rows[stored.clientID.lowercased()] = stored.serverID }
    var outcomes: [ForwardOutcome] = []
    for passage in passages where !isStopping() {
      guard let serverID = rows[passage.passage.clientID.description] else {
        outcomes.append(ForwardOutcome(row: passage.id, .withdrawn))
        continue
      }
      let withdrawal = PassageWithdrawal(
        serverID: serverID, reason: passage.withdrawal ?? "")
      switch try call(.withdraw(passage.passage.clientID, withdrawal)) {
      case .success: outcomes.append(ForwardOutcome(row: passage.id, .withdrawn))
      case .failure(let failure):
        switch ForwardVerdict(failure, of: 1) {
        case .pause(let failure): throw .server(failure)
        case .oneByOne, .settled:
          outcomes.append(ForwardOutcome(row: passage.id, .setAside(.refused)))
        }
      }
    }
    return outcomes
  }

  /// What can go, and of the rest why not.
  private func placed(
    _ passages: [StoredPassage]
  ) -> (pushes: [(row: Int64, push: PassagePush)], outcomes: [ForwardOutcome]) {
    var pushes: [(row: Int64, push: PassagePush)] = []
    var outcomes: [ForwardOutcome] = []
    for passage in passages {
      switch directory?.push(passage) {
      case .success(let push): pushes.append((passage.id, push))
      case .failure(let fault) where fault.hindrance == .undated:
        outcomes.append(ForwardOutcome(row: passage.id, .setAside(.undated)))
      case .failure(let fault): outcomes.append(later(passage.id, fault.hindrance))
      case nil: outcomes.append(later(passage.id, .unknownPost))
      }
    }
    return (pushes, outcomes)
  }

  private func later(_ row: Int64, _ hindrance: ForwardHindrance) -> ForwardOutcome {
    ForwardOutcome(row: row, .waits(hindrance, until: clocks.wall() + Limits.placePause))
  }

  // MARK: - The server

  private mutating func learn() throws(ForwardFault) {
    if directory != nil, clocks.boot() - learnedAt < Limits.directoryLasts { return }
    var posts: [ServerOfficePost] = []
    var people: [ServerOfficePerson] = []
    for _ in 0..<Limits.pages {
      let page = try answered(
        api.officePosts(in: asking.ask(api.officePosts(after: posts.last?.id), clocks)))
      if page.isEmpty { break }
      posts += page
    }
    for _ in 0..<Limits.pages {
      let page = try answered(
        api.officePeople(in: asking.ask(api.officePeople(after: people.last?.id), clocks)))
      if page.isEmpty { break }
      people += page
    }
    directory = ForwardDirectory(posts: posts, people: people)
    learnedAt = clocks.boot()
  }

  private func answered<Value>(
    _ result: Result<Value, ServerFailure>
  ) throws(ForwardFault) -> Value {
    switch result {
    case .success(let value): return value
    case .failure(let failure): throw .server(failure)
    }
  }

  /// What became of passages that have a place.
  private mutating func push(
    _ pushes: [(row: Int64, push: PassagePush)]
  ) throws(ForwardFault) -> [ForwardOutcome] {
    let stored: [StoredOnServer]
    switch try call(.push(pushes.map(\.push))) {
    case .success(let told): stored = told
    case .failure(let failure):
      switch ForwardVerdict(failure, of: pushes.count) {
      case .pause(let failure):
        guard failure.isTrouble, pushes.count > 1, pause.isFailing else {
          throw .server(failure)
        }
        return try apart(pushes, failure)
      case .oneByOne:
        var outcomes: [ForwardOutcome] = []
        for one in pushes where !isStopping() { outcomes += try push([one]) }
        return outcomes
      case .settled(.forwarded): return pushes.map { ForwardOutcome(row: $0.row, .forwarded) }
      case .settled(.refused):
        return pushes.map { ForwardOutcome(row: $0.row, .setAside(.refused)) }
      case .settled(.unplaced):
        // What is known of its posts and people may be old.
        directory = nil
        return pushes.map { later($0.row, .unknownPost) }
      }
    }
    var there = Set(stored.map { $0.clientID.lowercased() })
    let silent = pushes.map(\.push.passage.clientID).filter { !there.contains($0.description) }
    // What was there before is not told; nor what was dropped without a word.
    if !silent.isEmpty {
      let found = try answered(try call(.readBack(silent)))
      there.formUnion(found.map { $0.clientID.lowercased() })
    }
    return pushes.map { one in
      there.contains(one.push.passage.clientID.description)
        ? ForwardOutcome(row: one.row, .forwarded) : later(one.row, .notStored)
    }
  }

  /// Hands passages on one by one, since the server failed at them together twice: one that it fails at keeps no
  /// other waiting. Where it fails at the first ones, too, it fails at all.
  private mutating func apart(
    _ pushes: [(row: Int64, push: PassagePush)], _ failure: ServerFailure
  ) throws(ForwardFault) -> [ForwardOutcome] {
    var outcomes: [ForwardOutcome] = []
    var failed = 0
    var worked = false
    for one in pushes where !isStopping() {
      do throws(ForwardFault) {
        outcomes += try push([one])
        worked = true
      } catch {
        guard case .server(let own) = error, own.isTrouble else { throw error }
        failed += 1
        // With each further attempt more of them are tried, as those may be at the front.
        if !worked, failed > Limits.failuresAtFront * pause.failures { throw .server(failure) }
        outcomes.append(later(one.row, .serverFails))
      }
    }
    guard worked || isStopping() else { throw .server(failure) }
    return outcomes
  }

  private func call(
    _ call: ServerCall
  ) throws(ForwardFault) -> Result<[StoredOnServer], ServerFailure> {
    let request: ServerRequest
    do throws(ServerFailure) {
      request = try api.request(for: call)
    } catch {
      throw .server(error)
    }
    switch api.reply(to: call, asking.ask(request, clocks)).result {
    case .success(.stored(let stored)): return .success(stored)
    case .success: return .success([])
    case .failure(let failure): return .failure(failure)
    }
  }

  // MARK: - What is told

  private mutating func failed(_ fault: ForwardFault) -> BootInstant {
    let isFirst = !pause.isFailing
    failing = (failing?.since ?? clocks.wall(), fault.words)
    notBefore = clocks.boot() + pause.failed(asked: fault.retryAfter, &chance)
    if isFirst, !isStopping() {
      onEvent(
        Event(
          "forward_failed", .warning, at: clocks.wall(),
          words: "passages wait, since they cannot be handed on: \(fault.words)"))
    }
    return notBefore
  }

  private mutating func recovered() {
    if pause.isFailing {
      onEvent(
        Event("forward_works", at: clocks.wall(), words: "passages are handed on again"))
    }
    pause.succeeded()
    failing = nil
    notBefore = .zero
  }

  private mutating func tell(_ outcomes: [ForwardOutcome], of passages: [StoredPassage]) {
    var forwarded = 0
    let posts = Dictionary(
      passages.map { ($0.id, $0.passage.checkpost.code) }, uniquingKeysWith: { first, _ in first })
    for outcome in outcomes {
      switch outcome.result {
      case .forwarded:
        forwarded += 1
        told.remove(outcome.row)
      case .withdrawn: told.remove(outcome.row)
      case .waits(let hindrance, _), .setAside(let hindrance):
        guard told.insert(outcome.row).inserted else { continue }
        var event = Event(
          "forward_held", .warning, at: clocks.wall(), subject: posts[outcome.row],
          words: hindrance.words)
        event["reason"] = .text(hindrance.rawValue)
        onEvent(event)
      }
    }
    guard forwarded > 0 else { return }
    var event = Event(
      "passages_forwarded", at: clocks.wall(), words: "passages were handed on to the server")
    event["done"] = .integer(Int64(forwarded))
    onEvent(event)
  }
}

/// Why nothing goes at all.
enum ForwardFault: Error {
  case server(ServerFailure)
  case store(StorageError)

  var words: String {
    switch self {
    case .server(let failure): failure.words
    case .store(let error): error.message
    }
  }

  var retryAfter: Duration? {
    if case .server(let failure) = self { failure.retryAfter } else { nil }
  }
}

extension ServerFailure {
  /// Whether the server is there and fails at what it is asked.
  fileprivate var isTrouble: Bool { kind == .trouble(.failing) }
}

extension ForwardHindrance {
  /// For people.
  var words: String {
    switch self {
    case .unknownPost: "a passage waits: the server does not know its post"
    case .unknownRanger: "a passage waits: the server knows nobody who can have recorded it"
    case .undated: "a passage is set aside: the clock of its post had not been set"
    case .notStored: "a passage waits: the server took it and does not have it"
    case .serverFails: "a passage waits: the server fails when it is handed over, and takes others"
    case .refused: "a passage is set aside: the server does not take it"
    }
  }
}
