import JSON

/// The service that keeps files: most of its refusals are HTTP 400 with the real status in the body.
struct ObjectStore: Sendable {
  struct Object: Hashable, Sendable {
    var id: String
    var contentType: String
    var body: [UInt8]

    /// A fingerprint of the content (FNV-1a), as the store tells one.
    var etag: String {
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for byte in body { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      return "\"\(Identifiers.hexadecimal(hash))\""
    }
  }

  private(set) var objects: [String: Object] = [:]
  private(set) var buckets: Set<String> = ["passage-photos"]

  mutating func remove(bucket: String) { buckets.remove(bucket) }

  mutating func add(bucket: String) { buckets.insert(bucket) }

  /// The path behind `/storage/v1/object/`, and who asks: nil when the token is not taken.
  mutating func answer(
    _ request: ModelRequest, path: String, as principal: ModelCaller, id: String, mostBytes: Int
  ) -> ModelResponse {
    var parts = path.split(separator: "/", maxSplits: 1).map(String.init)
    if ["authenticated", "public", "info"].contains(parts.first), parts.count == 2 {
      parts = parts[1].split(separator: "/", maxSplits: 1).map(String.init)
    }
    guard parts.count == 2 else { return Self.refusal("404", "not_found", "Object not found") }
    guard buckets.contains(parts[0]) else {
      return Self.refusal("404", "Bucket not found", "Bucket not found", code: "NoSuchBucket")
    }
    let key = parts.joined(separator: "/")
    switch request.method {
    case "POST", "PUT":
      return put(request, key: key, as: principal, id: id, mostBytes: mostBytes)
    case "GET", "HEAD": return read(request, key: key, as: principal)
    case "DELETE": return delete(key, as: principal)
    default: return Self.refusal("405", "Method not allowed", "Method not allowed")
    }
  }

  private mutating func put(
    _ request: ModelRequest, key: String, as principal: ModelCaller, id: String, mostBytes: Int
  ) -> ModelResponse {
    guard !principal.isAnonymous else { return Self.forbidden }
    guard request.body.count <= mostBytes else {
      return Self.refusal(
        "413", "Payload too large", "The object exceeded the maximum allowed size",
        code: "EntityTooLarge")
    }
    let type = request.headers["content-type"] ?? "application/octet-stream"
    guard ["image/jpeg", "image/png"].contains(type) else {
      return Self.refusal(
        "415", "invalid_mime_type", "mime type \(type) is not supported", code: "InvalidMimeType")
    }
    let replaces = request.method == "PUT" || request.headers["x-upsert"] == "true"
    if objects[key] != nil, !replaces {
      return Self.refusal(
        "409", "Duplicate", "The resource already exists", code: "ResourceAlreadyExists")
    }
    if objects[key] == nil, request.method == "PUT" {
      return Self.refusal("404", "not_found", "Object not found", code: "NoSuchKey")
    }
    let kept = objects[key]?.id ?? id
    objects[key] = Object(id: kept, contentType: type, body: request.body)
    return ModelResponse(200, ["Id": .text(kept), "Key": .text(key)])
  }

  private func read(
    _ request: ModelRequest, key: String, as principal: ModelCaller
  ) -> ModelResponse {
    guard !principal.isAnonymous, let object = objects[key] else {
      var refusal = Self.refusal("404", "not_found", "Object not found", code: "NoSuchKey")
      if request.method == "HEAD" { refusal.body = [] }
      return refusal
    }
    var headers: [ModelResponse.Header] = [
      .init("Content-Type", object.contentType), .init("ETag", object.etag),
    ]
    guard request.method == "HEAD" else {
      return ModelResponse(status: 200, headers: headers, body: object.body)
    }
    headers.append(.init("Content-Length", String(object.body.count)))
    return ModelResponse(status: 200, headers: headers)
  }

  private mutating func delete(_ key: String, as principal: ModelCaller) -> ModelResponse {
    guard principal.isService || principal.kind == .admin else { return Self.forbidden }
    guard objects.removeValue(forKey: key) != nil else {
      return Self.refusal("404", "not_found", "Object not found", code: "NoSuchKey")
    }
    return ModelResponse(200, ["message": "Successfully deleted"])
  }

  private static let forbidden = refusal(
    "403", "Unauthorized", "new row violates row-level security policy", code: "AccessDenied")

  static func refusal(
    _ inner: String, _ error: String, _ message: String, code: String? = nil
  ) -> ModelResponse {
    var body: [String: JSONValue] = [
      "statusCode": .text(inner), "error": .text(error), "message": .text(message),
    ]
    if let code { body["code"] = .text(code) }
    return ModelResponse(400, .object(body))
  }
}
