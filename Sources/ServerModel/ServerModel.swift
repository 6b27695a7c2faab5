import SeededRandom
public import Time

/// A server of passages as a value: tables with their constraints and policies behind an interface like
/// PostgREST's, sign-in, files, and the function that confirms pairs.
///
/// It reads no clock and keeps no file: ``handle(_:at:)`` takes a request and the time of the server, and
/// whatever it did is in the value. What is to go wrong is said by ``inject(_:)``.
public struct ServerModel: Sendable {
  /// How the server is set up.
  public struct Settings: Hashable, Sendable {
    /// The public key of the project.
    public var apiKey = "model-anon-key"
    /// The key for which no policy counts.
    public var serviceKey = "model-service-key"
    /// How long an access token is taken.
    public var accessTokenLasts: Duration = .seconds(3_600)
    /// How long any used refresh token is taken after the last rotation.
    public var reuseInterval: Duration = .seconds(10)
    /// Grants in five minutes at most.
    public var grantsPerFiveMinutes = 150
    /// Rows of one answer at most.
    public var maxRows = 1_000
    /// Bytes of a file at most.
    public var fileBytes = 2 * 1_024 * 1_024
    /// Whether a passage is paired as it comes.
    public var pairsOnInsert = true

    /// The usual set-up.
    public init() {}
  }

  /// How the server is set up; it may be changed while it runs.
  public var settings: Settings
  /// Faults that wait, the first that fits being taken.
  public private(set) var faults: [InjectedFault] = []
  /// How often each fault befell a request.
  public private(set) var fired: [ModelFault: Int] = [:]
  /// What befell the last request; nil when nothing did.
  public private(set) var lastFault: ModelFault?
  /// Requests that came.
  public private(set) var requests = 0
  var database: Database
  var signIn: SignInService
  var objects = ObjectStore()

  /// A server without a row.
  ///
  /// - Parameter seed: What its identifiers and tokens are drawn from.
  public init(settings: Settings = Settings(), seed: UInt64 = 1) {
    self.settings = settings
    var random = SplitMix64(seed: seed)
    database = Database(random: random.fork())
    signIn = SignInService(random: random.fork())
  }

  /// Lets something go wrong with requests to come.
  public mutating func inject(_ fault: InjectedFault) { faults.append(fault) }

  /// Ends all faults.
  public mutating func heal() { faults = [] }

  /// Puts back what a look past the interface is not to change.
  mutating func restore(_ faults: [InjectedFault], requests: Int) {
    self.faults = faults
    self.requests = requests
  }

  /// Takes a request.
  ///
  /// - Parameter now: What the server's clock shows.
  public mutating func handle(_ request: ModelRequest, at now: WallTime) -> ModelResponse {
    requests += 1
    let query = Query(request.target)
    let area = ModelArea(path: query.path)
    let fault = nextFault(area, request.method, query.path, request.body)
    lastFault = fault
    if let fault, let answer = fault.answer(to: request, area: area, at: now) {
      return dated(answer, at: now)
    }
    if fault == .dropped { return dated(dropped(request, query, area, at: now), at: now) }
    if fault == .twice { _ = answer(request, query, area, at: now) }
    var response = dated(answer(request, query, area, at: now), at: now)
    fault?.spoil(&response, at: now)
    return response
  }

  /// Takes a request again that was taken before, with what befell it then, past faults that wait.
  public mutating func `repeat`(_ request: ModelRequest, fault: ModelFault?, at now: WallTime) {
    let waiting = faults
    faults = fault.map { [InjectedFault($0)] } ?? []
    _ = handle(request, at: now)
    faults = waiting
  }

  private mutating func nextFault(
    _ area: ModelArea, _ method: String, _ path: String, _ body: [UInt8]
  ) -> ModelFault? {
    let place = faults.firstIndex {
      $0.areas.contains(area) && $0.methods?.contains(method) ?? true
        && $0.path.map { $0 == path } ?? true && $0.times != 0
        && $0.body.map { String(decoding: body, as: UTF8.self).contains($0) } ?? true
    }
    guard let place else { return nil }
    let fault = faults[place].fault
    if let times = faults[place].times {
      if times <= 1 { faults.remove(at: place) } else { faults[place].times = times - 1 }
    }
    fired[fault, default: 0] += 1
    return fault
  }

  /// The answer to a request of which nothing stays.
  private func dropped(
    _ request: ModelRequest, _ query: Query, _ area: ModelArea, at now: WallTime
  ) -> ModelResponse {
    var forgetful = self
    var response = forgetful.answer(request, query, area, at: now)
    if area == .tables, response.status < 300, !response.body.isEmpty, request.method != "GET" {
      response.body = Array("[]".utf8)
    }
    return response
  }

  private func dated(_ response: ModelResponse, at now: WallTime) -> ModelResponse {
    var response = response
    if response.status > 0 { response.headers.append(.init("Date", Timestamp.httpDate(now))) }
    return response
  }

  private mutating func answer(
    _ request: ModelRequest, _ query: Query, _ area: ModelArea, at now: WallTime
  ) -> ModelResponse {
    guard let key = request.headers["apikey"] ?? query["apikey"] else { return Gateway.noKey }
    guard key == settings.apiKey || key == settings.serviceKey else { return Gateway.unknownKey }
    if query.path == "/auth/v1/token" {
      return signIn.answer(request, query, settings: settings, at: now)
    }
    let verdict = verdict(on: request, key: key, at: now)
    guard case .accepted(let principal) = verdict else {
      return Gateway.refusal(of: verdict, in: area)
    }
    if let table = Self.rest(of: query.path, behind: "/rest/v1/") {
      return tables(request, query, table, as: principal, at: now)
    }
    if let path = Self.rest(of: query.path, behind: "/storage/v1/object/") {
      // Looking draws nothing, so that what only looks can be left out when requests are taken again.
      let isLooking = request.method == "GET" || request.method == "HEAD"
      return objects.answer(
        request, path: path, as: principal, id: isLooking ? "" : database.identifier(),
        mostBytes: settings.fileBytes)
    }
    if query.path == "/functions/v1/match-passage" {
      return MatchPassage.answer(
        request, as: principal, in: &database, at: Timestamp.micros(now))
    }
    return Gateway.noRoute
  }

  private static func rest(of path: String, behind prefix: String) -> String? {
    path.hasPrefix(prefix) && path.utf8.count > prefix.utf8.count
      ? String(path.dropFirst(prefix.count)) : nil
  }

  private mutating func tables(
    _ request: ModelRequest, _ query: Query, _ table: String, as principal: ModelCaller,
    at now: WallTime
  ) -> ModelResponse {
    database.pairsOnInsert = settings.pairsOnInsert
    do {
      let asked = try TableRequest(
        request, query, table: table, as: principal, in: database, maxRows: settings.maxRows)
      return try asked.answer(from: &database, at: Timestamp.micros(now))
    } catch {
      var response = ModelResponse(
        error.status(isAnonymous: principal.isAnonymous), error.body)
      if request.method == "HEAD" { response.body = [] }
      return response
    }
  }

  private func verdict(on request: ModelRequest, key: String, at now: WallTime) -> Gateway.Verdict {
    let header = request.headers["authorization"] ?? "Bearer \(key)"
    let words = header.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2, words[0].lowercased() == "bearer" else {
      return .accepted(.anonymous)
    }
    let token = words[1]
    if token == settings.serviceKey { return .accepted(.service) }
    if token == settings.apiKey { return .accepted(.anonymous) }
    guard let known = signIn.accessTokens[token] else {
      return .wrong(code: "PGRST301", message: "No suitable key or wrong key type")
    }
    // Clocks of servers may differ by half a minute.
    if now - known.expiresAt > .seconds(30) {
      return .wrong(code: "PGRST303", message: "JWT expired")
    }
    if known.issuedAt - now > .seconds(30) {
      return .wrong(code: "PGRST303", message: "JWT issued at future")
    }
    return .accepted(ModelCaller(user: known.user, in: database))
  }
}
