import EventLoop
import Glibc
import HTTPServer
import TestSupport

/// Texts that a provider hands in over HTTP, signed, each answered once it is on disk: beside a server of the same
/// library whose handler is empty, and beside one that only stores what it is sent. All are processes of their own.
enum WebhookFigure {
  private static let least = 0.7
  private static let requests = 20_000
  private static let connections = 64
  private static let url = "https://hooks.example.org/functions/v1/sms-webhook"
  private static let token = "12345"

  static func measure(_ place: Place, _ report: inout Report) throws {
    let place = try place.within("webhook")
    let (floor, _) = try load(texts(0), try start(place, [EmptyServer.argument]))
    let (storing, _) = try load(
      texts(0), try start(place, [StoringServer.argument, place.path("storing.db")]))
    let service = try CentralProcess(place, posts: ["BNP-A"])
    defer { service.end() }
    let (ours, process) = try load(texts(0), (service.port, service.process))
    let memory = process.mostMemory
    report.add(
      Figure(
        name: "webhook, \(connections) at once, durable",
        measured: "\(Format.number(ours.rate, places: 0))/s", against: "an empty handler",
        reference: "\(Format.number(floor.rate, places: 0))/s", ratio: floor.rate / ours.rate,
        target: "<= 1.43 times", isMet: ours.rate / floor.rate >= least))
    report.add(
      Figure(
        name: "the same", measured: "\(Format.number(ours.rate, places: 0))/s",
        against: "a handler that only stores",
        reference: "\(Format.number(storing.rate, places: 0))/s",
        ratio: storing.rate / ours.rate, target: nil, isMet: true))
    report.add(
      Figure(
        name: "only storing, \(connections) at once, durable",
        measured: "\(Format.number(storing.rate, places: 0))/s", against: "an empty handler",
        reference: "\(Format.number(floor.rate, places: 0))/s", ratio: floor.rate / storing.rate,
        target: nil, isMet: true))
    report.add(
      Figure(
        name: "webhook, time to its answer, p99", measured: Format.time(ours.times.part(99)),
        against: "an empty handler", reference: Format.time(floor.times.part(99)),
        ratio: ours.times.part(99) / floor.times.part(99), target: nil, isMet: true))
    report.add(
      Figure(
        name: "central, memory at its most", measured: Format.megabytes(memory),
        against: "as set", reference: "128 MB", ratio: nil, target: "<= 128 MB",
        isMet: memory <= 128_000))
    report.note("\(requests) texts of as many passages; at its most is while they come in")
  }

  private static func load(
    _ requests: [[UInt8]], _ server: (port: UInt16, process: ChildProcess)
  ) throws -> (Load.Outcome, ChildProcess) {
    let outcome = try Load.run(requests, port: server.port, connections: connections)
    return (outcome, server.process)
  }

  /// Starts a server that this program is itself.
  private static func start(
    _ place: Place, _ arguments: [String]
  ) throws -> (UInt16, ChildProcess) {
    let name = arguments.joined(separator: " ")
    let output = place.path("server.out")
    let process = try ChildProcess(Place.ownPath(), arguments, output: output)
    try CentralProcess.wait(name, output) { UInt16($0) != nil }
    guard let port = TextFile.lines(output).first.flatMap({ UInt16($0) }) else {
      throw Failure("there is no port of \(name)")
    }
    return (port, process)
  }

  private static func texts(_ first: Int) -> [[UInt8]] {
    (first..<first + requests).map { number in
      let sid = String(number)
      let time = CentralProcess.passing + Int64(number)
      let parameters: [(name: String, value: String)] = [
        ("MessageSid", "SM" + String(repeating: "0", count: 32 - sid.count) + sid),
        ("AccountSid", "AC" + String(repeating: "a", count: 32)), ("From", "+9779801234567"),
        ("To", "+15005550006"),
        ("Body", "V1|BNP-A|BA1PA\(100_000 + number)|CAR|\(time)|4567"),
      ]
      let body = parameters.map { "\($0.name)=\(encoded($0.value))" }.joined(separator: "&")
      let signature = TwilioSignature.sign(url: url, parameters: parameters, token: token)
      return Array(
        """
        POST /functions/v1/sms-webhook HTTP/1.1\r
        Host: hooks.example.org\r
        Content-Type: application/x-www-form-urlencoded\r
        X-Twilio-Signature: \(signature)\r
        Content-Length: \(body.utf8.count)\r
        \r
        \(body)
        """.utf8)
    }
  }

  private static func encoded(_ text: String) -> String {
    text.replacing("+", with: "%2B").replacing("|", with: "%7C")
  }
}

/// The service of a central, as the program runs it.
struct CentralProcess {
  let process: ChildProcess
  let port: UInt16
  private let control: String

  /// When the vehicles of texts pass: now, by the clock of the machine.
  static let passing = Int64(time(nil)) - 86_400

  /// Starts it, and returns when it listens.
  ///
  /// - Parameters:
  ///   - store: Lines of its configuration that name another store than a new file.
  ///   - api: Whether it serves the API, too.
  ///   - posts: Posts that it knows before it starts.
  init(_ place: Place, store: String = "", api: Bool = false, posts: [String] = []) throws {
    let (descriptor, port) = try Sockets.bound()
    close(descriptor)
    self.port = port
    control = try IdleFigure.controlDirectory()
    try TextFile.write("12345\n", to: place.path("token"))
    chmod(place.path("token"), 0o600)
    try TextFile.write(
      """
      roles:
        central: true
      central:
        database: \(place.path("central.db"))
      \(store)
        ingress:
          mode: open
        http:
          enabled: true
          api: \(api)
          port: \(port)
          limits:
            reads: 0
            key_reads: 0
        twilio:
          public_urls: ["https://hooks.example.org/functions/v1/sms-webhook"]
          auth_token_files: [\(place.path("token"))]
      log:
        format: json
        file: \(place.path("checkpost.jsonl"))
        mask_key_file: \(place.path("mask.key"))
      control:
        socket: \(control)/control.sock

      """, to: place.path("checkpost.yaml"))
    if !posts.isEmpty {
      let table = "code,name\n" + posts.map { "\($0),\($0)\n" }.joined()
      try TextFile.write(table, to: place.path("posts.csv"))
      try ChildProcess(
        place.program,
        [
          "central", "import", "--posts", place.path("posts.csv"), "--config",
          place.path("checkpost.yaml"),
        ], output: place.path("import.out")
      ).waitForEnd()
      let told = TextFile.lines(place.path("import.out"))
      guard told.contains(where: { $0.hasSuffix("\(posts.count) new") }) else {
        throw Failure("the posts were not imported: \(told)")
      }
    }
    process = try ChildProcess(
      place.program, ["run", "--config", place.path("checkpost.yaml")],
      output: place.path("run.jsonl"))
    let deadline = Stopwatch.now() + 30_000_000_000
    while true {
      let socket = Sockets.make()
      defer { close(socket) }
      if Sockets.connect(socket, port: port) { return }
      guard Stopwatch.now() < deadline else {
        throw Failure(
          "the central does not listen: \(TextFile.lines(place.path("run.jsonl")).suffix(3))")
      }
      Stopwatch.rest()
    }
  }

  func end() {
    process.end()
    rmdir(control)
  }

  /// A new key with which all may be read.
  func key(_ place: Place) throws -> String {
    let output = place.path("key")
    try ChildProcess(
      place.program,
      [
        "central", "keys", "add", "--name", "bench", "--role", "service", "--config",
        place.path("checkpost.yaml"),
      ], output: output
    ).waitForEnd()
    guard let key = TextFile.lines(output).first(where: { !$0.contains(" ") }) else {
      throw Failure("there is no key: \(TextFile.lines(output))")
    }
    return String(key)
  }

  /// Waits until a line of a file says something.
  static func wait(_ what: String, _ path: String, _ isThere: (Substring) -> Bool) throws {
    try IdleFigure.wait(what, path, isThere)
  }
}
