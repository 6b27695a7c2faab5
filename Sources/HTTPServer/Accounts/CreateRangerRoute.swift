import Accounts
import Hummingbird
import JSON
import NIOCore

/// `POST /functions/v1/create-ranger`: an admin makes the account of a ranger.
struct CreateRangerRoute: Sendable {
  let desk: AccountDesk
  let door: Door

  func add(to router: Router<CallContext>) {
    router.serve(.createRanger) { request, context in
      do throws(RangerRefusal) {
        let address = context.caller.countedAddress
        let admin = try await admin(request, address)
        if let response = door.refusal(ofKey: admin.subject, for: context) { return response }
        let account = try await create(request, by: admin, address)
        return Response.json(.created, ["user": CreateRangerRoute.user(account)])
      } catch {
        return CreateRangerRoute.answer(error)
      }
    }
  }

  /// Who asks, where they may.
  private func admin(
    _ request: Request, _ address: String?
  ) async throws(RangerRefusal) -> Principal {
    let admin: Principal
    do throws(AccessRefusal) {
      admin = try await desk.principal(of: request.credentials(from: address))
    } catch {
      throw RangerRefusal(error.status, error.status == 401 ? "Unauthorized" : "Try again")
    }
    guard admin.role != .anonymous else { throw RangerRefusal(401, "Unauthorized") }
    guard admin.mayEverything else { throw RangerRefusal(403, "Forbidden: admin access required") }
    return admin
  }

  private func create(
    _ request: Request, by admin: Principal, _ address: String?
  ) async throws(RangerRefusal) -> Account {
    guard let buffer = try? await request.body.collect(upTo: Limits.bodyBytes),
      let body = JSONText.decode(Array(buffer.readableBytesView))?.object
    else { throw RangerRefusal(400, "Invalid JSON body") }
    let asked = try RangerRequest(body, domain: desk.settings.domain)
    return try await desk.create(asked, by: admin, address: address)
  }

  private static func user(_ account: Account) -> JSONValue {
    [
      "id": .text(account.id.text), "email": .text(account.login.address),
      "full_name": .text(account.fullName), "role": .text(account.role.rawValue),
      "phone_number": account.phone.map { .text($0) } ?? .null,
      "is_active": .flag(account.isActive),
    ]
  }

  private static func answer(_ refusal: RangerRefusal) -> Response {
    Response.json(HTTPResponse.Status(code: refusal.status), ["error": .text(refusal.words)])
  }
}
