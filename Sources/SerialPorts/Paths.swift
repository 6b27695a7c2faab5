import Glibc

/// Where links lead.
enum Paths {
  /// The path behind links; nil when there is nothing.
  static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// What a link points at, as it stands there; nil when it is none.
  static func target(of link: String) -> String? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink(link, &target, target.count)
    guard length > 0 else { return nil }
    return String(decoding: target[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
