public import Accounts
public import CentralCore
public import Passages
public import RestAPI
public import Storage
public import Time

/// Somebody whom the directory knows and who has no account.
public struct DirectoryPerson: Hashable, Sendable {
  /// What people call them.
  public var name: String
  /// Their number.
  public var phone: PhoneNumber
  /// Where they serve; nil where that is nowhere.
  public var post: CheckpostCode?
  /// Whether their texts count: a person who is not active is in no directory.
  public var isActive: Bool

  /// A person.
  public init(name: String, phone: PhoneNumber, post: CheckpostCode?, isActive: Bool) {
    self.name = name
    self.phone = phone
    self.post = post
    self.isActive = isActive
  }
}

/// People without an account, beside the accounts.
public protocol PersonStore {
  /// The person of a profile; nil of one who has an account or is not there.
  func person(_ id: String) throws(StorageError) -> DirectoryPerson?

  /// Whether another profile has that number.
  func isTaken(_ phone: PhoneNumber, but id: String?) throws(StorageError) -> Bool

  /// Puts a person in, who has a post.
  ///
  /// - Returns: The key of the profile.
  func insert(_ person: DirectoryPerson, at now: WallTime) throws(StorageError) -> String

  /// Changes a person.
  func change(
    _ id: String, from known: DirectoryPerson, to person: DirectoryPerson, at now: WallTime
  ) throws(StorageError)

  /// Whether there is a park of that key.
  func isPark(_ id: String) throws(StorageError) -> Bool

  /// Assigns a profile to a park; nil for the one that follows from the post.
  ///
  /// - Returns: Whether there is such a profile.
  func assign(_ profile: String, toPark park: String?, at now: WallTime) throws(StorageError)
    -> Bool
}

/// Profiles that central's people put in and change.
public enum ProfileWriting {
  /// Puts people in who have no account: rangers, who send texts.
  ///
  /// - Returns: The keys of the profiles, or why it is refused.
  public static func insert(
    _ insert: RestInsert, _ rows: any AccountTransaction & PersonStore, at now: WallTime
  ) throws(StorageError) -> Result<[String], RestError> {
    let table = insert.table
    guard case .refuse = insert.resolution else {
      return .failure(
        RestError("0A000", "people are not merged: change the one who is there"))
    }
    var ids: [String] = []
    for row in insert.rows {
      if let id = row["id"]?.text {
        // As in the deployed table, whose keys are those of accounts.
        let isThere = try AccountID(id).flatMap { id throws(StorageError) in try rows.account(id) }
        return .failure(
          isThere == nil
            ? .unknownReference(table.name, "id", to: "users") : .duplicate("\(table.name)_pkey"))
      }
      guard row["role"]?.text == "ranger" else {
        return .failure(
          RestError(
            "0A000", "an admin signs in, and has an account",
            hint: "checkpost central users add, or create-ranger."))
      }
      guard let text = row["phone_number"]?.text, let postID = row["assigned_checkpost_id"]?.text
      else {
        return .failure(
          RestError(
            "23502",
            "a person without an account sends texts, and has a phone_number and an"
              + " assigned_checkpost_id"))
      }
      guard let phone = number(text) else { return .failure(.check(table.name, "phone_number")) }
      guard let post = try rows.post(identified: postID) else {
        return .failure(
          .unknownReference(table.name, "assigned_checkpost_id", to: "checkposts"))
      }
      if try rows.isTaken(phone, but: nil) {
        return .failure(.duplicate("\(table.name)_phone_number_key"))
      }
      let park = row["assigned_park_id"]?.text
      if let park, try !rows.isPark(park) { return .failure(unknownPark(table)) }
      let person = DirectoryPerson(
        name: row["full_name"]?.text ?? "", phone: phone, post: post, isActive: true)
      let id = try rows.insert(person, at: now)
      if row["is_active"]?.flag == false {
        var left = person
        left.isActive = false
        try rows.change(id, from: person, to: left, at: now)
      }
      if let park { _ = try rows.assign(id, toPark: park, at: now) }
      try note(.directoryAdded, id, row, insert.principal, rows, at: now)
      ids.append(id)
    }
    return .success(ids)
  }

  private static func note(
    _ kind: AuditEntry.Kind, _ id: String, _ values: [String: RestValue],
    _ principal: RestPrincipal, _ rows: any AccountTransaction, at now: WallTime
  ) throws(StorageError) {
    // Numbers stand in no log.
    let names = Catalogue.profiles.columns.filter { $0.mayBeWritten && values[$0.name] != nil }
    try rows.record(
      AuditEntry(
        at: now, kind, actor: principal.name,
        detail: (["user_profiles \(id)"] + names.map(\.name)).joined(separator: ", ")))
  }

  private static func number(_ text: String) -> PhoneNumber? {
    // A short code is a sender to be known, and nobody's telephone.
    PhoneNumber(text).flatMap { $0.digits.utf8.count > 6 ? $0 : nil }
  }

  private static func changed(
    _ person: DirectoryPerson, _ id: String, _ update: RestUpdate,
    _ rows: any AccountTransaction & PersonStore
  ) throws(StorageError) -> Result<DirectoryPerson, RestError> {
    var person = person
    let table = update.table
    for change in update.changes {
      let text = change.value.text
      switch change.column.name {
      case "full_name": person.name = text ?? person.name
      case "phone_number":
        guard let text else {
          return .failure(
            RestError(
              "0A000", "a person without an account is known by the number: change is_active"))
        }
        guard let number = number(text) else { return .failure(.check(table.name, "phone_number")) }
        if try rows.isTaken(number, but: id) {
          return .failure(.duplicate("\(table.name)_phone_number_key"))
        }
        person.phone = number
      case "assigned_checkpost_id":
        guard let text else {
          person.post = nil
          continue
        }
        guard let post = try rows.post(identified: text) else {
          return .failure(
            .unknownReference(table.name, "assigned_checkpost_id", to: "checkposts"))
        }
        person.post = post
      // It is none of what the directory knows of a person.
      case "assigned_park_id": continue
      default: person.isActive = change.value.flag ?? person.isActive
      }
    }
    return .success(person)
  }

  /// Changes accounts and people without one, in a transaction that is taken back where this refuses.
  ///
  /// - Parameter ids: The profiles.
  /// - Returns: Why it is refused; nil when it is done.
  public static func change(
    _ update: RestUpdate, of ids: [String], _ rows: any AccountTransaction & PersonStore,
    at now: WallTime
  ) throws(StorageError) -> RestError? {
    guard ids.count < 2 || !update.changes.contains(where: { $0.column.name == "phone_number" })
    else {
      return .duplicate("\(update.table.name)_phone_number_key")
    }
    let park = update.changes.first { $0.column.name == "assigned_park_id" }?.value
    if let id = park?.text, try !rows.isPark(id) { return unknownPark(update.table) }
    // All are looked at before the first is written.
    var changed: [(before: Account, after: Account)] = []
    var people: [(id: String, before: DirectoryPerson, after: DirectoryPerson)] = []
    for id in ids {
      guard let identifier = AccountID(id), let known = try rows.account(identifier) else {
        guard let person = try rows.person(id) else { continue }
        switch try self.changed(person, id, update, rows) {
        case .failure(let refusal): return refusal
        case .success(let after): people.append((id, person, after))
        }
        continue
      }
      var account = known
      account.updatedAt = now
      for change in update.changes {
        if let refusal = try take(change, update.table, &account, rows) { return refusal }
      }
      changed.append((known, account))
    }
    var values: [String: RestValue] = [:]
    for change in update.changes { values[change.column.name] = change.value }
    for (id, before, after) in people where before != after || park != nil {
      if before != after { try rows.change(id, from: before, to: after, at: now) }
      try note(.directoryChanged, id, values, update.principal, rows, at: now)
    }
    for (before, account) in changed {
      if let conflict = try rows.update(account) { return refusal(conflict, update.table) }
      if park != nil {
        try note(.directoryChanged, account.id.text, values, update.principal, rows, at: now)
      }
      guard account.isActive != before.isActive else { continue }
      try rows.record(
        AuditEntry(
          at: now, account.isActive ? .accountEnabled : .accountDisabled, account: account.id,
          actor: update.principal.name))
    }
    guard let park else { return nil }
    for id in people.map(\.id) + changed.map(\.after.id.text) {
      guard try rows.assign(id, toPark: park.text, at: now) else {
        return RestError("0A000", "the profile of that account is not in the table of profiles")
      }
    }
    return nil
  }

  private static func unknownPark(_ table: RestTable) -> RestError {
    .unknownReference(table.name, "assigned_park_id", to: "parks")
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
    case "assigned_park_id": return nil
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
