import Glibc
import Host
import JSON

/// `--version --verbose`: what is in the program. The parser answers `--version` alone, and takes no
/// option beside it.
struct VersionRequest {
  private let isJSON: Bool

  /// The request that these arguments are; nil when they are another one.
  init?(_ arguments: some Collection<String>) {
    let asked = Set(arguments)
    guard asked.count == arguments.count,
      asked.subtracting(["--json"]) == ["--version", "--verbose"]
    else { return nil }
    isJSON = asked.contains("--json")
  }

  /// How the program was built: `release for x86_64 Linux by Swift 6.3`.
  private static var build: String {
    #if DEBUG
      let kind = "debug"
    #else
      let kind = "release"
    #endif
    #if arch(x86_64)
      let machine = "x86_64"
    #elseif arch(arm64)
      let machine = "arm64"
    #else
      let machine = "another machine"
    #endif
    return "\(kind) for \(machine) Linux by Swift \(_SwiftStdlibVersion.current)"
  }

  /// Writes it to standard output.
  func answer() throws {
    let out = StandardOutput()
    if isJSON {
      try out.json(BillOfMaterials.value)
    } else {
      try out.line(Version.current)
      try out.line("build: \(VersionRequest.build)")
      let isColoured = Terminal.showsColours(STDOUT_FILENO)
      for (heading, components) in [
        ("built in", Component.packages + Component.vendored + Component.runtime),
        ("of this system", Component.system),
      ] {
        var table = TextTable([heading, "version", "licence", "from"])
        for component in components where component.isLinked {
          table.add([
            component.name, component.version, component.licence.rawValue, component.address,
          ])
        }
        try out.line("")
        try out.lines(table.lines(isColoured: isColoured))
      }
    }
    try out.flush()
  }
}

/// What the program is made of, in the form of CycloneDX 1.6 (ECMA-424), which scanners for known
/// weaknesses read. The same program is the same text: no time and no number of its own stand in it.
enum BillOfMaterials {
  static var value: JSONValue {
    let components = Component.packages + Component.vendored + Component.runtime
    let program = "pkg:generic/checkpost@\(Version.current)"
    return [
      "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
      "metadata": [
        "component": [
          "type": "application", "bom-ref": .text(program), "name": "checkpost",
          "version": .text(Version.current), "purl": .text(program),
          "licenses": [["license": ["id": .text(Component.Licence.apache.rawValue)]]],
        ]
      ],
      "components": .list(components.map(object)),
      "dependencies": [
        [
          "ref": .text(program),
          "dependsOn": .list(components.filter(\.isLinked).map { .text($0.packageURL) }),
        ]
      ],
    ]
  }

  private static func object(_ component: Component) -> JSONValue {
    var object: [String: JSONValue] = [
      "type": "library", "bom-ref": .text(component.packageURL), "name": .text(component.name),
      "version": .text(component.version), "purl": .text(component.packageURL),
      "scope": component.isLinked ? "required" : "excluded",
      "licenses": [licence(component.licence)],
      "externalReferences": [["type": "vcs", "url": .text(component.address)]],
    ]
    object["properties"] = component.revision.map {
      [["name": "checkpost:revision", "value": .text($0)]]
    }
    return .object(object)
  }

  private static func licence(_ licence: Component.Licence) -> JSONValue {
    switch licence {
    // An exception makes an expression of an identifier.
    case .apacheWithSwiftException: ["expression": .text(licence.rawValue)]
    default: ["license": ["id": .text(licence.rawValue)]]
    }
  }
}

extension Component {
  /// Where it comes from, for people.
  var address: String {
    source.contains("://") ? source : "https://github.com/\(source)"
  }

  /// Its package URL (https://github.com/package-url/purl-spec), by which scanners know it.
  var packageURL: String {
    guard source.contains("://") else { return "pkg:swift/github.com/\(source)@\(version)" }
    let onGitHub = "https://github.com/"
    if source.hasPrefix(onGitHub) {
      return "pkg:github/\(source.dropFirst(onGitHub.count).lowercased())@\(version)"
    }
    return "pkg:generic/\(source.split(separator: "/").last ?? "")@\(version)"
  }
}
