public import Control
import EventLoop
import JSON
public import NodeCore
public import NodeSQLite
import Passages
public import Settings
import Storage
public import Time

/// The queue as people see it and change it: the same whether the running service is asked or the database is
/// opened by a user who may.
public struct QueueDesk {
  private let store: SQLiteNodeStore
  private let states: PassageStates
  private let clocks: any Clocks
  /// How far ahead of this machine's clock a time may lie.
  private let future: Duration

  /// A desk for a store.
  public init(_ store: SQLiteNodeStore, _ settings: Settings, clocks: any Clocks) {
    self.store = store
    self.clocks = clocks
    states = PassageStates(settings)
    future = settings.central.clockWindow.future
  }

  /// Now, by the clocks of the store.
  public var moment: Moment {
    Moment(boot: store.clock.time(at: clocks.boot()), wall: clocks.wall())
  }

  // MARK: Looking

  /// The newest passages that are meant, the newest last.
  ///
  /// - Parameter status: How the service stands, which keeps texts back for longer than their own time; asked only
  ///   where a passage waits for a text. Nil where no service is asked.
  public func list(
    _ asked: Operations.QueueList, status: () throws -> ServiceStatus? = { nil }
  ) throws -> Operations.QueueList.Answer {
    let choice = try asked.status.map { name in
      guard let choice = QueueChoice(name: name) else {
        throw Self.wrong("\(name): there are \(QueueChoice.allNames.joined(separator: ", "))")
      }
      return choice
    }
    var query = QueueQuery(choice, states)
    query.beforeID = asked.before
    if let plate = asked.plate {
      do {
        query.plate = try Plate(plate).compact
      } catch {
        throw Self.wrong("\(plate): \(error)")
      }
    }
    let limit = min(max(asked.limit ?? Operations.queueLimit, 1), Operations.queueLimit)
    let items = try QueuePages.newest(store, query, limit: limit) { item in
      choice?.holds(for: item, states) ?? true
    }
    let now = moment
    let service = items.contains { $0.textDue != nil } ? try status() : nil
    return Operations.QueueList.Answer(
      passages: items.map { item in
        var object = QueueFields.object(item, states, at: now)
        if let service, let outlook = PassageOutlook(item, [], service, at: now) {
          object["next_text_waits_for"] = outlook.waitsFor.map { .text($0) }
          object["next_text_at"] = outlook.at.map { .text($0.rfc3339) }
        }
        return PassageReport(object)
      },
      hasMore: items.count == limit)
  }

  /// One passage with everything that goes out for it.
  ///
  /// - Parameter status: How the service stands; asked only for a passage that waits for a text.
  public func show(
    _ asked: Operations.QueueShow, status: () throws -> ServiceStatus
  ) throws -> PassageReport {
    let item = try find(asked.passage)
    let now = moment
    let texts = try store.texts(of: item.queueID)
    var object = QueueFields.object(item, states, at: now)
    let alerts = try store.alerts(of: item.passage.clientID)
    object["alerts"] = .list(
      alerts.map { alert in
        .object([
          "kind": .text(alert.kind.rawValue), "words": .text(alert.words),
          "raised_at": .text(alert.raisedAt.rfc3339),
        ])
      })
    object["texts"] = .list(texts.map { .object(QueueFields.object($0)) })
    object["recipients"] = .list(
      try store.textDeliveries(of: item.queueID).map { delivery in
        var fields = QueueFields.object(delivery, at: now)
        let last = texts.last { $0.to == delivery.recipient }
        fields["last_attempt_at"] = last.map { .text($0.begunAt.rfc3339) }
        return .object(fields)
      })
    object["uploads"] = .list(
      try store.uploads(of: item.queueID).map { .object(QueueFields.object($0, of: item, at: now)) }
    )
    // The first one behind the place before it.
    object["photo_left_out"] = try store.photosLeftOut(after: item.queueID - 1)[item.queueID].map {
      .text($0)
    }
    // What dates a passage later: how long the machine had been up, in which of its starts.
    let boot = try item.passage.isUndated ? store.bootMoment(of: item.since) : nil
    object["boot_id"] = boot.map { .text($0.bootID) }
    object["boot_seconds"] = boot.map { .integer(($0.time - .zero).wholeSeconds) }
    // Only for one that waits does it matter what the service is doing.
    if item.textDue != nil,
      let outlook = PassageOutlook(
        item, texts.filter { $0.to == .centre }, try status(), at: now)
    {
      object["next_text_waits_for"] = outlook.waitsFor.map { .text($0) }
      object["next_text_reason"] = outlook.reason.map { .text($0) }
      object["next_text_at"] = outlook.at.map { .text($0.rfc3339) }
    }
    return PassageReport(object)
  }

  // MARK: Changing

  /// Sets a plate or a kind of vehicle right.
  public func correct(_ asked: Operations.QueueCorrect) throws -> Operations.QueueChanges {
    guard asked.plate != nil || asked.type != nil else {
      throw Self.wrong("name what is right: the plate, the type of the vehicle, or both")
    }
    let plate: Plate?
    do {
      plate = try asked.plate.map { try Plate($0) }
    } catch {
      throw Self.wrong("\(asked.plate ?? ""): \(error)")
    }
    let type = asked.type.flatMap { VehicleType(name: $0) }
    if let name = asked.type, type == nil {
      let names = VehicleType.allCases.map(\.rawValue).joined(separator: ", ")
      throw Self.wrong("\(name): is none of \(names)")
    }
    return try change(asked.passages) { item, moment in
      let before = try store.corrected(item)
      // What is not named stays as the last correction has it, which this one takes the place of.
      let correction = PlateCorrection(plate: plate ?? before.passage.plate, vehicleType: type)
      let words = [plate?.display, type?.rawValue].compactMap { $0 }.joined(separator: ", ")
      let was = [
        plate.map { _ in before.passage.plate.display },
        type.map { _ in before.passage.vehicleType.rawValue },
      ].compactMap { $0 }.joined(separator: ", ")
      return
        switch try store.correct(
          item.queueID, with: correction, hasServer: states.hasServer, at: moment)
      {
      case .replaced:
        ("replaced", true, "it is \(words) now, and was \(was); nothing of it had left")
      case .queued where !states.hasServer:

        (
          "queued", true,
          "it is \(words) here in place of \(was); no server is set that could be told of it"
        )
      case .queued: ("queued", true, "the server is told of \(words) in place of \(was)")
      case .recordedAnew(_, let number):
        (
          "recorded_anew", true,
          "a text of it has left, and no text takes one back: \(words) is recorded as number"
            + " \(number) and goes as a text of its own; the wrong one is withdrawn here, and central"
            + " keeps it until somebody withdraws it there"
        )
      case .unchanged: ("unchanged", true, "it is so already")
      case .withdrawn: ("withdrawn", false, "it was withdrawn; record the right one anew")
      case .identityTaken(let other):
        ("identity_taken", false, "it would be a passage that is recorded already: \(other)")
      case .notFound: ("not_found", false, "there is no such passage")
      }
    }
  }

  /// Puts passages on hold.
  public func park(_ asked: Operations.QueuePark) throws -> Operations.QueueChanges {
    try change(asked.passages) { item, _ in
      let reason = asked.reason ?? "parked by an operator"
      guard try store.park(item.queueID, reason: reason) else {
        return item.withdrawnAt != nil
          ? ("withdrawn", false, "it was withdrawn; nothing of it goes")
          : ("already_synced", false, "it is not on hold: the server has it")
      }
      return (
        "parked", true, "on hold; it is neither uploaded nor texted until `checkpost queue retry`"
      )
    }
  }

  /// Says when passages were that have no time of their own.
  public func date(_ asked: Operations.QueueDate) throws -> Operations.QueueChanges {
    guard let time = WallTime(rfc3339: asked.at) else {
      throw Self.wrong("\(asked.at): is no time as RFC 3339 has it")
    }
    return try change(asked.passages) { item, moment in
      switch try store.date(item.queueID, at: time, future: future, moment: moment) {
      case .dated: ("dated", true, "it was at \(LocalClock.ofThisMachine.whole(time))")
      case .alreadyDated: ("already_dated", false, "it has its time already; that stays")
      case .handedOn:
        ("handed_on", false, "it was handed on as it is; tell the person who has it when it was")
      case .unsayable:
        (
          "unsayable", false,
          "no text can say \(time.rfc3339); the earliest is \(Passage.earliest.rfc3339)"
        )
      case .ahead:
        (
          "ahead", false,
          "\(time.rfc3339) lies in the future of this machine's clock; set the clock, or the time"
        )
      case .notFound: ("not_found", false, "there is no such passage")
      }
    }
  }

  /// Tries again what was given up or is on hold.
  public func retry(_ asked: Operations.QueueRetry) throws -> Operations.QueueChanges {
    let parts = try (asked.parts ?? RetryPart.allCases.map(\.rawValue)).map { name in
      guard let part = RetryPart(rawValue: name) else {
        let names = RetryPart.allCases.map(\.rawValue).joined(separator: ", ")
        throw Self.wrong("\(name): is none of \(names)")
      }
      return part
    }
    return try change(asked.passages) { item, moment in
      let before = try store.uploads(of: item.queueID)
      let outcome = try store.retry(item.queueID, Set(parts), at: moment)
      guard outcome == .retried else { return (outcome.rawValue, false, Self.words(outcome)) }
      let after = try store.item(item.queueID)
      var words: [String] = []
      if item.status == .failed, after?.status == .pending { words.append("it is uploaded again") }
      for upload in before where upload.kind != .passage && upload.status == .failed {
        let what = QueueFields.name(of: upload)
        if parts.contains(where: { $0.rawValue == upload.kind.rawValue }) {
          words.append("its \(what) is uploaded again")
        }
      }
      if parts.contains(.texts), let due = after?.textDue {
        let at = TimeWords(seenAt: moment.wall).time(moment.wall(at: due))
        words.append(due > moment.boot ? "texted from \(at)" : "its text goes as soon as one may")
      }
      if item.parkedReason != nil || item.onHoldReason != nil, after?.onHoldReason == nil {
        words.append("no longer on hold")
      }
      if item.handedOnAt != nil, after?.handedOnAt == nil {
        words.append("no longer marked as handed on")
      }
      if words.isEmpty { words = ["it is tried again"] }
      return (outcome.rawValue, true, words.joined(separator: "; "))
    }
  }

  /// Withdraws passages that never were.
  public func withdraw(_ asked: Operations.QueueWithdraw) throws -> Operations.QueueChanges {
    guard asked.reason.contains(where: { !$0.isWhitespace }) else {
      throw Self.wrong("say why it never was: --reason \"wrong key\"")
    }
    return try change(asked.passages) { item, moment in
      switch try store.withdraw(item.queueID, reason: asked.reason, at: moment) {
      case .keptHere: ("withdrawn", true, "withdrawn; nothing of it had left, and nothing will")
      case .queued where !states.hasServer:
        (
          "withdrawn", true,
          "withdrawn here; a text of it may have left, and no text takes one back: tell central, where"
            + " `checkpost central passages --withdraw` withdraws it"
        )
      case .queued: ("withdrawn", true, "withdrawn; the server is told that it never was")
      case .alreadyWithdrawn: ("already_withdrawn", true, "it was withdrawn before")
      case .notFound: ("not_found", false, "there is no such passage")
      }
    }
  }

  /// Decides conflicts that wait for a person.
  public func resolve(
    _ passages: [String], as resolution: ConflictResolution
  ) throws -> Operations.QueueChanges {
    try change(passages) { item, moment in
      try store.resolve(item.queueID, as: resolution, at: moment)
        ? ("resolved", true, "decided: \(resolution.rawValue)")
        : ("no_conflict", false, "there is nothing to decide about it")
    }
  }

  private typealias Result = (outcome: String, isDone: Bool, words: String)

  /// Changes the passages that are named, once each, after all names were found to be right.
  private func change(
    _ names: [String], _ body: (QueueItem, Moment) throws -> Result
  ) throws -> Operations.QueueChanges {
    guard !names.isEmpty else { throw Self.wrong("name the passages") }
    guard names.count <= Operations.queueLimit else {
      throw Self.wrong("name \(Operations.queueLimit) passages at a time at most")
    }
    var items: [QueueItem] = []
    for name in names {
      let item = try find(name)
      if !items.contains(where: { $0.queueID == item.queueID }) { items.append(item) }
    }
    var changes: [PassageChangeReport] = []
    for item in items {
      let result = try body(item, moment)
      let after = try store.item(item.queueID) ?? item
      changes.append(
        PassageChangeReport(
          outcome: result.outcome, done: result.isDone, message: result.words,
          passage: PassageReport(QueueFields.object(after, states, at: moment))))
    }
    return Operations.QueueChanges(changes: changes)
  }

  /// Why a passage is not tried again.
  private static func words(_ outcome: RetryOutcome) -> String {
    switch outcome {
    case .retried: "it is tried again"
    case .alreadySynced: "the server has it already, and nothing of it was given up"
    case .alreadyTexted:
      "its text was accepted, and no report says that it was not delivered; it is not sent again"
    case .tooManyTexts:
      "three texts for it went out or may have; there will be no fourth, hand it on by"
        + " `checkpost queue export --mark`"
    case .undated:
      "it was recorded while the clock had not been set, and a text says the time; say when it was by"
        + " `checkpost queue date`, or hand it on by `checkpost queue export --mark`"
    case .withdrawn: "it was withdrawn; nothing of it goes"
    case .nothingToRetry: "nothing of that was given up or is on hold"
    case .busy: "it is being sent at this moment; try again"
    case .notFound: "there is no such passage"
    }
  }

  // MARK: Names

  /// Characters that the beginning of an identity has at least, to name a passage.
  private static let shortestBeginning = 4

  /// The passage that somebody names by its number in the queue, its identity, or the beginning of that.
  ///
  /// - Throws: `ControlRefusal` where that names none, or several.
  public func find(_ text: String) throws -> QueueItem {
    var found: [QueueItem] = []
    let number = Int64(text)
    if let client = ClientID(text) {
      found = try store.item(client).map { [$0] } ?? []
    } else if let number, let item = try store.item(number) {
      found = [item]
    } else if text.utf8.count >= Self.shortestBeginning, text.utf8.count < 36,
      text.allSatisfy({ $0 == "-" || $0.isASCII && $0.isHexDigit })
    {
      found = try store.items(beginning: text.lowercased())
    } else if number == nil {
      throw Self.wrong(
        "\(text): is neither a number of the queue nor a client_id, nor \(Self.shortestBeginning)"
          + " characters or more of one")
    }
    guard let item = found.first else {
      throw ControlRefusal(
        code: "no_such_passage",
        message: "\(text): there is no such passage; see `checkpost queue list`",
        exitCode: ExitStatus.badData.code)
    }
    guard found.count == 1 else {
      throw ControlRefusal(
        code: "no_such_passage",
        message: "\(text): several passages begin so; name more of the client_id",
        exitCode: ExitStatus.badData.code)
    }
    return item
  }

  private static func wrong(_ words: String) -> ControlRefusal {
    ControlRefusal(code: "bad_request", message: words, exitCode: ExitStatus.usage.code)
  }
}

/// Which passages of the queue are meant, by how they or their texts stand.
public enum QueueChoice: Hashable, Sendable {
  /// Those that stand so.
  case state(PassageState)
  /// Those whose upload stands so.
  case status(QueueStatus)
  /// Those whose texts stand so.
  case text(TextStanding)
  /// Those that are on hold.
  case parked

  /// The choice of that name; nil where there is none.
  public init?(name: String) {
    if name == "parked" {
      self = .parked
    } else if let state = PassageState(rawValue: name) {
      self = .state(state)
    } else if let status = QueueStatus(rawValue: name) {
      self = .status(status)
    } else if let text = TextStanding(rawValue: name) {
      self = .text(text)
    } else {
      return nil
    }
  }

  /// All names.
  public static var allNames: [String] {
    PassageState.allCases.map(\.rawValue) + QueueStatus.allCases.map(\.rawValue)
      + TextStanding.allCases.map(\.rawValue) + ["parked"]
  }

  /// Its name.
  public var name: String {
    switch self {
    case .state(let state): state.rawValue
    case .status(let status): status.rawValue
    case .text(let text): text.rawValue
    case .parked: "parked"
    }
  }

  /// Whether a passage that its query finds is meant.
  public func holds(for item: QueueItem, _ states: PassageStates) -> Bool {
    guard case .state(let state) = self else { return true }
    return states.reason(of: item).state == state
  }
}

extension QueueQuery {
  /// What finds the passages of a choice, and maybe some more.
  public init(_ choice: QueueChoice?, _ states: PassageStates) {
    self.init()
    switch choice {
    case nil: break
    case .state(let state): among = states.subset(holding: state)
    case .status(let status): self.status = status
    case .text(let text): self.text = text
    case .parked: isParked = true
    }
  }
}
