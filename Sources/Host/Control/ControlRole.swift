import CentralService
import Control
import EventLoop
import Events
import JSON
import Log
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import PhotoFiles
import Settings
import Storage
import Time

/// The control socket of the running service: what commands may ask, and who answers.
struct ControlRole: ServicePart {
  let desk: ControlDesk
  let release: StoreRelease
  let settings: CurrentSettings
  let node: NodeRole?
  let central: CentralRole?
  let log: ServiceLog
  let clocks: any Clocks

  func start(whenEnded: @escaping @Sendable () -> Void) {
    node?.spool.prepare()
    desk.open(self)
    // A command that could not ask before has put down by now what this finds; one that can will say so.
    node?.spool.look()
  }

  var pulses: [Pulse] { [desk.pulse] }

  func stop() {
    desk.close(
      release.isAsked
        ? "another database is put in the place of the node's" : "the service is ending",
      isHolding: release.isAsked)
  }

  func join() {}

  /// Answers a request; called on the control socket's thread.
  func handle(_ request: ControlRequest, _ reply: ControlReply) {
    do throws(ControlRefusal) {
      // Hundreds of passages come at once: they are read as they are, and not copied as a value first.
      if request.operation == RecordMessage.operation { return try record(request, reply) }
      try handle(ServiceRequest(request), reply)
    } catch {
      reply.answer(.refused(error))
    }
  }

  private func handle(
    _ request: ServiceRequest, _ reply: ControlReply
  ) throws(ControlRefusal) {
    switch request {
    case .wake:
      node?.service.wake()
      node?.spool.look()
      reply.done(Operations.Wake.Answer(clock: clockProblem?.sentence))
    case .centralWake:
      central?.service.wake()
      reply.done()
    case .status: reply.done(status())
    case .retryNow:
      node?.service.post(.retryNow)
      reply.done()
    case .syncNow:
      guard let node else { throw ControlRole.badRequest("this service has no queue to sync") }
      node.service.post(.syncNow)
      reply.done(node.syncReport(at: clocks))
    case .events(let asked): try tell(asked, reply)
    case .modemInfo(let asked):
      reply.done(ModemsReport(modems: try modems(asked).map(\.report)))
    case .modemCommand(let asked):
      if let reason = OperatorCommandLine.refusal(of: asked.command) {
        throw ControlRole.badRequest("\(asked.command): \(reason)")
      }
      let seconds = min(max(asked.timeout ?? 30, 1), 300)
      try modem(asked).command(asked.command, timeout: .seconds(seconds), reply)
    case .modemUSSD(let asked): try modem(asked).ussd(asked.code, reply)
    case .modemReset(let asked):
      let step = asked.step.flatMap { RecoveryStep(name: $0) }
      guard asked.step == nil || step != nil else {
        throw ControlRole.badRequest("there is no such step")
      }
      try modem(asked).reset(step, reply)
    case .modemTrace(let asked): try modem(asked).trace(isWhole: asked.whole ?? false, reply)
    case .modemSend(let asked):
      if let reason = TextByHand.refusal(ofNumber: asked.to) {
        throw ControlRole.badRequest("\(asked.to): \(reason)")
      }
      if let reason = TextByHand.refusal(ofBody: asked.text) {
        throw ControlRole.badRequest(reason)
      }
      let modem = try modem(asked)
      if let node, node.modems.contains(where: { $0 === modem }) {
        node.send(asked.text, to: asked.to, by: modem, named: asked.request, reply)
      } else {
        modem.send(asked.text, to: asked.to, reply)
      }
    case .logMasks(let asked):
      reply.done(
        Operations.LogMasks.Answer(
          plates: asked.plates.map { log.mask(plate: $0) },
          clientIDs: asked.clientIDs.map { log.mask(identity: $0) }))
    case .secrets:
      reply.done(
        Operations.Secrets.Answer(
          files: settings.loaded.secretFiles().map { file in
            Operations.Secrets.Answer.File(
              key: file.key, path: file.path, message: file.problem?.words,
              remedy: file.problem?.remedy)
          }))
    case .photo(let part):
      guard let node else {
        throw ControlRole.noNode
      }
      node.photos.take(part, reply)
    case .releaseStore(let asked):
      guard
        node?.keeps(asked.database) == true
          || RecordMessage.isKnown(asked.database, as: settings.loaded.centralDatabase)
      else { throw ControlRole.otherDatabase }
      release.ask(reply)
    case .modemSendWithdraw(let asked) where asked.textID != nil:
      guard let node, let id = asked.textID else {
        throw ControlRefusal(
          code: "no_node", message: "the running service is no node, so that it keeps no texts")
      }
      node.withdraw(id, reply)
    case .queueList(let asked):
      try queue(asked, reply) { desk in try desk.list(asked) { status() } }
    case .queueShow(let asked):
      try queue(asked, reply) { desk in try desk.show(asked) { status() } }
    case .queueCorrect(let asked): try changeQueue(asked, reply) { try $0.correct(asked) }
    case .queuePark(let asked): try changeQueue(asked, reply) { try $0.park(asked) }
    case .queueDate(let asked): try changeQueue(asked, reply) { try $0.date(asked) }
    case .queueRetry(let asked): try changeQueue(asked, reply) { try $0.retry(asked) }
    case .queueWithdraw(let asked): try changeQueue(asked, reply) { try $0.withdraw(asked) }
    case .modemSendWithdraw(let asked):
      let waits = asked.request.flatMap { node?.withdraw($0) } ?? false
      reply.done(Operations.ModemSendWithdraw.Answer(waits: waits))
    case .passages(let asked): try passages(asked, reply)
    case .warnings(let asked):
      reply.done(try asksNode().warnings(onlyOpen: asked.open ?? false))
    case .expected(let asked):
      let node = try asksNode()
      try read { () throws(StorageError) in
        reply.done(try node.expected(ending: asked.ending))
      }
    }
  }

  private func asksNode() throws(ControlRefusal) -> NodeRole {
    guard let node else { throw ControlRole.noNode }
    return node
  }

  /// Reads from the node's store.
  private func read(_ body: () throws(StorageError) -> Void) throws(ControlRefusal) {
    do throws(StorageError) {
      try body()
    } catch {
      throw ControlRefusal(
        code: RecordMessage.storageCode, message: error.description,
        exitCode: ExitStatus(error).code)
    }
  }

  /// Tells of passages, and what happens to them next.
  private func passages(
    _ asked: Operations.Passages, _ reply: ControlReply
  ) throws(ControlRefusal) {
    let node = try asksNode()
    let (status, now) = (self.status(), Moment(boot: clocks.boot(), wall: clocks.wall()))
    try read { () throws(StorageError) in
      reply.done(try node.passages(asked, status, at: now))
    }
  }

  /// Records passages, and answers when they are on disk.
  private func record(_ request: ControlRequest, _ reply: ControlReply) throws(ControlRefusal) {
    guard let node, let database = request.fields["database"]?.text, node.keeps(database)
    else { throw ControlRole.otherDatabase }
    guard let passages = RecordMessage.passages(request.fields) else {
      throw ControlRole.badRequest("a passage cannot be read")
    }
    guard passages.allSatisfy({ $0.photo.map(node.photos.directory.has) ?? true }) else {
      throw ControlRefusal(
        code: RecordMessage.storageCode,
        message:
          "a photograph does not lie in \(node.photos.directory.path), where the running service"
          + " keeps them; restart the service if node.photo_directory was changed, and try again",
        exitCode: ExitStatus.tryAgain.code)
    }
    let clock = clockProblem?.sentence
    node.service.record(passages) { [photos = node.photos, store = node.store] result in
      photos.recorded(passages, try? result.get(), in: store)
      switch result {
      case .success(let outcomes):
        reply.done(
          RecordMessage.answer(
            outcomes, clockAlarm: clock, alerts: node.alerts(of: outcomes.map(\.clientID))))
      case .failure(.storage(let error)) where error.kind != .lost:
        reply.refuse(
          RecordMessage.storageCode, error.description, exitCode: ExitStatus(error).code)
      case .failure(let error):
        reply.refuse("not_recorded", error.message, exitCode: ExitStatus.tryAgain.code)
      }
    }
  }

  /// Looks into the queue on behalf of a user who may not open the database.
  private func queue<Asked: QueueOperation>(
    _ asked: Asked, _ reply: ControlReply, _ body: (QueueDesk) throws -> Asked.Answer
  ) throws(ControlRefusal) {
    guard let node else {
      throw ControlRefusal(code: "no_node", message: "the running service is no node")
    }
    if let database = asked.database, !node.keeps(database) { throw ControlRole.otherDatabase }
    do {
      reply.done(try body(QueueDesk(node.store, settings.loaded.settings, clocks: clocks)))
    } catch {
      throw ControlRole.refusal(error)
    }
  }

  /// Changes the queue by a connection of its own, so that the node sees that somebody changed it, and wakes it.
  private func changeQueue<Asked: QueueChangeOperation>(
    _ asked: Asked, _ reply: ControlReply, _ body: (QueueDesk) throws -> Asked.Answer
  ) throws(ControlRefusal) {
    guard let node else {
      throw ControlRefusal(code: "no_node", message: "the running service is no node")
    }
    if let database = asked.database, !node.keeps(database) { throw ControlRole.otherDatabase }
    do {
      let store = try SQLiteNodeStore(
        path: node.store.path, bootID: SystemClocks.bootIdentity(), checks: false)
      defer { try? store.close() }
      let answer = try body(QueueDesk(store, settings.loaded.settings, clocks: clocks))
      node.service.wake()
      reply.done(answer)
    } catch {
      throw ControlRole.refusal(error)
    }
  }

  private static func refusal(_ error: any Error) -> ControlRefusal {
    switch error {
    case let refusal as ControlRefusal: refusal
    case let error as StorageError:
      ControlRefusal(
        code: RecordMessage.storageCode, message: error.description,
        exitCode: ExitStatus(error).code)
    default:
      ControlRefusal(code: "not_done", message: "\(error)", exitCode: ExitStatus.system.code)
    }
  }

  /// Tells what happens from now on; what waits for a slow reader waits in its subscription.
  private func tell(_ asked: Operations.Events, _ reply: ControlReply) throws(ControlRefusal) {
    let filter = try LogFilter(asked)
    reply.stream { wake in
      ControlStream(log.events.subscribe(filter, wake: wake))
    }
  }

  private static let otherDatabase = ControlRefusal(
    code: "other_database", message: "the running service does not keep this database")

  private static let noNode = ControlRefusal(
    code: "no_node", message: "the running service is no node")

  fileprivate static func badRequest(_ words: String) -> ControlRefusal {
    ControlRefusal(code: "bad_request", message: words, exitCode: ExitStatus.usage.code)
  }

  /// The first modem that is meant.
  private func modem(_ asked: some ModemOperation) throws(ControlRefusal) -> ModemRole {
    try modems(asked)[0]
  }

  /// The modems that are meant, of which there is one at least: all where neither role nor name is told.
  private func modems(_ asked: some ModemOperation) throws(ControlRefusal) -> [ModemRole] {
    let meant = modems.filter { modem in
      (asked.role == nil || modem.role == asked.role)
        && (asked.modem == nil || modem.name == asked.modem)
    }
    guard meant.isEmpty else { return meant }
    let names = modems.compactMap(\.name)
    throw ControlRefusal(
      code: "no_modem",
      message: "the running service has no such modem; "
        + (names.isEmpty
          ? "set modem.port, or name one by --port"
          : "it has \(names.joined(separator: ", "))"))
  }

  private var modems: [ModemRole] {
    (node?.modems ?? []) + [central?.modem].compactMap { $0 }
  }

  /// What is known against this machine's clock.
  private var clockProblem: Problem? {
    modems.lazy.compactMap { $0.comparison?.problem }.first ?? node?.clockProblem
  }

  /// How the service stands.
  func status() -> ServiceStatus {
    var status = ServiceStatus(service: desk.service)
    let now = clocks.wall()
    var problems = node?.report(&status, at: clocks.boot(), wall: now) ?? []
    problems += central?.report(&status, at: now) ?? []
    status.modems = modems.map(\.report)
    problems += [clockProblem, log.problem].compactMap { $0 }
    let told = Set(problems.map(\.name))
    problems += ServiceChecks(settings.loaded).standing.filter { !told.contains($0.name) }
    status.tell(desk.standing(problems, at: now))
    return status
  }
}

extension LogFilter {
  /// The filter that was asked for.
  fileprivate init(_ asked: Operations.Events) throws(ControlRefusal) {
    self.init()
    if let name = asked.level {
      guard let known = LogLevel(rawValue: name) else {
        let levels = LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
        throw ControlRole.badRequest("\(name): there are \(levels)")
      }
      level = known
    }
    names = Set(asked.names ?? [])
    plates = Set(asked.plates ?? [])
    identities = Set(asked.clientIDs ?? [])
  }
}

extension ControlStream {
  /// The records of a subscription, as the log's file has them.
  init(_ subscription: EventSubscription) {
    self.init(
      take: { most in
        let batch = subscription.take(most)
        return Batch(
          lines: batch.records.map(\.json),
          end: batch.isDropped
            ? ControlRefusal(
              code: "too_slow",
              message:
                "events came faster than they were read, and those after these are lost here;"
                + " see `checkpost log`", exitCode: ExitStatus.tryAgain.code) : nil)
      }, whenLeft: { subscription.end() })
  }
}
