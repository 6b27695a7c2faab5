import Accounts
import ArgumentParser
import CentralCore
import Control
import EventLoop
import Host
import JSON
import Passages
import Storage
import Text
import Time
import Tokens

/// `central users`: who may sign in over HTTP.
struct CentralUsers: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "users", abstract: "Say who may sign in at the central over HTTP.",
    subcommands: [
      CentralUsersAdd.self, CentralUsersList.self, CentralUsersSetPassword.self,
      CentralUsersDisable.self, CentralUsersEnable.self, CentralUsersSignOut.self,
      CentralUsersAudit.self,
    ])
}

/// `central users add`.
struct CentralUsersAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Make an account.",
    discussion: """
      The password is asked for at a terminal, or is the one line of standard input. A ranger belongs to a post; \
      an admin and a service may do everything. The number joins the account to a ranger of the directory.
      """)

  @Argument(help: ArgumentHelp("The login name: `sita`, or an address.", valueName: "login"))
  var login: String

  @Option(help: ArgumentHelp("What people call it.", valueName: "name"))
  var name: String

  @Option(help: ArgumentHelp("ranger, admin or service.", valueName: "role"))
  var role = "ranger"

  @Option(help: ArgumentHelp("The code of a ranger's post.", valueName: "code"))
  var post: String?

  @Option(
    help: ArgumentHelp(
      "The number of the ranger of the directory whose account it is.", valueName: "number"))
  var phone: String?

  @OptionGroup var database: CentralDatabase

  func run() throws {
    guard let role = Account.Role(rawValue: role) else {
      throw CommandFailure(.usage, "--role \(role): is none; write ranger, admin or service")
    }
    let post = try postArgument(post)
    guard role != .ranger || post != nil else {
      throw CommandFailure(.usage, "a ranger belongs to a post; name it by --post")
    }
    let number = try phone.map { text in
      guard let number = PhoneNumber(text) else {
        throw CommandFailure(.usage, "--phone \(text): is no number")
      }
      return number.description
    }
    guard (1...100).contains(name.count) else {
      throw CommandFailure(.usage, "--name: has 1 to 100 characters")
    }
    let hand = try AccountsAtHand(database)
    defer { try? hand.store.close() }
    let login = try hand.login(login)
    let hash = try PasswordHash.made(of: try NewPassword.read())
    var random = SystemRandomNumberGenerator()
    let account = Account(
      id: AccountID(random: random.next(), random.next()), login: login, fullName: name,
      role: role, phone: number, post: post, createdAt: hand.now)
    let entry = AuditEntry(
      at: hand.now, .accountAdded, account: account.id, actor: hand.actor, detail: role.rawValue)
    let conflict = try hand.store.accountTransaction {
      rows throws(StorageError) -> AccountConflict? in
      if let conflict = try rows.insert(account, password: hash) { return conflict }
      try rows.record(entry)
      return nil
    }
    if let conflict { throw CommandFailure(conflict, login.address) }
    let out = StandardOutput()
    try out.line("\(login): may sign in as \(role.rawValue)")
    try out.flush()
  }
}

extension PasswordHash {
  /// The hash of a password, to be kept.
  ///
  /// - Throws: ``CommandFailure`` where there is no memory for it.
  static func made(of password: String) throws -> String {
    guard let hash = PasswordHash(of: password) else {
      throw CommandFailure(.unavailable, "there is no memory to hash a password; try again")
    }
    return hash.description
  }
}

/// `central users list`.
struct CentralUsersList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the accounts.")

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions

  func run() throws {
    let store = try database.open(for: .reading)
    defer { try? store.close() }
    let accounts = try store.readAccounts { rows throws(StorageError) in
      var accounts: [(Account, Int)] = []
      for account in try rows.accounts() {
        accounts.append((account, try rows.openSessions(of: account.id).count))
      }
      return accounts
    }
    let listing = Listing<(Account, Int)>(
      ["login", "name", "role", "post", "number", "sessions", ""]
    ) { account, sessions in
      [
        "id": .text(account.id.text), "login": .text(account.login.address),
        "name": .text(account.fullName), "role": .text(account.role.rawValue),
        "checkpost": account.post.map { .text($0.code) } ?? .null,
        "phone": account.phone.map { .text($0) } ?? .null, "active": .flag(account.isActive),
        "sessions": .integer(Int64(sessions)), "created_at": .text(account.createdAt.rfc3339),
      ]
    } cells: { account, sessions in
      [
        account.login.address, account.fullName, account.role.rawValue, account.post?.code ?? "",
        account.phone ?? "", "\(sessions)", account.isActive ? "" : "disabled",
      ]
    }
    try listing.print(accounts, output)
  }
}

/// `central users set-password`.
struct CentralUsersSetPassword: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-password", abstract: "Give an account another password, and end its sessions."
  )

  @Argument(help: ArgumentHelp("The login name.", valueName: "login"))
  var login: String
  @OptionGroup var database: CentralDatabase

  func run() throws {
    let hand = try AccountsAtHand(database)
    defer { try? hand.store.close() }
    _ = try hand.login(login)
    let hash = try PasswordHash.made(of: try NewPassword.read())
    let (account, ended) = try hand.change(login, .passwordSet) {
      rows, account throws(StorageError) in
      try rows.setPassword(hash, of: account.id, at: hand.now)
      return try rows.endSessions(of: account.id, except: nil, .passwordChanged, at: hand.now)
    }
    let out = StandardOutput()
    try out.line(
      "\(account.login): has another password, and \(CountText.of(ended, "session")) ended")
    try out.flush()
  }
}

/// `central users disable`.
struct CentralUsersDisable: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disable", abstract: "Let an account do nothing any more, from now on.")

  @Argument(help: ArgumentHelp("The login name.", valueName: "login"))
  var login: String
  @OptionGroup var database: CentralDatabase

  func run() throws {
    try CentralUsers.setActive(false, login, database)
  }
}

/// `central users enable`.
struct CentralUsersEnable: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enable", abstract: "Let an account that was disabled sign in again.")

  @Argument(help: ArgumentHelp("The login name.", valueName: "login"))
  var login: String
  @OptionGroup var database: CentralDatabase

  func run() throws {
    try CentralUsers.setActive(true, login, database)
  }
}

extension CentralUsers {
  fileprivate static func setActive(
    _ isActive: Bool, _ login: String, _ database: CentralDatabase
  ) throws {
    let hand = try AccountsAtHand(database)
    defer { try? hand.store.close() }
    let (account, _) = try hand.change(login, isActive ? .accountEnabled : .accountDisabled) {
      rows, account throws(StorageError) in
      var changed = account
      changed.isActive = isActive
      changed.updatedAt = hand.now
      return try rows.update(changed)
    }
    let out = StandardOutput()
    try out.line("\(account.login): \(isActive ? "may sign in again" : "is disabled")")
    try out.flush()
  }
}

/// `central users sign-out`.
struct CentralUsersSignOut: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-out", abstract: "End the sessions of an account; its password stays.")

  @Argument(help: ArgumentHelp("The login name.", valueName: "login"))
  var login: String
  @OptionGroup var database: CentralDatabase

  func run() throws {
    let hand = try AccountsAtHand(database)
    defer { try? hand.store.close() }
    let (account, ended) = try hand.change(login, .sessionsEnded) {
      rows, account throws(StorageError) in
      try rows.endSessions(of: account.id, except: nil, .ended, at: hand.now)
    }
    let out = StandardOutput()
    try out.line("\(account.login): \(CountText.of(ended, "session")) ended")
    try out.flush()
  }
}

/// `central users audit`.
struct CentralUsersAudit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "List sign-ins and changes of accounts and keys, newest first.")

  @Option(help: ArgumentHelp("List so many at most.", valueName: "count"))
  var limit = ListLimit(100)
  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions

  func run() throws {
    let store = try database.open(for: .reading)
    defer { try? store.close() }
    let limit = limit.count
    let (entries, logins) = try store.readAccounts { rows throws(StorageError) in
      var logins: [AccountID: String] = [:]
      for account in try rows.accounts() { logins[account.id] = account.login.address }
      return (try rows.audit(limit: limit), logins)
    }
    func login(_ entry: AuditEntry) -> String? { entry.account.map { logins[$0] ?? $0.text } }
    func text(_ text: String?) -> JSONValue { text.map { .text($0) } ?? .null }
    let listing = Listing<AuditEntry>(
      ["time", "what", "of", "from", "by", ""], day: { $0.at },
      object: { entry in
        [
          "time": .text(entry.at.rfc3339), "kind": .text(entry.kind.rawValue),
          "login": text(login(entry)), "key": text(entry.key), "address": text(entry.address),
          "actor": text(entry.actor), "detail": text(entry.detail),
        ]
      },
      cells: { entry in
        [
          LocalClock.ofThisMachine.time(entry.at), entry.kind.rawValue,
          login(entry) ?? entry.key ?? "", entry.address ?? "", entry.actor ?? "",
          entry.detail ?? "",
        ]
      })
    try listing.print(entries, output)
  }
}
