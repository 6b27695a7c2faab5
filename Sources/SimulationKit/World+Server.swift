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
  enum ServerStep: CustomStringConvertible {
    /// The request reaches the server.
    case arrives(Exchange, ModelRequest)
    /// What became of it reaches the node.
    case answered(Exchange, Result<ServerAnswer, ServerClientError>)

    /// What is noted of it. Bodies are written as text: as the numbers of their bytes they took most of a day's time.
    var description: String {
      switch self {
      case .arrives(let exchange, let request):
        "\(exchange.id) \(exchange.call.name): \(request.method) \(request.target)"
          + " \(String(decoding: request.body, as: UTF8.self))"
      case .answered(let exchange, .success(let answer)):
        "\(exchange.id) \(exchange.call.name): \(answer.status)"
          + " \(String(decoding: answer.body, as: UTF8.self))"
      case .answered(let exchange, .failure(let error)):
        "\(exchange.id) \(exchange.call.name): \(error)"
      }
    }
  }

  static let login = SupabaseAPI.Login(
    email: "sita@bnp.local", password: Token("east-gate-1"))
  static let api = SupabaseAPI(login: login)

  /// How long the client waits for an answer.
  static let patience: Duration = .seconds(20)

  /// The node asks something of its server.
  mutating func ask(_ id: CallID, _ call: ServerCall, _ token: Token?) {
    judge(call)
    trace("asked: \(call.name)")
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
      violate(.noInvention, "a question that cannot be asked: \(error.words)")
      return
    }
    checkSize(request)
    guard isLinkUp else {
      report.fired["no_route", default: 0] += 1
      let error = ServerClientError.noRoute(reason: "network is unreachable")
      answer(exchange, .failure(error), after: .milliseconds(1))
      return
    }
    guard isServerUp else {
      leadNowhere(exchange)
      return
    }
    let delay = random.draw(.milliseconds(5), settings.latency)
    let carried = carrying(request)
    guard carried <= request.timeout ?? World.patience else {
      report.fired["photo_too_slow", default: 0] += 1
      answer(exchange, .failure(.timedOut(.answer)), after: request.timeout ?? World.patience)
      return
    }
    add(
      .server(.arrives(exchange, ModelRequest(request))),
      at: clock.boot() + delay + carried)
  }

  /// How long a thin line takes to carry a photograph; the rest is small.
  private mutating func carrying(_ request: ServerRequest) -> Duration {
    guard let bytes = settings.lineBytes, case .file(_, let count, _) = request.body else {
      return .zero
    }
    report.fired["thin_line", default: 0] += 1
    return .milliseconds(Int64(count) * 1_000 / Int64(max(1, bytes)))
  }

  /// Lets a question go nowhere: this machine's own line stands, and further on somebody refuses, knows no
  /// way or no such name, or nobody answers at all.
  private mutating func leadNowhere(_ exchange: Exchange) {
    let (error, fault, delay): (ServerClientError, String, Duration) =
      switch random.draw(0...7) {
      case 0: (.noRoute(reason: "no route to host"), "no_route", .seconds(3))
      case 1: (.unknownName, "no_name", .milliseconds(60))
      case 2...4: (.refused, "refused", .milliseconds(20))
      default: (.timedOut(.connection), "connect_timeout", World.patience)
      }
    report.fired[fault, default: 0] += 1
    answer(exchange, .failure(error), after: delay)
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
      note(reply, to: exchange.call, isFresh: isLinkUp && exchange.line == line)
      trace("answered: \(exchange.call.name): \(reply.result)")
      try inform([.answered(exchange.id, reply)])
      checkAnswered(exchange.call)
      checkFinals()
      if case .failure(let failure) = reply.result, failure.kind == .credential,
        let before = attempts, let after = self.attempts(of: exchange.call), after > before
      {
        violate(.attempts, "a credential that is refused cost a passage an attempt")
      }
    }
  }

  private mutating func arrive(_ exchange: Exchange, _ request: ModelRequest) {
    let before = server.count(of: "vehicle_passages")
    let response = server.handle(request, at: clock.truth())
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
}

extension World.Exchange {
  /// Bytes of an answer that the client takes.
  fileprivate var limit: Int { 1 << 20 }
}

extension ServerCall {
  /// What it is, for reports.
  var name: String {
    switch self {
    case .probe: "probe"
    case .signIn: "sign in"
    case .profile: "profile"
    case .posts, .postsNamed: "posts"
    case .segments: "segments"
    case .push: "push"
    case .readBack: "read back"
    case .correct: "correct"
    case .withdraw: "withdraw"
    case .upload: "upload"
    case .findPhoto: "find photo"
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
