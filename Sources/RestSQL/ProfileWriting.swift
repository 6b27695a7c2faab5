public import Accounts
import CentralCore
public import RestAPI
public import Storage
public import Time

/// Changes of profiles that central's people make: of those who have an account.
public enum ProfileWriting {
  /// Changes accounts, in a transaction that is taken back where this refuses.
  ///
  /// - Parameter ids: The profiles.
  /// - Returns: Why it is refused; nil when it is done.
  public static func change(
    _ update: RestUpdate, of ids: [String], _ rows: any AccountTransaction, at now: WallTime
  ) throws(StorageError) -> RestError? {
    guard ids.count < 2 || !update.changes.contains(where: { $0.column.name == "phone_number" })
    else {
      return .duplicate("\(update.table.name)_phone_number_key")
    }
    // All are looked at before the first is written.
    var changed: [(before: Account, after: Account)] = []
    for id in ids {
      guard let identifier = AccountID(id), let known = try rows.account(identifier) else {
        return RestError(
          "0A000", "a person without an account is changed where rangers are imported",
          hint: "checkpost central import --rangers, or make an account by create-ranger.")
      }
      var account = known
      account.updatedAt = now
      for change in update.changes {
        if let refusal = try take(change, update.table, &account, rows) { return refusal }
      }
      changed.append((known, account))
    }
    for (before, account) in changed {
      if let conflict = try rows.update(account) { return refusal(conflict, update.table) }
      guard account.isActive != before.isActive else { continue }
      try rows.record(
        AuditEntry(
          at: now, account.isActive ? .accountEnabled : .accountDisabled, account: account.id,
          actor: update.principal.name))
    }
    return nil
  }

  private static func take(
    _ change: RestUpdate.Change, _ table: RestTable, _ account: inout Account,
    _ rows: any AccountTransaction
  ) throws(StorageError) -> RestError? {
    let text = change.value.text
    switch change.column.name {
    case "full_name":
      guard let text, (1...100).contains(text.count), !text.utf8.contains(where: { $0 < 32 }) else {
        return .check(table.name, "full_name")
      }
      account.fullName = text
    case "phone_number":
      guard let text else {
        account.phone = nil
        return nil
      }
      guard let number = PhoneNumber(text) else { return .check(table.name, "phone_number") }
      account.phone = number.description
    case "assigned_checkpost_id":
      guard let text else {
        account.post = nil
        return nil
      }
      guard let post = try rows.post(identified: text) else {
        return .unknownReference(table.name, "assigned_checkpost_id", to: "checkposts")
      }
      account.post = post
    default: account.isActive = change.value.flag ?? account.isActive
    }
    return nil
  }

  private static func refusal(_ conflict: AccountConflict, _ table: RestTable) -> RestError {
    switch conflict {
    case .phoneTaken: .duplicate("\(table.name)_phone_number_key")
    case .unknownPost: .unknownReference(table.name, "assigned_checkpost_id", to: "checkposts")
    case .loginTaken, .prefixTaken: .duplicate("\(table.name)_pkey")
    }
  }
}
