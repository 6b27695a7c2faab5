import Accounts
import CentralCore
import EventLoop
import Hummingbird
import Passages
import RestAPI
import Synchronization
import Time

/// Photographs over HTTP, as the storage of Supabase has them: most of its refusals are HTTP 400 with the
/// real status in the body.
extension APIRoutes {
  static let bucket = PhotoName.bucket

  /// A request for what stands behind `/storage/v1/`.
  func photograph(
    _ request: Request, _ context: CallContext, _ path: [String]
  ) async -> Response {
    guard !APIRoutes.isLarger(request, than: APIRoutes.mostOfPhotograph) else {
      return respond(StorageRefusal.tooLarge.answer, to: context)
    }
    let target = StorageOperation.found(request.method, path)
    do throws(StorageRefusal) {
      if let target, target.operation.isByLink {
        guard let photos = api.photos else { throw .noBucket }
        return try await answerByLink(request, target, photos, context)
      }
      let principal: RestPrincipal
      switch await entry(of: request, context) {
      case .admitted(let admitted): principal = admitted
      case .refused(let refusal):
        // That it was not let in is counted already.
        return APIRoutes.response(StorageRefusal(refusal).answer)
      case .tooMany(let response): return response
      }
      guard let photos = api.photos else { throw .noBucket }
      guard let target else { throw StorageRefusal(noRoute: path) }
      return try await answer(request, target, photos, as: principal, context)
    } catch {
      return respond(error.answer, to: context, isHead: request.method == .head)
    }
  }

  private func answer(
    _ request: Request, _ target: StorageOperation.Target, _ photos: ObjectDirectory,
    as principal: RestPrincipal, _ context: CallContext
  ) async throws(StorageRefusal) -> Response {
    if target.operation == .buckets {
      return respond(.json(200, RestJSON.list([bucketFacts(photos)]).written), to: context)
    }
    guard target.bucket == APIRoutes.bucket else { throw .noBucket }
    switch target.operation {
    case .bucket, .buckets: return respond(.json(200, bucketFacts(photos).written), to: context)
    case .list, .listByCursor, .remove, .links:
      return try await answer(ofMany: request, target.operation, photos, as: principal, context)
    default: break
    }
    guard let name = PhotoName(target.name) else { throw .invalidKey }
    switch target.operation {
    case .info: return try await info(request, name, photos, as: principal, context)
    case .keep, .replace: return try await keep(request, name, photos, as: principal, context)
    case .removeOne: return try await remove(name, photos, as: principal, context)
    case .link: return try await link(request, name, photos, as: principal, context)
    case .linkForUpload:
      return try await linkForUpload(request, name, photos, as: principal, context)
    default: return try await read(request, name, photos, as: principal, context)
    }
  }

  private func read(
    _ request: Request, _ name: PhotoName, _ photos: ObjectDirectory,
    as principal: RestPrincipal, _ context: CallContext
  ) async throws(StorageRefusal) -> Response {
    guard try await may(principal, read: name) else { throw .missing }
    return try await show(request, name, photos, to: principal, context)
  }

  /// Shows a photograph to a caller who may see it.
  func show(
    _ request: Request, _ name: PhotoName, _ photos: ObjectDirectory, to principal: RestPrincipal,
    _ context: CallContext
  ) async throws(StorageRefusal) -> Response {
    let found = try await blocking { () throws(ObjectDirectory.Fault) in try photos.read(name) }
    var response = Response(
      status: .ok, headers: [.contentType: found.kind.rawValue, .eTag: found.tag],
      body: APIRoutes.inParts(ByteBuffer(bytes: found.content), context.onceWritten))
    // A photograph is shown as one, whatever is in it.
    if let name = HTTPFields.Element.Name("x-content-type-options") {
      response.headers[name] = "nosniff"
    }
    if request.method == .head { return response.createHeadResponse() }
    guard let response = held(response, found.content.count, for: principal) else { throw .busy }
    return response
  }

  /// Bytes of a body with a photograph, the form around it among them.
  private static let mostOfPhotograph = Limits.photoBytes + Limits.multipartHeadBytes * 2

  func keep(
    _ request: Request, _ name: PhotoName, _ photos: ObjectDirectory,
    as principal: RestPrincipal, _ context: CallContext, replacing: Bool? = nil
  ) async throws(StorageRefusal) -> Response {
    // What a browser would execute gets no such name, whatever program shows the folder.
    guard name.isOfPhotograph else { throw .invalidKey }
    let standing = try await standing(principal, writing: name)
    let held: HeldBody
    do throws(BodyFault) {
      held = try await body(of: request, upTo: APIRoutes.mostOfPhotograph, for: principal)
    } catch {
      switch error {
      case .broken: throw StorageRefusal.broken
      case .tooLarge: throw StorageRefusal.tooLarge
      case .crowded: throw StorageRefusal.busy
      }
    }
    defer { withExtendedLifetime(held.share) {} }
    var content = held.bytes
    var type = request.headers[.contentType] ?? "application/octet-stream"
    if type.lowercased().hasPrefix("multipart/form-data") {
      guard let file = MultipartBody.file(in: content, contentType: type) else {
        throw StorageRefusal(
          "400", "invalid_request", "the form has no file", code: "InvalidRequest")
      }
      content = file.content
      type = file.type ?? "application/octet-stream"
    }
    guard content.count <= Limits.photoBytes else { throw .tooLarge }
    let kind = ObjectKind(content)
    guard let kind, kind.rawValue == type.prefix(while: { $0 != ";" }).lowercased() else {
      throw .kind(type)
    }
    let replaces =
      replacing ?? (request.method == .put || APIRoutes.field(request, "x-upsert") == "true")
    let bytes = content
    let isPut = request.method == .put && replacing == nil
    try await withRoom(for: standing, photos) { () throws(ObjectDirectory.Fault) in
      switch standing {
      case .everybodys:
        try photos.keep(bytes, as: name, isPut ? .only : replaces ? .always : .never)
      case .ofPassage(let post):
        // What somebody else put there before the passage came says nothing.
        let isForeign = photos.owner(ofWaiting: name).map { $0.post != post } ?? false
        try photos.keep(
          bytes, as: name, isForeign ? .always : isPut ? .only : replaces ? .always : .never)
      case .waiting(let owner):
        if isPut { throw photos.owner(ofWaiting: name) == nil ? .isMissing : .isThere }
        try photos.keep(bytes, as: name, .never, waitingOf: owner)
      }
    }
    let id = ClientID.derived(kind: "photo", name: name.text).description
    let body: RestJSON = .object([
      "Id": .text(id), "Key": .text("\(APIRoutes.bucket)/\(name.text)"),
    ])
    return respond(.json(200, body.written), to: context)
  }

  /// As what somebody writes a photograph.
  enum Standing: Sendable {
    /// They may write any.
    case everybodys
    /// It is one of a passage of their post, whose UUID that is.
    case ofPassage(String)
    /// It is one of a passage that is still to come: it may be handed in once and not replaced.
    case waiting(PhotographOwner)
  }

  /// As what somebody may write a photograph of that name.
  func standing(
    _ principal: RestPrincipal, writing name: PhotoName
  ) async throws(StorageRefusal) -> Standing {
    switch principal.role {
    case .anonymous: throw .forbidden
    case .admin, .service: return .everybodys
    case .ranger, .post: break
    }
    guard let id = RestIdentifier.canonical(name.stem), let own = principal.post else {
      throw .forbidden
    }
    let (isThere, post) = try await passage(id, seenBy: .service)
    guard isThere else { return .waiting(PhotographOwner(account: principal.owner, post: own)) }
    guard post == own else { throw .forbidden }
    return .ofPassage(own)
  }

  /// Keeps a photograph; where somebody has too many whose passages have not come, it is looked whether some of them
  /// have by now.
  private func withRoom(
    for standing: Standing, _ photos: ObjectDirectory,
    _ keep: @escaping @Sendable () throws(ObjectDirectory.Fault) -> Void
  ) async throws(StorageRefusal) {
    let first = try await attempt(keep)
    guard first == .tooMany, case .waiting(let owner) = standing,
      looks.withLock({ $0.isDue(owner.account, at: clocks.boot()) })
    else {
      if let first { throw StorageRefusal(first) }
      return
    }
    var come: [PhotoName] = []
    for name in photos.waiting(of: owner.account) {
      guard let id = RestIdentifier.canonical(name.stem) else { continue }
      let (isThere, post) = try await passage(id, seenBy: .service)
      // One of another post's passage stays whose it is, so that this post may replace it.
      if isThere, post == owner.post { come.append(name) }
    }
    photos.forget(waiting: come)
    if let fault = try await attempt(keep) { throw StorageRefusal(fault) }
  }

  private func attempt(
    _ keep: @escaping @Sendable () throws(ObjectDirectory.Fault) -> Void
  ) async throws(StorageRefusal) -> ObjectDirectory.Fault? {
    let fault = await files.answer { () -> ObjectDirectory.Fault?? in
      do throws(ObjectDirectory.Fault) {
        try keep()
        return .some(nil)
      } catch {
        return .some(error)
      }
    }
    guard let fault = fault ?? nil else { throw .busy }
    return fault
  }

  func may(
    _ principal: RestPrincipal, read name: PhotoName
  ) async throws(StorageRefusal) -> Bool {
    switch principal.role {
    case .anonymous: return false
    case .admin, .service: return true
    case .ranger, .post: break
    }
    guard let id = RestIdentifier.canonical(name.stem) else { return false }
    return try await passage(id, seenBy: principal).isThere
  }

  private func passage(
    _ id: String, seenBy principal: RestPrincipal
  ) async throws(StorageRefusal) -> (isThere: Bool, post: String?) {
    let found = await rows.answer { [api] in
      try? api.store.post(ofPassage: id, seenBy: principal)
    }
    guard let found = found ?? nil else { throw .busy }
    return found
  }

  func blocking<Value: Sendable>(
    _ body: @escaping @Sendable () throws(ObjectDirectory.Fault) -> Value
  ) async throws(StorageRefusal) -> Value {
    let result = await files.answer { () -> Result<Value, ObjectDirectory.Fault> in
      do throws(ObjectDirectory.Fault) {
        return .success(try body())
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let value): return value
    case .failure(let fault): throw StorageRefusal(fault)
    case nil: throw .busy
    }
  }
}

/// When it was looked last whether passages of somebody's photographs have come.
struct PhotographLooks: Sendable {
  private var last: [String: BootInstant] = [:]

  /// Whether it is time to look, and then that it is done.
  mutating func isDue(_ account: String, at now: BootInstant) -> Bool {
    if let before = last[account], now - before < Limits.waitingLookEvery { return false }
    if last.count >= Limits.budgetRows { last = [:] }
    last[account] = now
    return true
  }
}

extension PhotoName {
  /// Whether it ends as a photograph does, and in nothing else on the way.
  var isOfPhotograph: Bool {
    text.lowercased().split(separator: ".", omittingEmptySubsequences: false).dropFirst()
      .allSatisfy { ["jpg", "jpeg", "png"].contains($0) }
  }
}

/// Why a photograph is not kept or shown.
struct StorageRefusal: Error {
  private let status: Int
  private let body: [String: RestJSON]
  /// The methods that there are where another one was asked for.
  private let allowed: [HTTPRequest.Method]

  init(
    _ inner: String, _ error: String, _ message: String, code: String? = nil, status: Int = 400,
    allowed: [HTTPRequest.Method] = []
  ) {
    self.status = status
    self.allowed = allowed
    var body: [String: RestJSON] = [
      "statusCode": .text(inner), "error": .text(error), "message": .text(message),
    ]
    if let code { body["code"] = .text(code) }
    self.body = body
  }

  var answer: RestAnswer {
    var answer = RestAnswer.json(status, RestJSON.object(body).written)
    if !allowed.isEmpty {
      let methods = allowed.map(\.rawValue).joined(separator: ", ")
      answer.fields.append(.init("Allow", methods))
    }
    return answer
  }

  init(_ refusal: AccessRefusal) {
    guard refusal.status == 401 else {
      self.init(
        "\(refusal.status)", "Unavailable", refusal.message, status: refusal.status)
      return
    }
    self.init(
      "403", "Unauthorized",
      refusal.message == "JWT expired" ? "\"exp\" claim timestamp check failed" : refusal.message,
      code: "InvalidJWT")
  }

  init(_ fault: ObjectDirectory.Fault) {
    switch fault {
    case .isThere:
      self.init("409", "Duplicate", "The resource already exists", code: "ResourceAlreadyExists")
    case .isMissing: self = .missing
    case .tooMany: self = .tooMany
    case .full:
      self.init("507", "Insufficient storage", "There is no room", code: "StorageFull", status: 507)
    case .system:
      self.init("500", "Internal", "The photograph cannot be kept or read", status: 500)
    }
  }

  /// A path at which there is nothing, or what the storage that this one stands in for has and this one has not.
  init(noRoute path: [String]) {
    let word = path.dropFirst().first ?? ""
    let methods = ServedRoute.methods(at: ["storage", "v1"] + path, of: [.photographs])
    if !methods.isEmpty, path.first == "bucket" {
      self.init(
        "501", "not_implemented", StorageRefusal.oneBucket, code: "NotImplemented", status: 405,
        allowed: methods)
    } else if !methods.isEmpty, !["move", "copy"].contains(word) {
      self.init(
        "405", "Method not allowed", "Method not allowed", status: 405, allowed: methods)
    } else if path.first == "object", word == "move" || word == "copy" {
      self = .absent("photographs keep the name of their passage, and are neither moved nor copied")
    } else if path.first == "render" {
      self = .absent("photographs are shown as they were handed in, and are not scaled")
    } else if path.first == "bucket" {
      self = .absent(StorageRefusal.oneBucket)
    } else if path.first == "upload" {
      self = .absent("photographs are handed in at once; one has 2 MiB at most")
    } else if path.first == "object", path.contains(APIRoutes.bucket) {
      self = .invalidKey
    } else if path.first == "object" {
      self = .noBucket
    } else {
      self.init("404", "not_found", "There is no such route", status: 404)
    }
  }

  private static let oneBucket =
    "there is one bucket, \(APIRoutes.bucket), which is neither made, changed nor emptied"

  static func absent(_ words: String) -> StorageRefusal {
    StorageRefusal("501", "not_implemented", words, code: "NotImplemented")
  }

  static func invalid(_ words: String) -> StorageRefusal {
    StorageRefusal("400", "invalid_request", words, code: "InvalidRequest")
  }

  static let badLink = StorageRefusal(
    "400", "InvalidSignature", "Invalid signature", code: "InvalidSignature")
  static let linkIsOver = StorageRefusal(
    "400", "InvalidJWT", "\"exp\" claim timestamp check failed", code: "InvalidJWT")

  static let missing = StorageRefusal("404", "not_found", "Object not found", code: "NoSuchKey")
  static let noBucket = StorageRefusal(
    "404", "Bucket not found", "Bucket not found", code: "NoSuchBucket")
  static let invalidKey = StorageRefusal("400", "InvalidKey", "Invalid key", code: "InvalidKey")
  static let forbidden = StorageRefusal(
    "403", "Unauthorized", "new row violates row-level security policy", code: "AccessDenied")
  static let tooLarge = StorageRefusal(
    "413", "Payload too large", "The object exceeded the maximum allowed size",
    code: "EntityTooLarge")
  static let tooMany = StorageRefusal(
    "429", "Too many photographs",
    "Too many photographs of this account wait for their passages; hand in the passages first",
    code: "SlowDown", status: 429)
  static let broken = StorageRefusal(
    "400", "invalid_request", "the body cannot be read as HTTP", code: "InvalidRequest")
  static let busy = StorageRefusal(
    "503", "Busy", "Too many requests are waiting", code: "SlowDown", status: 503)

  static func kind(_ type: String) -> StorageRefusal {
    let shown = type.unicodeScalars.prefix(40).filter { $0.isASCII && $0.value >= 0x20 }
    return StorageRefusal(
      "415", "invalid_mime_type",
      "mime type \(String(String.UnicodeScalarView(shown))) is not supported",
      code: "InvalidMimeType")
  }
}
