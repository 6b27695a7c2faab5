import Accounts
import ArgumentParser
import CentralCore
import Control
import EventLoop
import Glibc
import Host
import JSON
import Passages
import Settings
import Storage
import Time
import Tokens

/// What the commands about accounts and keys share: the store, the time, and who acts.
struct AccountsAtHand {
  let store: any OpenedCentralStore
  let now = SystemClocks().wall()
  let actor = "uid \(getuid())"
  let domain: String

  init(_ database: CentralDatabase) throws {
    domain = try database.settings.load().settings.central.http.auth.emailDomain
    store = try database.open(for: .changing)
  }

  /// The login name that somebody typed.
  func login(_ text: String) throws -> LoginName {
    guard let login = LoginName(text, domain: domain) else {
      throw CommandFailure(
        .usage, "\(text): is no login name; write letters, digits and . _ - +, or an address")
    }
    return login
  }

  /// Changes the account of that name, in one transaction with what is kept of the change.
  ///
  /// - Returns: The account, and what `body` returned.
  func change<Value: Sendable>(
    _ name: String, _ kind: AuditEntry.Kind,
    _ body: (any AccountTransaction, Account) throws(StorageError) -> Value
  ) throws -> (Account, Value) {
    let login = try login(name)
    let entry = AuditEntry(at: now, kind, actor: actor)
    let changed = try store.accountTransaction {
      rows throws(StorageError) -> (Account, Value)? in
      guard let account = try rows.account(login: login) else { return nil }
      var entry = entry
      entry.account = account.id
      let value = try body(rows, account)
      try rows.record(entry)
      return (account, value)
    }
    guard let changed else {
      throw CommandFailure(
        .badData, "\(login): nobody has that name; `central users list` shows all")
    }
    return changed
  }
}

extension AccountConflict {
  /// What stands in the way, in words.
  var words: String {
    switch self {
    case .loginTaken: "somebody has that name already"
    case .phoneTaken: "somebody has that number already"
    case .unknownPost: "there is no such post; `central import --posts` makes it"
    case .prefixTaken: "a key of that prefix is there already; try again"
    }
  }
}

extension CommandFailure {
  /// That something cannot be kept.
  init(_ conflict: AccountConflict, _ name: String) {
    self.init(.badData, "\(name): \(conflict.words); nothing was changed")
  }
}

/// A post, by its code.
func postArgument(_ code: String?) throws -> CheckpostCode? {
  do {
    return try code.map { try CheckpostCode($0) }
  } catch {
    throw CommandFailure(.usage, "\(error)")
  }
}
