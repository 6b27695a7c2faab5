import JSON
import ModemModel
import NodeCore
import NodeService
import Passages
import SeededRandom
import ServerModel
import Storage
import Supabase
import Time

/// The server of the simulated world, and the line that leads to it: requests and answers as bytes, with
/// all that can become of them on the way.
extension World {
  /// A request of the node's on its way.
  struct Exchange {
    var id: CallID
    var call: ServerCall
    /// The life of the node's process that asked.
    var life: Int
    /// The line that it left by; one that went down since carries nothing back.
    var line: Int
  }

  /// Where the answer to a request stands.
  enum ServerStep {
    /// The request reaches the server.
    case arrives(Exchange, ModelRequest)
    /// What became of it reaches the node.
    case answered(Exchange, Result<ServerAnswer, ServerClientError>)
  }

  static let login = SupabaseAPI.Login(
    email: "sita@bnp.local", password: Token("east-gate-1"))
  static let api = SupabaseAPI(login: login)

  /// How long the client waits for an answer.
  static let patience: Duration = .seconds(20)

  /// The node asks something of its server.
  mutating func ask(_ id: CallID, _ call: ServerCall, _ token: Token?) {
    judge(call)
    report.requests += 1
    if case .push = call, crashesWaiting > 0 {
      crashesWaiting -= 1
      add(.crash, at: clock.boot() + random.draw(.zero, settings.latency * 2))
    }
    let exchange = Exchange(id: id, call: call, life: life, line: line)
    let request: ServerRequest
    do throws(ServerFailure) {
      request = try World.api.request(for: call, token: token)
    } catch {
      report.violate("a question that cannot be asked: \(error.words)")
      return
    }
    guard isLinkUp else {
      report.fired["no_route", default: 0] += 1
      let error = ServerClientError.noConnection(reason: "network is unreachable")
      answer(exchange, .failure(error), after: .milliseconds(1))
      return
    }
    guard isServerUp else {
      // Nothing answers: refused at once, or not at all.
      let isRefused = random.happens(percent: 50)
      report.fired[isRefused ? "refused" : "connect_timeout", default: 0] += 1
      answer(
        exchange,
        .failure(isRefused ? .noConnection(reason: "connection refused") : .timedOut(.connection)),
        after: isRefused ? .milliseconds(20) : World.patience)
      return
    }
    let delay = random.draw(.milliseconds(5), settings.latency)
    add(.server(.arrives(exchange, ModelRequest(request))), at: clock.boot() + delay)
  }

  mutating func happen(_ step: ServerStep) throws(StorageError) {
    switch step {
    case .arrives(let exchange, let request):
      // A line that broke meanwhile brings neither the request nor word of that.
      guard exchange.line == line, isServerUp else {
        answer(exchange, .failure(.timedOut(.answer)), after: World.patience)
        return
      }
      arrive(exchange, request)
    case .answered(let exchange, let result):
      guard exchange.life == life else { return }
      if case .push = exchange.call { pushesOut -= 1 }
      let attempts = attempts(of: exchange.call)
      let reply = World.api.reply(to: exchange.call, result)
      // One that was on its way when the line went ends no absence.
      if isLinkUp, exchange.line == line, case .push = exchange.call, case .success = reply.result {
        lastPush = clock.boot()
      }
      note(reply, to: exchange.call)
      try inform([.answered(exchange.id, reply)])
      checkAnswered(exchange.call)
      if case .failure(let failure) = reply.result, failure.kind == .credential,
        let before = attempts, let after = self.attempts(of: exchange.call), after > before
      {
        report.violate("a credential that is refused cost a passage an attempt")
      }
    }
  }

  private mutating func arrive(_ exchange: Exchange, _ request: ModelRequest) {
    let before = server.count(of: "vehicle_passages")
    let response = server.handle(request, at: clock.wall())
    report.stored += server.count(of: "vehicle_passages") - before
    let delay = random.draw(.milliseconds(5), settings.latency)
    let answered = ServerAnswer(response)
    switch response.delivery {
    case .whole: answer(exchange, .success(answered), after: delay)
    case .reset: answer(exchange, .failure(.cutOff), after: delay)
    case .silence: answer(exchange, .failure(.timedOut(.answer)), after: World.patience)
    case .cut: answer(exchange, .failure(.cutOff), after: delay)
    case .slow(let pause):
      let took = pause * max(1, response.body.count)
      answer(
        exchange, took < World.patience ? .success(answered) : .failure(.timedOut(.answer)),
        after: min(took, World.patience))
    }
    if random.happens(percent: settings.resets), exchange.line == line {
      // The line goes down after the server has done it, and before it has told.
      report.fired["reset_after", default: 0] += 1
      flapLine()
    }
  }

  /// What becomes of a question is told later; over a line that broke meanwhile nothing comes back.
  private mutating func answer(
    _ exchange: Exchange, _ result: Result<ServerAnswer, ServerClientError>, after delay: Duration
  ) {
    var result = result
    if case .success(let answer) = result, answer.body.count > exchange.limit {
      result = .failure(.tooLong)
    }
    add(.server(.answered(exchange, result)), at: clock.boot() + delay)
  }

  /// The line goes down and comes back at once, as over a mobile network.
  private mutating func flapLine() {
    line += 1
  }

  // MARK: What has to hold

  /// Something is asked: it must be allowed at this moment.
  private mutating func judge(_ call: ServerCall) {
    if case .push(let pushes) = call {
      if pushesOut > 0 { report.violate("two requests with passages are out at a time") }
      pushesOut += 1
      for push in pushes {
        judge(push.passage)
        if push.place.checkpostID != ServerModel.Pilot.east {
          report.violate("a passage goes as one of another post")
        }
      }
      if pushes.count == 1 { judgeOrder(pushes[0].passage) }
      if let troubleAt, clock.boot() - troubleAt < .seconds(1) {
        report.violate("no pause after the server said that it cannot")
      }
    }
    if case .signIn(.refresh(let token)) = call, let lastRefresh, token != lastRefresh {
      report.violate("a refresh token of before the last one is shown")
    }
    switch call {
    case .probe: break
    default:
      if !isLinkUp, let since = linkDownSince, clock.boot() - since > .seconds(1) {
        report.violate("an attempt while connectivity is known to be absent: \(call.name)")
      }
    }
  }

  private mutating func judge(_ passage: Passage) {
    let client = passage.clientID.description
    guard known[client] != nil else {
      report.violate("a passage goes that was never recorded: \(client)")
      return
    }
    let words = "\(passage)"
    if let sent = sentBodies[client], sent != words {
      report.violate("a passage goes with other content than before: \(client)")
    }
    sentBodies[client] = words
    if rejected.contains(client) {
      report.violate("what the server will never take goes again: \(client)")
    }
    if passage.isUndated { report.violate("a passage goes without a time: \(client)") }
  }

  /// Passages go in their order, as long as none was tried before.
  private mutating func judgeOrder(_ passage: Passage) {
    var query = QueueQuery()
    query.status = .pending
    query.limit = 1
    guard let oldest = try? machine.store.list(query).first,
      let mine = try? machine.store.item(passage.clientID), oldest.queueID < mine.queueID,
      oldest.attempts == 0, oldest.lastError == nil
    else { return }
    report.violate("passage \(mine.queueID) goes before passage \(oldest.queueID)")
  }

  /// Attempts of the passage that a request is about, where it is about one.
  private func attempts(of call: ServerCall) -> Int? {
    guard case .push(let pushes) = call, pushes.count == 1 else { return nil }
    return (try? machine.store.item(pushes[0].passage.clientID))?.attempts
  }

  /// Notes what the node is told, to hold what it does next to it.
  private mutating func note(_ reply: ServerReply, to call: ServerCall) {
    switch reply.result {
    // One that was on its way when the line went ends no absence.
    case .success: if isLinkUp { lastAnswer = clock.boot() }
    case .failure: takesNothingSince = takesNothingSince ?? clock.boot()
    }
    if case .push = call, case .success = reply.result { takesNothingSince = nil }
    switch (call, reply.result) {
    case (.signIn, .success(.session(let session))): lastRefresh = session.refreshToken
    case (.push(let pushes), .failure(let failure)):
      if case .trouble = failure.kind { troubleAt = clock.boot() }
      if failure.kind == .rejected || failure.kind == .denied, pushes.count == 1 {
        rejected.insert(pushes[0].passage.clientID.description)
      }
    default: break
    }
  }

  /// At the end everything is on the server, once.
  mutating func checkServer() throws(StorageError) {
    var rows: [String: Int] = [:]
    for row in server.rows(of: "vehicle_passages") {
      guard let client = row["client_id"]?.text else { continue }
      rows[client, default: 0] += 1
      if known[client] == nil {
        report.violate("the server has what was never recorded: \(client)")
      }
    }
    for (client, count) in rows where count > 1 {
      report.violate("\(count) rows of \(client) on the server")
    }
    for client in order {
      guard let identity = ClientID(client), let item = try machine.store.item(identity) else {
        continue
      }
      if item.status == .synced, rows[client] == nil {
        report.violate("a passage counts as synced, and the server does not have it: \(client)")
      }
      if let row = server.passage(clientID: client), item.status == .synced {
        try checkSame(row, item)
      }
      if rejected.contains(client) { continue }
      if settings.endsOnline, rows[client] == nil {
        report.violate(
          "a passage never reached the server: \(item.status), attempts \(item.attempts),"
            + " \(item.lastError ?? "no error")")
      }
      if settings.endsOnline, item.status != .synced {
        report.violate("the server has a passage that is \(item.status) here")
      }
    }
  }
}

extension World.Exchange {
  /// Bytes of an answer that the client takes.
  fileprivate var limit: Int { 1 << 20 }
}

extension ServerCall {
  /// What it is, for reports.
  fileprivate var name: String {
    switch self {
    case .probe: "probe"
    case .signIn: "sign in"
    case .profile: "profile"
    case .posts: "posts"
    case .push: "push"
    case .readBack: "read back"
    case .correct: "correct"
    case .upload: "upload"
    case .namePhoto: "name photo"
    case .pull: "pull"
    case .match: "match"
    case .synced: "synced"
    }
  }
}

extension ModelRequest {
  /// A request as the client writes it.
  init(_ request: ServerRequest) {
    var headers = ["apikey": ServerModel.Settings().apiKey, "Accept": "application/json"]
    for header in request.headers { headers[header.name] = header.value }
    if let token = request.token { headers["Authorization"] = "Bearer \(token.value)" }
    var body: [UInt8] = []
    switch request.body {
    case .none: break
    case .bytes(let bytes, let contentType):
      body = bytes
      headers["Content-Type"] = contentType
    case .file(_, let count, let contentType):
      body = [UInt8](repeating: 0xFF, count: count)
      headers["Content-Type"] = contentType
    }
    self.init(request.method.rawValue, request.path, headers: headers, body: body)
  }
}

extension ServerAnswer {
  /// An answer as the client hands it over.
  init(_ response: ModelResponse) {
    var headers: [String: String] = [:]
    for header in response.headers { headers[header.name.lowercased()] = header.value }
    self.init(
      status: response.status, contentType: response.header("Content-Type"), headers: headers,
      body: response.body)
  }
}
