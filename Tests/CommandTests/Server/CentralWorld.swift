import Foundation
import TestSupport
import Testing

/// A central and the posts at both ends of its one segment, all of them real: each is the program as a process,
/// with a modem of its own on one mobile network, and between them is a line that can be cut. On a road there is a
/// third post behind the western one, which ends two segments then.
final class CentralWorld {
  /// The posts.
  enum Post: String {
    case east = "BNP-A"
    case west = "BNP-B"
    case far = "BNP-C"

    var user: String {
      switch self {
      case .east: "sita"
      case .west: "ram"
      case .far: "gopal"
      }
    }
    var password: String { "\(self)-gate-1" }
    var suffix: String {
      switch self {
      case .east: "4567"
      case .west: "4321"
      case .far: "9801"
      }
    }
    fileprivate var number: String {
      switch self {
      case .east: "+9779801000001"
      case .west: "+9779801000002"
      case .far: "+9779801000003"
      }
    }
  }

  /// Where the central keeps what it has.
  enum Store: String, CaseIterable {
    case sqlite
    case postgresql

    /// Those that there are on this machine.
    static let here = allCases.filter { $0 == .sqlite || PostgreSQLServer.binaries != nil }

    /// What the central's settings say of it, of a database that has nothing in it yet; nil for a file.
    func lines() async throws -> String? {
      guard self == .postgresql else { return nil }
      let server = try await PostgreSQLServer.shared()
      let database = try await server.makeDatabase()
      return """
        store: postgresql
          postgresql:
            connection: host=\(server.directory) port=\(server.port) dbname=\(database) user=\(server.owner)
        """
    }
  }

  private static let gateway = "+9779801000099"

  let files: ProgramFiles
  let network: SimulatorProcess
  let line: Line
  /// The settings of the central.
  let office: String
  private let key: String
  private let nodeSettings: String
  private let posts: [Post]

  /// A park with a segment of 45 km at 10 to 40 km/h, its two posts, and a ranger with an account at each; nothing
  /// runs yet but the network.
  ///
  /// - Parameters:
  ///   - node: More lines of the posts' settings.
  ///   - store: The lines of the central's settings that say where it keeps what it has; nil for a file.
  ///   - isRoad: Whether a segment of 12 km leads on from the western post, whose name comes first.
  init(_ node: String = "", store: String? = nil, isRoad: Bool = false) throws {
    posts = isRoad ? [.east, .west, .far] : [.east, .west]
    let files = try ProgramFiles()
    self.files = files
    nodeSettings = node
    network = try SimulatorProcess(posts.map(\.number) + [Self.gateway], files)
    let socket = files.path("http.sock")
    line = try Line(to: socket)
    office = try files.write(
      "office.yaml",
      """
      roles: {central: true}
      central:
        database: \(files.path("central.db"))
        \(store ?? "store: sqlite")
        photos: \(files.path("photos"))
        http: {api: true, socket: \(socket), auth: {key_files: [\(files.path("token.key"))]}}
        modem: {port: \(network.links[posts.count]), reopen_first: 100ms}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(files.path("office.sock"))}
      """)
    key = try files.write("anon.key", "")
    try renewTokenKey()
    if store != nil { try central(["migrate"]) }
    try furnish()
  }

  deinit {
    line.cut()
    network.end()
  }

  /// Gives the central another key for its tokens; those of the last one count no more once it has read it.
  func renewTokenKey() throws {
    _ = try files.write("token.key", UUID().uuidString + "\n")
  }

  private func furnish() throws {
    let segments = try files.write(
      "segments.csv",
      "name,distance_km,min_speed_kmh,max_speed_kmh\nBanke,45,10,40\n"
        + (self.posts.contains(.far) ? "Alpha,12,10,40\n" : ""))
    var places: [(post: Post, segment: String, index: Int)] = [
      (.east, "Banke", 0), (.west, "Banke", 1),
    ]
    if self.posts.contains(.far) { places += [(.west, "Alpha", 0), (.far, "Alpha", 1)] }
    let posts = try files.write(
      "posts.csv",
      "code,name,segment,position_index,phone\n"
        + places.map {
          "\($0.post.rawValue),\($0.post),\($0.segment),\($0.index),\($0.post.number)\n"
        }.joined())
    let rangers = try files.write(
      "rangers.csv",
      "name,phone,checkpost\n"
        + self.posts.map { "\($0.user),+977980123\($0.suffix),\($0.rawValue)\n" }.joined())
    try central(["init"])
    try central(["import", "--segments", segments, "--posts", posts, "--rangers", rangers])
    for post in self.posts {
      try central(
        [
          "users", "add", post.user, "--name", post.user, "--post", post.rawValue, "--phone",
          "+977980123\(post.suffix)",
        ], input: post.password + "\n")
    }
    let made = try central(["keys", "add", "--name", "posts", "--role", "anon"])
    _ = try files.write("anon.key", try #require(made.lines.first) + "\n")
  }

  /// Runs a command of the central.
  @discardableResult
  func central(_ arguments: [String], input: String = "") throws -> Program.Outcome {
    let outcome = try Program.run(
      ["central"] + arguments, input: input, environment: ["CHECKPOST_CONFIG": office])
    #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
    return outcome
  }

  /// The settings of a post.
  ///
  /// - Parameter user: Whose account it signs in with; by default that of its own ranger.
  func settings(_ post: Post, as user: Post? = nil) throws -> String {
    let name = post.rawValue
    let user = user ?? post
    let password = try files.write("\(name).password", user.password + "\n")
    return try files.write(
      "\(name).yaml",
      """
      roles: {node: true}
      node:
        checkpost: \(name)
        database: \(files.path("\(name).db"))
        photo_directory: \(files.path("\(name)-photos"))
        gateway: "\(Self.gateway)"
        fallback_after: 0s
        probe: {every: 5s, retry_first: 1s, retry_most: 1s}
        sms: {per_minute: 60, per_day: 10000}
        \(nodeSettings)
      server:
        url: \(line.url)
        api_key_file: \(key)
        user: \(user.user)
        password_file: \(password)
        email_domain: bnp.local
      sync: {spread: 0s}
      modem: {port: \(network.links[posts.firstIndex(of: post) ?? 0]), reopen_first: 100ms}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(files.path("\(name).sock"))}
      """)
  }

  /// Starts the central; it listens when this returns.
  func startCentral() throws -> ServiceProcess {
    let service = try ServiceProcess(office)
    try service.read(untilEach: "\"service_started\"", "\"modem_set_up\"")
    return service
  }

  /// Starts a post; it has learned from the central where it stands, and has fetched what passed at the other
  /// post, when this returns.
  func start(_ post: Post) throws -> ServiceProcess {
    let configuration = try settings(post)
    let service = try ServiceProcess(configuration)
    try service.read(untilEach: "\"directory_learned\"", "\"modem_ready\"")
    for _ in 0..<1_000 {
      let status = try Program.run(["status", "--json", "--config", configuration]).objects().first
      if (status?["sync"] as? [String: Any])?["last_pulled_at"] is String { break }
    }
    return service
  }

  /// Records a passage at a post; returns its identity.
  func record(
    _ post: Post, _ plate: String, at second: Int64? = nil, photo: String? = nil
  ) throws -> String {
    let run = try Program.run(
      [
        "record", "--config", files.path("\(post.rawValue).yaml"), "--plate", plate, "--type",
        "car", "--phone", post.suffix,
      ] + (second.map { ["--at", "\($0)"] } ?? []) + (photo.map { ["--photo", $0] } ?? []))
    #expect(run.status == 0, "\(run.errors)")
    return try #require(run.lines.first)
  }

  /// Runs a command of a post.
  @discardableResult
  func node(_ post: Post, _ arguments: String...) throws -> Program.Outcome {
    let outcome = try Program.run(
      arguments + ["--config", files.path("\(post.rawValue).yaml")])
    #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
    return outcome
  }

  /// A small photograph: a JPEG's frame of 16 by 16, a scan and its end.
  static let photograph: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xC0, 0x00, 0x0B, 0x08, 0x00, 0x10, 0x00, 0x10, 0x01, 0x01, 0x11, 0x00]
    + [0xFF, 0xDA, 0x00, 0x08, 0x01, 0x01, 0x00, 0x00, 0x3F, 0x00]
    + [UInt8](repeating: 0x55, count: 400) + [0xFF, 0xD9]

  /// Writes it to a file.
  func photo() throws -> String {
    let path = files.path("photo.jpg")
    try Data(Self.photograph).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// What the central says of passages and of those who were too fast or stayed too long.
  func standing() throws -> Standing {
    try Standing(
      try central(["passages", "--json"]).objects(),
      try central(["violations", "--json"]).objects()
    )
  }

  /// What the central judged, without what a second report of the same passage may add.
  struct Standing: Hashable {
    /// A passage.
    struct Row: Hashable {
      var row: Int
      var client: String
      var plate: String
      var post: String
      /// Without the fraction of a second, which a text does not say.
      var second: Substring
      var ranger: String?
      var partner: Int?
      var isEntry: Bool?
    }

    /// A violation.
    struct Violation: Hashable {
      var name: String
      var kind: String
      var entry: String
      var exit: String
      var seconds: Int
    }

    var rows: [Row]
    var violations: Set<Violation>
    /// What the violations are in doubt for.
    var doubts: Set<String>
    /// On which ways each passage came, by its identity.
    var channels: [String: Set<String>] = [:]

    init(_ passages: [[String: Any]], _ found: [[String: Any]]) throws {
      rows = try passages.map { passage in
        Row(
          row: try #require(passage["row"] as? Int),
          client: try #require(passage["client_id"] as? String),
          plate: try #require(passage["plate_number"] as? String),
          post: try #require(passage["checkpost"] as? String),
          second: try #require(passage["recorded_at"] as? String).prefix(19),
          ranger: passage["ranger"] as? String, partner: passage["partner_row"] as? Int,
          isEntry: passage["is_entry"] as? Bool)
      }
      violations = Set(
        try found.map { violation in
          Violation(
            name: try #require(violation["violation"] as? String),
            kind: try #require(violation["kind"] as? String),
            entry: try #require(violation["entry_passage"] as? String),
            exit: try #require(violation["exit_passage"] as? String),
            seconds: try #require(violation["seconds"] as? Int))
        })
      doubts = Set(found.flatMap { $0["doubts"] as? [String] ?? [] })
      for passage in passages {
        channels[passage["client_id"] as? String ?? ""] = Set(
          passage["channels"] as? [String] ?? [])
      }
    }

    /// What is there and what was found: without the ways on which it came, and what is doubtful for them.
    var judged: [AnyHashable] { [rows, violations] }
  }
}
