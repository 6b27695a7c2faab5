import Foundation

/// A package of somebody else's at one version.
struct Pin: Hashable {
  /// What SwiftPM calls it: `swift-nio`.
  var identity: String
  var version: String
  /// The commit that the version stood for.
  var revision: String
}

/// What is said of the versions of other packages, and what was resolved.
enum Pins {
  /// The pins of a `Package.resolved`.
  static func resolved(_ file: SourceFile) throws -> Set<Pin> {
    struct Resolved: Decodable {
      struct Entry: Decodable {
        struct State: Decodable {
          var version: String?
          var revision: String
        }
        var identity: String
        var state: State
      }
      var pins: [Entry]
    }
    let resolved = try JSONDecoder().decode(Resolved.self, from: Data(file.text.utf8))
    return Set(
      resolved.pins.map {
        Pin(
          identity: $0.identity, version: $0.state.version ?? "none", revision: $0.state.revision)
      })
  }

  /// The versions that a manifest requires exactly, by identity.
  static func required(_ manifest: SourceFile) -> [String: String] {
    let text = manifest.code.joined(separator: "\n")
    var versions: [String: String] = [:]
    for match in text.matches(of: /\.package\(\s*url: "([^"]+)",\s*exact: "([^"]+)"/) {
      versions[identity(of: match.output.1)] = String(match.output.2)
    }
    return versions
  }

  /// The packages that a manifest lets float.
  static func floating(_ manifest: SourceFile) -> [String] {
    let text = manifest.code.joined(separator: "\n")
    let every = text.matches(of: /\.package\(\s*url: "([^"]+)"/).map { identity(of: $0.output.1) }
    let exact = required(manifest)
    return every.filter { exact[$0] == nil }
  }

  /// The packages that the program lists as its own parts.
  static func listed(_ file: SourceFile) -> [ListedPackage] {
    let row =
      /Component\(\s*"([^"]+)",\s*"([^"]+)",\s*at: "([0-9a-f]{40})",\s*of: "([^"]+)",\s*under: \.(\w+)(,\s*isLinked: false)?\)/
    return file.code.joined(separator: "\n").matches(of: row).map { match in
      ListedPackage(
        pin: Pin(
          identity: match.output.1.lowercased(), version: String(match.output.2),
          revision: String(match.output.3)),
        licence: String(match.output.5), isLinked: match.output.6 == nil)
    }
  }

  /// `https://github.com/apple/swift-nio.git` is `swift-nio`.
  private static func identity(of address: Substring) -> String {
    let name = address.split(separator: "/").last ?? ""
    return (name.hasSuffix(".git") ? name.dropLast(4) : name).lowercased()
  }
}

/// A package as the program lists it.
struct ListedPackage: Hashable {
  var pin: Pin
  /// The name of the licence in the list: `apache`.
  var licence: String
  /// Whether its code is in the program.
  var isLinked: Bool
}

/// What a build left on disk: the sources that were fetched, and what was linked.
struct BuildProducts {
  /// `.build/debug`, where this test itself was put.
  let folder: URL

  init() throws {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    folder = URL(filePath: program).deletingLastPathComponent()
  }

  /// Where a package's sources are.
  func checkout(_ identity: String) -> URL? {
    var place = folder
    while place.path != "/" {
      let checkouts = place.appending(path: "checkouts")
      let names = (try? FileManager.default.contentsOfDirectory(atPath: checkouts.path)) ?? []
      if let name = names.first(where: { $0.lowercased() == identity }) {
        return checkouts.appending(path: name)
      }
      place.deleteLastPathComponent()
    }
    return nil
  }

  /// The text of a package's licence.
  func licence(_ identity: String) throws -> String? {
    guard let checkout = checkout(identity) else { return nil }
    for name in ["LICENSE", "LICENSE.txt", "LICENSE.md"] {
      let place = checkout.appending(path: name)
      if FileManager.default.fileExists(atPath: place.path) {
        return try String(contentsOf: place, encoding: .utf8)
      }
    }
    return nil
  }

  /// The names of the modules whose objects are in the program.
  func linkedModules() throws -> Set<String> {
    let list = folder.appending(path: "checkpost.product/Objects.LinkFileList")
    let text = try String(contentsOf: list, encoding: .utf8)
    return Set(text.matches(of: /\/([A-Za-z0-9_]+)\.build\//).map { String($0.output.1) })
  }

  /// Whether one of a package's modules is among those.
  func isLinked(_ identity: String, _ modules: Set<String>) throws -> Bool {
    guard let checkout = checkout(identity) else { return false }
    // A module is called like its folder, which is in Sources or in none.
    let files = FileManager.default
    let folders = try ["", "Sources"].flatMap { name in
      let place = checkout.appending(path: name).path
      return files.fileExists(atPath: place) ? try files.contentsOfDirectory(atPath: place) : []
    }
    return !modules.isDisjoint(with: folders)
  }
}
