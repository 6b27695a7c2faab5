import Accounts
import CentralCore
import Hummingbird
import Passages
import RestAPI
import Time

/// Addresses with a token in them, which show one photograph or take one for a while, for any caller.
extension APIRoutes {
  func link(
    _ request: Request, _ name: PhotoName, _ photos: ObjectDirectory,
    as principal: RestPrincipal, _ context: CallContext
  ) async throws(StorageRefusal) -> Response {
    let body = try await members(of: request, for: principal)
    let seconds = try APIRoutes.seconds(of: body)
    guard try await may(principal, read: name) else { throw .missing }
    let isThere = try await blocking { () throws(ObjectDirectory.Fault) in
      photos.facts(of: name) != nil
    }
    guard isThere else { throw .missing }
    let address = try await address(.show, name, seconds, as: principal)
    return respond(
      .json(200, RestJSON.object(["signedURL": .text(address.path)]).written), to: context)
  }

  /// The same of several; one that cannot be shown says so and stops none of the others.
  func links(
    _ body: [String: RestJSON], _ photos: ObjectDirectory, as principal: RestPrincipal,
    _ context: CallContext
  ) async throws(StorageRefusal) -> Response {
    let seconds = try APIRoutes.seconds(of: body)
    let paths = try APIRoutes.texts("paths", of: body)
    let names = paths.map { PhotoName($0) }
    let there = try await blocking { () throws(ObjectDirectory.Fault) in
      Set(names.compactMap { $0.flatMap { photos.facts(of: $0) }?.name })
    }
    let seen = try await seen(names.compactMap { $0 }.filter(there.contains), by: principal)
    var answers: [RestJSON] = []
    for (path, name) in zip(paths, names) {
      guard let name, seen.contains(name) else {
        answers.append([
          "error": "Either the object does not exist or you do not have access to it",
          "path": .text(path), "signedURL": .null,
        ])
        continue
      }
      let address = try await address(.show, name, seconds, as: principal)
      answers.append(["error": .null, "path": .text(path), "signedURL": .text(address.path)])
    }
    return respond(.json(200, RestJSON.list(answers).written), to: context)
  }

  func linkForUpload(
    _ request: Request, _ name: PhotoName, _ photos: ObjectDirectory,
    as principal: RestPrincipal, _ context: CallContext
  ) async throws(StorageRefusal) -> Response {
    guard name.isOfPhotograph else { throw .invalidKey }
    _ = try await standing(principal, writing: name)
    let replaces = APIRoutes.field(request, "x-upsert") == "true"
    let isThere = try await blocking { () throws(ObjectDirectory.Fault) in
      photos.facts(of: name) != nil
    }
    guard replaces || !isThere else { throw StorageRefusal(ObjectDirectory.Fault.isThere) }
    let address = try await address(
      replaces ? .replace : .keep, name, Limits.uploadLinkSeconds, as: principal)
    return respond(
      .json(
        200,
        RestJSON.object(["url": .text(address.path), "token": .text(address.token)]).written),
      to: context)
  }

  /// What is asked for by such an address.
  func answerByLink(
    _ request: Request, _ target: StorageOperation.Target, _ photos: ObjectDirectory,
    _ context: CallContext
  ) async throws(StorageRefusal) -> Response {
    guard target.bucket == APIRoutes.bucket else { throw .noBucket }
    guard let name = PhotoName(target.name) else { throw .invalidKey }
    guard let token = request.uri.queryParameters["token"].map({ String($0) }), !token.isEmpty
    else {
      throw .invalid("querystring must have required property 'token'")
    }
    guard let claims = await api.links?.claims(ofLink: token) else { throw .badLink }
    guard claims.path == "\(APIRoutes.bucket)/\(name.text)",
      (claims.use == .show) == (target.operation == .readByLink)
    else { throw .badLink }
    guard !claims.isOver(at: clocks.wall()) else { throw .linkIsOver }
    var owner = RestPrincipal(claims.mayEverything ? .admin : .ranger, post: claims.post)
    owner.user = claims.owner
    guard target.operation == .readByLink else {
      return try await keep(
        request, name, photos, as: owner, context, replacing: claims.use == .replace)
    }
    var response = try await show(request, name, photos, to: owner, context)
    if let wanted = request.uri.queryParameters["download"] {
      let file = PhotoName(wanted)?.text ?? name.text
      response.set("content-disposition", "attachment; filename=\"\(file)\"")
    }
    return response
  }

  private func address(
    _ use: LinkClaims.Use, _ name: PhotoName, _ seconds: Int64, as principal: RestPrincipal
  ) async throws(StorageRefusal) -> (path: String, token: String) {
    guard let links = api.links else { throw .absent("addresses are not signed here") }
    let now = clocks.wall().epochSeconds
    let claims = LinkClaims(
      path: "\(APIRoutes.bucket)/\(name.text)", use: use, owner: principal.owner,
      mayEverything: principal.role == .admin || principal.role == .service, post: principal.post,
      issuedAt: now, expiresAt: now + seconds)
    guard let token = await links.token(ofLink: claims) else { throw .busy }
    let way = use == .show ? "object/sign" : "object/upload/sign"
    return ("/\(way)/\(APIRoutes.bucket)/\(name.text)?token=\(token)", token)
  }

  /// Those of some photographs that somebody may see.
  private func seen(
    _ names: [PhotoName], by principal: RestPrincipal
  ) async throws(StorageRefusal) -> Set<PhotoName> {
    switch principal.role {
    case .anonymous: return []
    case .admin, .service: return Set(names)
    case .ranger, .post: break
    }
    let answer = await reads.answer(for: principal.owner) { [api] () -> Set<PhotoName>? in
      try? names.reduce(into: Set<PhotoName>()) { seen, name in
        guard let id = RestIdentifier.canonical(name.stem) else { return }
        if try api.store.post(ofPassage: id, seenBy: principal).isThere { seen.insert(name) }
      }
    }
    guard let seen = answer ?? nil else { throw .busy }
    return seen
  }

  private static func seconds(of body: [String: RestJSON]) throws(StorageRefusal) -> Int64 {
    guard let seconds = try number("expiresIn", of: body, 1...Int(Limits.linkSeconds)) else {
      throw .invalid("body must have required property 'expiresIn'")
    }
    return Int64(seconds)
  }
}
