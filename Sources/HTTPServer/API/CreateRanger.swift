import Accounts
import EventLoop
import Hummingbird
import Passages
import RestAPI
import Storage
import Time
import Tokens

/// `/functions/v1/create-ranger`: an admin makes an account for a ranger.
extension APIRoutes {
  func createRanger(_ request: Request, _ context: CallContext) async -> Response {
    guard request.method == .post else { return functionRefusal(405, "Method not allowed") }
    let principal: RestPrincipal
    switch await entry(of: request, context) {
    case .admitted(let admitted): principal = admitted
    case .refused(let refusal): return functionRefusal(refusal)
    case .tooMany(let response): return response
    }
    switch principal.role {
    case .anonymous: return functionRefusal(401, "Unauthorized")
    case .ranger, .post: return functionRefusal(403, "Forbidden: admin access required")
    case .admin, .service: break
    }
    guard let desk = api.accounts else { return functionRefusal(500, "No accounts are kept here") }
    guard let body = try? await APIRoutes.body(of: request, upTo: Limits.bodyBytes),
      let members = RestJSON(body)?.object
    else { return functionRefusal(400, "Invalid JSON body") }
    let wanted: NewRanger
    do throws(NewRanger.Fault) {
      wanted = try NewRanger(members, domain: desk.settings.domain)
    } catch {
      return functionRefusal(400, error.words)
    }
    var post: CheckpostCode?
    if let id = wanted.post {
      let code = await rows.run { [api] () -> Result<String?, RestError> in
        do throws(RestError) {
          return .success(try api.store.code(ofPost: id))
        } catch {
          return .failure(error)
        }
      }
      guard case .success(let found) = code else {
        return functionRefusal(500, "Failed to look up the checkpost")
      }
      guard let known = found.flatMap({ try? CheckpostCode($0) }) else {
        return functionRefusal(400, "assigned_checkpost_id: there is no such checkpost")
      }
      post = known
    }
    guard let hash = await desk.hasher.hash(wanted.password) else {
      return functionRefusal(500, "Failed to create user")
    }
    return await keep(wanted, at: post, hash, by: principal, desk)
  }

  private func keep(
    _ wanted: NewRanger, at post: CheckpostCode?, _ hash: String, by principal: RestPrincipal,
    _ desk: AccountDesk
  ) async -> Response {
    var random = SystemRandomNumberGenerator()
    let now = clocks.wall()
    let account = Account(
      id: AccountID(random: random.next(), random.next()), login: wanted.login,
      fullName: wanted.fullName, role: .ranger, phone: wanted.phone, post: post, createdAt: now)
    let entry = AuditEntry(
      at: now, .accountAdded, account: account.id, actor: principal.user ?? "service",
      detail: account.role.rawValue)
    let outcome = await desk.work { store throws(StorageError) -> AccountConflict?? in
      try store.accountTransaction { rows throws(StorageError) -> AccountConflict?? in
        if let conflict = try rows.insert(account, password: hash) { return .some(conflict) }
        try rows.record(entry)
        return .some(nil)
      }
    }
    guard let outcome = outcome ?? nil else { return functionRefusal(500, "Failed to create user") }
    switch outcome {
    case nil: break
    case .unknownPost:
      return functionRefusal(400, "assigned_checkpost_id: there is no such checkpost")
    default: return functionRefusal(409, "The user name or the number is taken")
    }
    let user: RestJSON = .object([
      "user": .object([
        "id": .text(account.id.text), "email": .text(account.login.address),
        "full_name": .text(account.fullName), "role": .text(account.role.rawValue),
        "phone_number": account.phone.map { .text($0) } ?? .null,
        "assigned_checkpost_id": wanted.post.map { .text($0) } ?? .null,
        "assigned_park_id": .null, "is_active": .flag(true),
      ])
    ])
    return respond(.json(201, user.written, type: "application/json"))
  }
}

/// What an admin asks for who makes an account.
struct NewRanger: Hashable, Sendable {
  /// What is wrong with it.
  struct Fault: Error {
    var words: String
  }

  var login: LoginName
  var password: String
  var fullName: String
  var phone: String?
  /// The UUID of the post.
  var post: String?

  init(_ members: [String: RestJSON], domain: String) throws(Fault) {
    let name = members["username"]?.text ?? ""
    guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy(NewRanger.isNameByte),
      let login = LoginName(name, domain: domain)
    else { throw Fault(words: "username: letters, digits, points, hyphens and underscores") }
    self.login = login
    password = members["password"]?.text ?? ""
    if let fault = PasswordRule.fault(of: password) {
      throw Fault(words: "password: \(fault)")
    }
    fullName = members["full_name"]?.text ?? ""
    guard (1...100).contains(fullName.count), fullName.utf8.allSatisfy({ $0 >= 0x20 }) else {
      throw Fault(words: "full_name: has 1 to 100 characters")
    }
    if let number = members["phone_number"], number != .null {
      let digits = number.text?.filter { "0123456789".contains($0) } ?? ""
      guard (4...15).contains(digits.utf8.count) else {
        throw Fault(words: "phone_number: is no number")
      }
      phone = "+" + digits
    }
    if let id = members["assigned_checkpost_id"], id != .null {
      guard let id = id.text.flatMap({ RestIdentifier.canonical($0) }) else {
        throw Fault(words: "assigned_checkpost_id: is no UUID")
      }
      post = id
    }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
