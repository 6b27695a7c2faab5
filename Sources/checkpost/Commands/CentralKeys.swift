import Accounts
import ArgumentParser
import CentralCore
import Control
import EventLoop
import Host
import JSON
import Passages
import Storage
import Time
import Tokens

/// `central keys`: what programs show in place of a sign-in.
struct CentralKeys: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "Make keys for programs that use the central over HTTP.",
    subcommands: [CentralKeysAdd.self, CentralKeysList.self, CentralKeysRevoke.self])
}

/// `central keys add`.
struct CentralKeysAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Make a key, and show it this once.",
    discussion: """
      A key of the role anon lets nobody do anything but sign in, and may be known. One of the role post does for \
      its post what a ranger there may. One of the role service may do everything.
      """)

  @Option(help: ArgumentHelp("What people call it.", valueName: "name"))
  var name: String

  @Option(help: ArgumentHelp("anon, post or service.", valueName: "role"))
  var role: String

  @Option(help: ArgumentHelp("The code of the post of a key for one.", valueName: "code"))
  var post: String?

  @Option(help: TimeOption.help("From when on it counts"))
  var validFrom: String?

  @Option(help: TimeOption.help("Until when it counts"))
  var validUntil: String?

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions

  func run() throws {
    guard let role = APIKey.Role(rawValue: role) else {
      throw CommandFailure(.usage, "--role \(role): is none; write anon, post or service")
    }
    let post = try postArgument(post)
    guard (role == .post) == (post != nil) else {
      throw CommandFailure(.usage, "--post belongs to a key of the role post, and that needs it")
    }
    guard (1...100).contains(name.count) else {
      throw CommandFailure(.usage, "--name: has 1 to 100 characters")
    }
    let from = try TimeOption.read(validFrom, "--valid-from")
    let until = try TimeOption.read(validUntil, "--valid-until")
    if let until, until <= SystemClocks().wall() {
      throw CommandFailure(
        .usage, "--valid-until \(until.rfc3339): is over already; name a time to come")
    }
    if let from, let until, until <= from {
      throw CommandFailure(
        .usage, "--valid-until \(until.rfc3339): has to be later than --valid-from \(from.rfc3339)")
    }
    let hand = try AccountsAtHand(database)
    defer { try? hand.store.close() }
    var (key, text) = APIKey.make(role, name: name, at: hand.now)
    key.post = post
    (key.validFrom, key.validUntil) = (from, until)
    let made = key
    let entry = AuditEntry(
      at: hand.now, .keyAdded, key: key.prefix, actor: hand.actor, detail: role.rawValue)
    let conflict = try hand.store.accountTransaction {
      rows throws(StorageError) -> AccountConflict? in
      if let conflict = try rows.insert(made) { return conflict }
      try rows.record(entry)
      return nil
    }
    if let conflict { throw CommandFailure(conflict, name) }
    let out = StandardOutput()
    if output.isJSON {
      try out.json(
        JSONValue.object(["prefix": .text(key.prefix), "key": .text(text)]))
    } else {
      try out.line(text)
      Diagnostics.say("it is shown this once; \(key.prefix) names it from now on")
    }
    try out.flush()
  }
}

/// `central keys list`.
struct CentralKeysList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the keys by what names them; no key is shown.")

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions

  func run() throws {
    let store = try database.open(for: .reading)
    defer { try? store.close() }
    let keys = try store.readAccounts { rows throws(StorageError) in try rows.keys() }
    let now = SystemClocks().wall()
    let zone = LocalClock.ofThisMachine.zone(at: now)
    func time(_ time: WallTime?) -> JSONValue { time.map { .text($0.rfc3339) } ?? .null }
    let listing = Listing<APIKey>(
      ["prefix", "name", "role", "post", "valid until (\(zone))", "last used", ""]
    ) { key in
      [
        "prefix": .text(key.prefix), "name": .text(key.name), "role": .text(key.role.rawValue),
        "checkpost": key.post.map { .text($0.code) } ?? .null,
        "created_at": time(key.createdAt), "valid_from": time(key.validFrom),
        "valid_until": time(key.validUntil), "revoked_at": time(key.revokedAt),
        "used_at": time(key.usedAt), "valid": .flag(key.counts(at: now)),
      ]
    } cells: { key in
      [
        key.prefix, key.name, key.role.rawValue, key.post?.code ?? "",
        LocalClock.ofThisMachine.cell(key.validUntil), LocalClock.ofThisMachine.cell(key.usedAt),
        key.revokedAt != nil ? "revoked" : key.counts(at: now) ? "" : "not valid now",
      ]
    }
    try listing.print(keys, output)
  }
}

/// `central keys revoke`.
struct CentralKeysRevoke: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Refuse a key from now on, for good.")

  @Argument(help: ArgumentHelp("What names the key, as `list` shows it.", valueName: "prefix"))
  var prefix: String
  @OptionGroup var database: CentralDatabase

  func run() throws {
    let hand = try AccountsAtHand(database)
    defer { try? hand.store.close() }
    // Whoever has the key at hand may hand it over whole; it is shown nowhere.
    let prefix = APIKeyText.prefix(of: prefix) ?? prefix
    let entry = AuditEntry(at: hand.now, .keyRevoked, key: prefix, actor: hand.actor)
    let isRevoked = try hand.store.accountTransaction { rows throws(StorageError) in
      guard try rows.revokeKey(prefix, at: entry.at) else { return false }
      try rows.record(entry)
      return true
    }
    guard isRevoked else {
      throw CommandFailure(
        .badData, "no key that counts has that prefix; `central keys list` shows all")
    }
    let out = StandardOutput()
    try out.line("\(prefix): is refused from now on")
    try out.flush()
  }
}
