import SQLiteFile
import SerialPorts
import ServerHTTP

/// A library that is built into the program, or was looked at when its version was chosen.
struct Component: Hashable {
  /// The licences that there are, by their SPDX identifiers (https://spdx.org/licenses).
  enum Licence: String {
    case apache = "Apache-2.0"
    case apacheWithSwiftException = "Apache-2.0 WITH Swift-exception"
    case mit = "MIT"
    case publicDomain = "CC0-1.0"
    case curl = "curl"
    case lesserGeneral = "LGPL-3.0-or-later"
    case sqliteBlessing = "blessing"
    case unicode = "Unicode-3.0"
  }

  var name: String
  var version: String
  /// The commit that the version stood for when it was taken in.
  var revision: String?
  /// Where it comes from: a repository on GitHub for a package, a page for anything else.
  var source: String
  var licence: Licence
  /// Whether its code is in the program; else only a package that is asks for it, for uses that are not
  /// ours.
  var isLinked: Bool

  init(
    _ name: String, _ version: String, at revision: String? = nil, of source: String,
    under licence: Licence, isLinked: Bool = true
  ) {
    self.name = name
    self.version = version
    self.revision = revision
    self.source = source
    self.licence = licence
    self.isLinked = isLinked
  }
}

extension Component {
  /// Every package that a build takes in, each at one version. `Package.swift` requires them, and a test
  /// holds this list against what was resolved, linked and found in their sources.
  static let packages = [
    Component(
      "async-http-client", "1.37.0", at: "3665dee56525b865b786d538c567648b76899fc7",
      of: "swift-server/async-http-client", under: .apache, isLinked: false),
    Component(
      "GRDB.swift", "7.10.0", at: "a60dcff33d97a98b21425f1894587145d3efda50",
      of: "groue/GRDB.swift", under: .mit),
    Component(
      "hummingbird", "2.28.1", at: "26726d0d184fa595ab671bc762836684d9d6d3ea",
      of: "hummingbird-project/hummingbird", under: .apache),
    Component(
      "jwt-kit", "5.7.1", at: "90375ddf48b8a9fb8701e441c0ce953d86a68aa3",
      of: "vapor/jwt-kit", under: .mit),
    Component(
      "swift-algorithms", "1.2.1", at: "0f7a7a1376bd37a3474591497430631c7189718d",
      of: "apple/swift-algorithms", under: .apacheWithSwiftException, isLinked: false),
    Component(
      "swift-argument-parser", "1.8.2", at: "436bde4bb9489201ca6662f5cf94ec45fa8e244e",
      of: "apple/swift-argument-parser", under: .apacheWithSwiftException),
    Component(
      "swift-asn1", "1.7.4", at: "d619dd5bb47ba9ea182340c612ae38c70c78d97e",
      of: "apple/swift-asn1", under: .apache),
    Component(
      "swift-async-algorithms", "1.1.4", at: "6d516c3a2b6997945cc435bd8afcd761d748a7b9",
      of: "apple/swift-async-algorithms", under: .apacheWithSwiftException),
    Component(
      "swift-atomics", "1.3.0", at: "6c7dbee0cc6840dffa75a29a46834d0714135e93",
      of: "apple/swift-atomics", under: .apacheWithSwiftException),
    Component(
      "swift-certificates", "1.21.1", at: "a65fde60dd48d7eb6a427dc0cc23b74bb051360a",
      of: "apple/swift-certificates", under: .apache),
    Component(
      "swift-collections", "1.6.0", at: "b9f4b3586ced378bbddc36a676d2aca082492ed9",
      of: "apple/swift-collections", under: .apacheWithSwiftException),
    Component(
      "swift-configuration", "1.4.0", at: "3bf6ec506fe6e3daeb65f9ddec52e906a255951c",
      of: "apple/swift-configuration", under: .apache, isLinked: false),
    Component(
      "swift-crypto", "4.5.2", at: "778f0d7e1c5105b97a115198b48b593d214fbcd1",
      of: "apple/swift-crypto", under: .apache),
    Component(
      "swift-distributed-tracing", "1.7.3", at: "eb61c2ef0c0a0eb092b8835e1fdabd5aa583c985",
      of: "apple/swift-distributed-tracing", under: .apache),
    Component(
      "swift-http-structured-headers", "1.7.0", at: "669ed934446c7d7a1489128ec25b043a8969d9ab",
      of: "apple/swift-http-structured-headers", under: .apache, isLinked: false),
    Component(
      "swift-http-types", "1.8.0", at: "c5022b87b2147f8ce312c72ca00ea0b3279ea236",
      of: "apple/swift-http-types", under: .apache),
    Component(
      "swift-log", "1.16.2", at: "c2cb5297956b2a95420f70d1f51e8dc4b4f94708",
      of: "apple/swift-log", under: .apache),
    Component(
      "swift-metrics", "2.13.0", at: "02299eb0b009b1161dfb2a4bf606fd4c67f54310",
      of: "apple/swift-metrics", under: .apache),
    Component(
      "swift-mustache", "2.1.1", at: "abb2a36166e229dc37517e14cac6cd34b534cb90",
      of: "hummingbird-project/swift-mustache", under: .apache),
    Component(
      "swift-nio", "2.101.2", at: "3398e4aaa6104439e99b3a73572f5b272b39e735",
      of: "apple/swift-nio", under: .apache),
    Component(
      "swift-nio-extras", "1.35.2", at: "07f2c690a470bbe26657270a1649528b612f6fd4",
      of: "apple/swift-nio-extras", under: .apache),
    Component(
      "swift-nio-http2", "1.46.0", at: "1a3ee02f038410190095431e7fc7cec4f7f37fd2",
      of: "apple/swift-nio-http2", under: .apache, isLinked: false),
    Component(
      "swift-nio-ssl", "2.37.6", at: "6a0b72b1711d3852295049005f43632b48a68f84",
      of: "apple/swift-nio-ssl", under: .apache, isLinked: false),
    Component(
      "swift-nio-transport-services", "1.28.0", at: "b1da444fa5db799b81176ad60366251f2ce1660d",
      of: "apple/swift-nio-transport-services", under: .apache, isLinked: false),
    Component(
      "swift-numerics", "1.1.1", at: "b9d67f8a676201a0a12c9ad876a0b50572aaf905",
      of: "apple/swift-numerics", under: .apacheWithSwiftException, isLinked: false),
    Component(
      "swift-service-context", "1.5.1", at: "8ed580e3cc6a586d7b45e6c8b18af1fc0e6af73c",
      of: "apple/swift-service-context", under: .apache),
    Component(
      "swift-service-lifecycle", "2.13.0", at: "965f555e29a4bbd6248008d58d38e5600c8f2436",
      of: "swift-server/swift-service-lifecycle", under: .apache),
    Component(
      "swift-system", "1.8.1", at: "a7b0cdcbe3928cc5501238df4756be9a5db11b83",
      of: "apple/swift-system", under: .apacheWithSwiftException),
    Component(
      "Yams", "6.2.2", at: "473e618fc72bf29741906dd2873cfd5892039c3e",
      of: "jpsim/Yams", under: .mit),
  ]

  /// What packages bring along in their own sources, in the version that they name there.
  static let vendored = [
    Component(
      "BoringSSL (swift-crypto)", "0226f30467f540a3f62ef48d453f93927da199b6",
      of: "https://boringssl.googlesource.com/boringssl", under: .apache),
    Component(
      "XKCP (swift-crypto)", "11297f5", of: "https://github.com/XKCP/XKCP", under: .publicDomain),
    Component("llhttp (swift-nio)", "9.3.0", of: "https://github.com/nodejs/llhttp", under: .mit),
    Component("LibYAML (Yams)", "0.2.5", of: "https://github.com/yaml/libyaml", under: .mit),
  ]

  /// What `make release` links in of the compiler that builds it, in the version that it tells of itself.
  static var runtime: [Component] {
    let version = "\(_SwiftStdlibVersion.current)".split(separator: ".").prefix(2)
      .joined(separator: ".")
    let source = "https://github.com/swiftlang/swift"
    return [
      Component(
        "Swift runtime, Foundation", version, of: source, under: .apacheWithSwiftException),
      Component(
        "ICU (Foundation)", version, of: "https://github.com/swiftlang/swift-foundation-icu",
        under: .unicode),
    ]
  }

  /// Libraries of the system, mended by its distribution: loaded when the program starts, and libcurl when
  /// the server is asked.
  static var system: [Component] {
    [
      Component(
        "SQLite", SQLiteFile.libraryVersion, of: "https://sqlite.org", under: .sqliteBlessing),
      Component(
        "libserialport", SerialPorts.libraryVersion, of: "https://sigrok.org/wiki/Libserialport",
        under: .lesserGeneral),
      Component(
        "libcurl", curlVersion ?? "missing", of: "https://curl.se/libcurl/", under: .curl),
    ]
  }
}
