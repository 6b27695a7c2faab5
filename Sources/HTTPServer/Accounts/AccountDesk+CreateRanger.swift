import Accounts
import CentralCore
import Events
import JSON
import Passages
import Storage
import Time
import Tokens

/// What an admin asks for to make an account of a ranger.
struct RangerRequest: Sendable {
  var login: LoginName
  var password: String
  var fullName: String
  var phone: String?
  /// The UUID of the post.
  var post: String?
}

/// Why there is no account of a ranger: a status, and words for people.
struct RangerRefusal: Error, Hashable {
  var status: Int
  var words: String

  init(_ status: Int, _ words: String) {
    self.status = status
    self.words = words
  }
}

extension RangerRequest {
  /// Reads a request as the function `create-ranger` of the server takes it.
  ///
  /// - Throws: What is wrong with it.
  init(_ body: [String: JSONValue], domain: String) throws(RangerRefusal) {
    guard let username = body["username"]?.text, let password = body["password"]?.text,
      let name = body["full_name"]?.text
    else {
      throw RangerRefusal(400, "Missing required fields: username, password, full_name")
    }
    guard !username.isEmpty,
      username.utf8.allSatisfy({ byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x61...0x7A).contains(byte) || ".-_".utf8.contains(byte)
      }), let login = LoginName(username, domain: domain)
    else {
      throw RangerRefusal(400, "Username has letters, digits, dots, hyphens and underscores alone")
    }
    if let fault = PasswordRule.fault(of: password) {
      throw RangerRefusal(400, "A password \(fault)")
    }
    guard (1...100).contains(name.count), !name.utf8.contains(where: { $0 < 32 }) else {
      throw RangerRefusal(400, "full_name has 1 to 100 characters")
    }
    self.login = login
    self.password = password
    fullName = name
    phone = try RangerRequest.text("phone_number", of: body).map {
      number throws(RangerRefusal) in
      guard let number = PhoneNumber(number) else {
        throw RangerRefusal(400, "phone_number is no number")
      }
      return number.description
    }
    post = try RangerRequest.text("assigned_checkpost_id", of: body)
  }

  /// A text that may be left out, or be null or empty.
  private static func text(
    _ key: String, of body: [String: JSONValue]
  ) throws(RangerRefusal) -> String? {
    switch body[key] {
    case nil, .null?, .text("")?: return nil
    case .text(let text)?: return text
    default: throw RangerRefusal(400, "\(key) is no text")
    }
  }
}

extension AccountDesk {
  /// Makes an account of a ranger.
  ///
  /// - Parameter admin: Who asks for it.
  func create(
    _ request: RangerRequest, by admin: Principal, address: String?
  ) async throws(RangerRefusal) -> Account {
    guard let hash = await hasher.hash(request.password) else {
      throw RangerRefusal(503, "Try again")
    }
    let now = clocks.wall()
    let id = AccountDesk.newID()
    var entry = AuditEntry(
      at: now, .accountAdded, account: id, address: address, actor: admin.name,
      detail: Account.Role.ranger.rawValue)
    if case .key(let prefix) = admin.proof { entry.key = prefix }
    let written = entry
    let made = await work { store throws(StorageError) in
      try store.accountTransaction {
        rows throws(StorageError) -> Result<Account, AccountConflict> in
        var account = Account(
          id: id, login: request.login, fullName: request.fullName, role: .ranger,
          phone: request.phone, createdAt: now)
        if let named = request.post {
          guard let post = try rows.post(identified: named) else { return .failure(.unknownPost) }
          account.post = post
        }
        if let conflict = try rows.insert(account, password: hash) { return .failure(conflict) }
        try rows.record(written)
        return .success(account)
      }
    }
    switch made {
    case .success(let account):
      tell("account_added", .notice, account.id, "was made for a ranger")
      return account
    case .failure(.loginTaken): throw RangerRefusal(409, "Username is taken")
    case .failure(.phoneTaken): throw RangerRefusal(409, "phone_number is taken")
    case .failure(.unknownPost): throw RangerRefusal(400, "assigned_checkpost_id is no post")
    case .failure(.prefixTaken), nil: throw RangerRefusal(500, "The account could not be made")
    }
  }
}
