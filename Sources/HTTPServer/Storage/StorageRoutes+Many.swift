import CentralCore
import Hummingbird
import Passages
import RestAPI
import Time

/// What is asked of several photographs, and what one is.
extension APIRoutes {
  func answer(
    ofMany request: Request, _ operation: StorageOperation, _ photos: ObjectDirectory,
    as principal: RestPrincipal, _ context: CallContext
  ) async throws(StorageRefusal) -> Response {
    let body = try await members(of: request, for: principal)
    switch operation {
    case .list: return try await list(body, photos, as: principal, context)
    case .listByCursor: return try await listByCursor(body, photos, as: principal, context)
    case .remove: return try await remove(body, photos, as: principal, context)
    default: return try await links(body, photos, as: principal, context)
    }
  }

  /// The members of a body in JSON.
  func members(
    of request: Request, for principal: RestPrincipal, isNeeded: Bool = true
  ) async throws(StorageRefusal) -> [String: RestJSON] {
    let held: HeldBody
    do throws(BodyFault) {
      held = try await body(of: request, upTo: Limits.rowsBytes, for: principal)
    } catch {
      switch error {
      case .broken: throw StorageRefusal.broken
      case .tooLarge: throw StorageRefusal.tooLarge
      case .crowded: throw StorageRefusal.busy
      }
    }
    if held.bytes.isEmpty, !isNeeded { return [:] }
    guard let body = RestJSON(held.bytes)?.object else {
      throw .invalid("the body is no object in JSON")
    }
    return body
  }

  // MARK: - Lists

  private func list(
    _ body: [String: RestJSON], _ photos: ObjectDirectory, as principal: RestPrincipal,
    _ context: CallContext
  ) async throws(StorageRefusal) -> Response {
    var page = ObjectPage()
    page.prefix = try APIRoutes.text("prefix", of: body) ?? ""
    page.search = try APIRoutes.text("search", of: body) ?? ""
    page.limit = try APIRoutes.number("limit", of: body, 1...Limits.listed) ?? 100
    page.offset = try APIRoutes.number("offset", of: body, 0...Limits.listedOffset) ?? 0
    if let told = body["sortBy"], told != .null {
      guard let sorting = told.object else { throw .invalid("sortBy is no object") }
      switch try APIRoutes.text("column", of: sorting) ?? "name" {
      case "name": page.order = .name
      case "created_at", "updated_at", "last_accessed_at": page.order = .time
      default: throw .invalid("sortBy names no column of photographs")
      }
      switch try APIRoutes.text("order", of: sorting) ?? "asc" {
      case "asc", "": page.isDescending = false
      case "desc": page.isDescending = true
      default: throw .invalid("order is asc or desc")
      }
    }
    let found = try await photographs(page, photos, as: principal)
    return respond(.json(200, RestJSON.list(found.map(\.member)).written), to: context)
  }

  private func listByCursor(
    _ body: [String: RestJSON], _ photos: ObjectDirectory, as principal: RestPrincipal,
    _ context: CallContext
  ) async throws(StorageRefusal) -> Response {
    var page = ObjectPage()
    page.prefix = try APIRoutes.text("prefix", of: body) ?? ""
    let limit = try APIRoutes.number("limit", of: body, 1...Limits.listed) ?? Limits.listed
    // There are no folders, so that nothing is divided into any.
    switch body["with_delimiter"] {
    case nil, .null?, .flag?: break
    default: throw .invalid("with_delimiter is true or false")
    }
    page.limit = limit + 1
    if let cursor = try APIRoutes.text("cursor", of: body), !cursor.isEmpty {
      guard PhotoName(cursor) != nil else { throw .invalid("cursor is none of a list") }
      page.after = cursor
    }
    let found = try await photographs(page, photos, as: principal)
    let shown = found.prefix(limit)
    let hasNext = found.count > limit
    var answer: [String: RestJSON] = [
      "hasNext": .flag(hasNext), "folders": [], "objects": .list(shown.map(\.member)),
    ]
    if hasNext, let last = shown.last { answer["nextCursor"] = .text(last.name.text) }
    return respond(.json(200, RestJSON.object(answer).written), to: context)
  }

  /// Those of a page that somebody may see: of a caller who does not see every passage, the photographs that those
  /// which they see name.
  private func photographs(
    _ page: ObjectPage, _ photos: ObjectDirectory, as principal: RestPrincipal
  ) async throws(StorageRefusal) -> [ObjectFacts] {
    switch principal.role {
    case .anonymous: return []
    case .admin, .service:
      guard
        let found = await reads.answer(for: principal.owner, { photos.photographs(page) })
      else { throw .busy }
      return found
    case .ranger, .post: break
    }
    guard
      page.prefix.isEmpty || PhotoName(page.prefix) != nil || PhotoName("a" + page.prefix) != nil,
      page.search.isEmpty || PhotoName("a" + page.search) != nil
    else { return [] }
    let asked = APIRoutes.named(page)
    let now = clocks.wall()
    let answer = await reads.answer(for: principal.owner) { [api] () -> [ObjectFacts]? in
      func opened(_ store: some RestStore) -> RestAnswer {
        RestHandler.answer(asked, as: principal, from: store, at: now)
      }
      let told = opened(api.store)
      guard told.status < 300, case .list(let rows)? = RestJSON(Array(told.body.utf8)) else {
        return nil
      }
      return rows.compactMap { row in
        row.object?["photo_path"]?.text.flatMap { PhotoName(path: $0) }.flatMap {
          photos.facts(of: $0)
        }
      }
    }
    guard let found = answer ?? nil else { throw .busy }
    return found
  }

  /// The request for the passages whose photographs stand on a page.
  private static func named(_ page: ObjectPage) -> RestRequest {
    // Names have no other characters that mean something in a pattern.
    func escaped(_ text: String) -> String { text.replacing("_", with: "%5C_") }
    var items = [
      "select=photo_path", "photo_path=like.\(escaped(page.prefix))%25",
      "limit=\(page.limit)", "offset=\(page.offset)",
    ]
    if !page.search.isEmpty { items.append("photo_path=like.%25\(escaped(page.search))%25") }
    if let after = page.after { items.append("photo_path=gt.\(after)") }
    let direction = page.isDescending ? "desc" : "asc"
    items.append(
      page.order == .name
        ? "order=photo_path.\(direction),id" : "order=server_received_at.\(direction),id")
    return RestRequest("GET", "vehicle_passages", query: items.joined(separator: "&"))
  }

  // MARK: - What one is

  func info(
    _ request: Request, _ name: PhotoName, _ photos: ObjectDirectory,
    as principal: RestPrincipal, _ context: CallContext
  ) async throws(StorageRefusal) -> Response {
    guard try await may(principal, read: name) else { throw .missing }
    let (facts, found) = try await blocking { () throws(ObjectDirectory.Fault) in
      guard let facts = photos.facts(of: name) else { throw ObjectDirectory.Fault.isMissing }
      return (facts, try photos.read(name))
    }
    let changed = RestJSON.text(facts.changedAt.rfc3339)
    let answer: RestJSON = [
      "id": .text(facts.id), "name": .text(name.text), "version": .text(facts.id),
      "bucket_id": .text(APIRoutes.bucket), "size": .number("\(found.content.count)"),
      "content_type": .text(found.kind.rawValue), "cache_control": "no-cache",
      "etag": .text(found.tag), "metadata": [:], "last_modified": changed, "created_at": changed,
    ]
    return respond(.json(200, answer.written), to: context, isHead: request.method == .head)
  }

  func bucketFacts(_ photos: ObjectDirectory) -> RestJSON {
    let changed = RestJSON.text((photos.changedAt ?? clocks.wall()).rfc3339)
    return [
      "id": .text(APIRoutes.bucket), "name": .text(APIRoutes.bucket), "owner": "", "public": false,
      "type": "STANDARD", "file_size_limit": .number("\(Limits.photoBytes)"),
      "allowed_mime_types": .list(ObjectKind.allCases.map { .text($0.rawValue) }),
      "created_at": changed, "updated_at": changed,
    ]
  }

  // MARK: - Removing

  /// Removes photographs for those who may; for everybody else there are none to remove.
  private func remove(
    _ body: [String: RestJSON], _ photos: ObjectDirectory, as principal: RestPrincipal,
    _ context: CallContext
  ) async throws(StorageRefusal) -> Response {
    let names = try APIRoutes.texts("prefixes", of: body)
    guard principal.role == .admin || principal.role == .service else {
      return respond(.json(200, "[]"), to: context)
    }
    let wanted = names.compactMap { PhotoName($0) }
    let removed = try await blocking { () throws(ObjectDirectory.Fault) in
      let there = wanted.compactMap { photos.facts(of: $0) }
      let gone = Set(photos.remove(there.map(\.name.text)))
      return there.filter { gone.contains($0.name.text) }
    }
    photos.forget(waiting: removed.map(\.name))
    noteRemoved(removed.count, by: principal)
    return respond(.json(200, RestJSON.list(removed.map(\.member)).written), to: context)
  }

  func remove(
    _ name: PhotoName, _ photos: ObjectDirectory, as principal: RestPrincipal,
    _ context: CallContext
  ) async throws(StorageRefusal) -> Response {
    guard principal.role == .admin || principal.role == .service else { throw .forbidden }
    let isRemoved = try await blocking { () throws(ObjectDirectory.Fault) in
      photos.facts(of: name) != nil && photos.remove([name.text]) == [name.text]
    }
    guard isRemoved else { throw .missing }
    photos.forget(waiting: [name])
    noteRemoved(1, by: principal)
    return respond(.json(200, "{\"message\":\"Successfully deleted\"}"), to: context)
  }

  // MARK: - Members of a body

  static func text(
    _ name: String, of body: [String: RestJSON]
  ) throws(StorageRefusal) -> String? {
    switch body[name] {
    case nil, .null?: return nil
    case .text(let text)? where text.unicodeScalars.count <= Limits.storageText: return text
    default: throw .invalid("\(name) is no text of up to \(Limits.storageText) characters")
    }
  }

  /// A whole number, or the text of one: clients write both.
  static func number(
    _ name: String, of body: [String: RestJSON], _ range: ClosedRange<Int>
  ) throws(StorageRefusal) -> Int? {
    let digits: String
    switch body[name] {
    case nil, .null?: return nil
    case .number(let text)?, .text(let text)?: digits = text
    default: throw .invalid("\(name) is no number")
    }
    guard let number = Int(digits), range.contains(number) else {
      throw .invalid("\(name) is no number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  static func texts(
    _ name: String, of body: [String: RestJSON]
  ) throws(StorageRefusal) -> [String] {
    guard case .list(let list)? = body[name], (1...Limits.listed).contains(list.count) else {
      throw .invalid("\(name) is no list of 1 to \(Limits.listed) names")
    }
    let texts = list.compactMap(\.text)
    guard texts.count == list.count, texts.allSatisfy({ $0.utf8.count <= 200 }) else {
      throw .invalid("\(name) is no list of 1 to \(Limits.listed) names")
    }
    return texts
  }
}

extension ObjectFacts {
  /// What names it to programs.
  var id: String { ClientID.derived(kind: "photo", name: name.text).description }

  /// It as a member of a list. What its content is known by takes reading it, and stands in `info` alone.
  var member: RestJSON {
    let changed = RestJSON.text(changedAt.rfc3339)
    let type = name.text.lowercased().hasSuffix(".png") ? ObjectKind.png : ObjectKind.jpeg
    return [
      "name": .text(name.text), "id": .text(id), "updated_at": changed, "created_at": changed,
      "last_accessed_at": changed, "bucket_id": .text(APIRoutes.bucket),
      "metadata": [
        "size": .number("\(bytes)"), "contentLength": .number("\(bytes)"),
        "mimetype": .text(type.rawValue), "lastModified": changed, "cacheControl": "no-cache",
        "httpStatusCode": 200,
      ],
    ]
  }
}
