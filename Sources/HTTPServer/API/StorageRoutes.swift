import Accounts
import CentralCore
import EventLoop
import Hummingbird
import Passages
import RestAPI

/// Photographs over HTTP, as the storage of Supabase has them: most of its refusals are HTTP 400 with the
/// real status in the body.
extension APIRoutes {
  static let bucket = PhotoName.bucket

  /// A request for what stands behind `/storage/v1/object/`.
  func photograph(
    _ request: Request, _ context: CallContext, _ path: [String]
  ) async -> Response {
    guard !APIRoutes.isLarger(request, than: APIRoutes.mostOfPhotograph) else {
      return respond(StorageRefusal.tooLarge.answer, to: context)
    }
    let principal: RestPrincipal
    switch await entry(of: request, context) {
    case .admitted(let admitted): principal = admitted
    case .refused(let refusal):
      // That it was not let in is counted already.
      return APIRoutes.response(StorageRefusal(refusal).answer)
    case .tooMany(let response): return response
    }
    do throws(StorageRefusal) {
      return try await answer(request, path, as: principal, context)
    } catch {
      return respond(error.answer, to: context, isHead: request.method == .head)
    }
  }

  private func answer(
    _ request: Request, _ path: [String], as principal: RestPrincipal, _ context: CallContext
  ) async throws(StorageRefusal) -> Response {
    guard let photos = api.photos else { throw .noBucket }
    var parts = path[...]
    if let kind = parts.first, ["authenticated", "info", "public"].contains(kind), parts.count > 2 {
      parts = parts.dropFirst()
    }
    guard parts.first == APIRoutes.bucket else { throw .noBucket }
    guard parts.count == 2, let name = parts.last.flatMap({ PhotoName($0) }) else {
      throw .invalidKey
    }
    switch request.method {
    case .get, .head: return try await read(request, name, photos, as: principal)
    case .post, .put: return try await keep(request, name, photos, as: principal, context)
    case .delete: throw .forbidden
    default: throw StorageRefusal("405", "Method not allowed", "Method not allowed")
    }
  }

  private func read(
    _ request: Request, _ name: PhotoName, _ photos: ObjectDirectory,
    as principal: RestPrincipal
  ) async throws(StorageRefusal) -> Response {
    guard try await may(principal, read: name) else { throw .missing }
    let found = try await blocking { () throws(ObjectDirectory.Fault) in try photos.read(name) }
    var response = Response(
      status: .ok, headers: [.contentType: found.kind.rawValue, .eTag: found.tag],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: found.content)))
    // A photograph is shown as one, whatever is in it.
    if let name = HTTPFields.Element.Name("x-content-type-options") {
      response.headers[name] = "nosniff"
    }
    return request.method == .head ? response.createHeadResponse() : response
  }

  /// Bytes of a body with a photograph, the form around it among them.
  private static let mostOfPhotograph = Limits.photoBytes + Limits.multipartHeadBytes * 2

  private func keep(
    _ request: Request, _ name: PhotoName, _ photos: ObjectDirectory,
    as principal: RestPrincipal, _ context: CallContext
  ) async throws(StorageRefusal) -> Response {
    let isKnown = try await knows(principal, writing: name)
    var content: [UInt8]
    do throws(BodyFault) {
      content = try await APIRoutes.body(
        of: request, upTo: APIRoutes.mostOfPhotograph)
    } catch {
      throw error == .broken ? StorageRefusal.broken : StorageRefusal.tooLarge
    }
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
    let replaces = request.method == .put || APIRoutes.field(request, "x-upsert") == "true"
    let replacing: ObjectDirectory.Replacing =
      request.method == .put ? .only : replaces && isKnown ? .always : .never
    let bytes = content
    try await blocking { () throws(ObjectDirectory.Fault) in
      try photos.keep(bytes, as: name, replacing)
    }
    let id = ClientID.derived(kind: "photo", name: name.text).description
    let body: RestJSON = .object([
      "Id": .text(id), "Key": .text("\(APIRoutes.bucket)/\(name.text)"),
    ])
    return respond(.json(200, body.written), to: context)
  }

  /// Whether somebody may write a photograph of that name, and whether it is one of a passage that is there:
  /// one of a passage that is still to come may be handed in once and not replaced.
  private func knows(
    _ principal: RestPrincipal, writing name: PhotoName
  ) async throws(StorageRefusal) -> Bool {
    switch principal.role {
    case .anonymous: throw .forbidden
    case .admin, .service: return true
    case .ranger, .post: break
    }
    guard let id = RestIdentifier.canonical(name.stem), principal.post != nil else {
      throw .forbidden
    }
    let (isThere, post) = try await passage(id, seenBy: .service)
    guard !isThere || post == principal.post else { throw .forbidden }
    return isThere
  }

  private func may(
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

  private func blocking<Value: Sendable>(
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

/// Why a photograph is not kept or shown.
struct StorageRefusal: Error {
  private let status: Int
  private let body: [String: RestJSON]

  init(
    _ inner: String, _ error: String, _ message: String, code: String? = nil, status: Int = 400
  ) {
    self.status = status
    var body: [String: RestJSON] = [
      "statusCode": .text(inner), "error": .text(error), "message": .text(message),
    ]
    if let code { body["code"] = .text(code) }
    self.body = body
  }

  var answer: RestAnswer { .json(status, RestJSON.object(body).written) }

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
    case .full:
      self.init("507", "Insufficient storage", "There is no room", code: "StorageFull", status: 507)
    case .system:
      self.init("500", "Internal", "The photograph cannot be kept or read", status: 500)
    }
  }

  static let missing = StorageRefusal("404", "not_found", "Object not found", code: "NoSuchKey")
  static let noBucket = StorageRefusal(
    "404", "Bucket not found", "Bucket not found", code: "NoSuchBucket")
  static let invalidKey = StorageRefusal("400", "InvalidKey", "Invalid key", code: "InvalidKey")
  static let forbidden = StorageRefusal(
    "403", "Unauthorized", "new row violates row-level security policy", code: "AccessDenied")
  static let tooLarge = StorageRefusal(
    "413", "Payload too large", "The object exceeded the maximum allowed size",
    code: "EntityTooLarge")
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
