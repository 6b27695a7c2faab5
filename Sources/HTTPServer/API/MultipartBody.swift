/// The file in a body in the form `multipart/form-data` (RFC 7578), as clients of the storage send it.
enum MultipartBody {
  /// The content of the first part that is a file, and its media type; nil when the body is none of this form
  /// or has no file.
  static func file(in body: [UInt8], contentType: String) -> (content: [UInt8], type: String?)? {
    guard let boundary = boundary(of: contentType) else { return nil }
    let mark = Array("--\(boundary)".utf8)
    var rest = body[...]
    guard rest.starts(with: mark) else { return nil }
    rest = rest.dropFirst(mark.count)
    for _ in 0..<Limits.multipartParts {
      // What stands behind the mark of the last part is no other one.
      guard rest.starts(with: lineEnd) else { return nil }
      rest = rest.dropFirst(2)
      guard let headEnd = rest.prefix(Limits.multipartHeadBytes).firstRange(of: lineEnd + lineEnd),
        let end = rest[headEnd.upperBound...].firstRange(of: lineEnd + mark)
      else { return nil }
      let head = String(decoding: rest[..<headEnd.lowerBound], as: UTF8.self)
      let content = rest[headEnd.upperBound..<end.lowerBound]
      rest = rest[end.upperBound...]
      let lines = head.split(separator: "\r\n").map { $0.lowercased() }
      let isFile = lines.contains {
        $0.hasPrefix("content-disposition:") && $0.contains("filename")
      }
      guard isFile else { continue }
      let type = lines.first { $0.hasPrefix("content-type:") }
        .map { String($0.dropFirst(13).filter { $0 != " " }.prefix { $0 != ";" }) }
      return (Array(content), type)
    }
    return nil
  }

  private static let lineEnd: [UInt8] = [0x0D, 0x0A]

  private static func boundary(of contentType: String) -> String? {
    guard let found = contentType.firstRange(of: "boundary=") else { return nil }
    let text = contentType[found.upperBound...].prefix { $0 != ";" }
      .filter { $0 != "\"" && $0 != " " }
    return (1...70).contains(text.utf8.count) ? text : nil
  }
}
