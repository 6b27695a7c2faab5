import Foundation
import Testing

/// Every package that a build takes in stands at one version, also those that only other packages use:
/// two builds of one commit have the same code in them.
@Suite struct PinTests {
  private static let manifests = [
    "Package.swift", "Tests/Fuzzing/Package.swift",
  ]
  private static let list = "Sources/checkpost/Support/Components.swift"

  /// What SwiftPM wrote when it resolved the package for this build.
  private func resolved() throws -> Set<Pin> {
    try Pins.resolved(try Repository.file("Package.resolved"))
  }

  @Test(arguments: manifests) func nothingFloats(manifest: String) throws {
    #expect(Pins.floating(try Repository.file(manifest)) == [])
  }

  @Test func whatWasResolvedIsWhatIsRequired() throws {
    let required = Pins.required(try Repository.file("Package.swift"))
    let resolved = Dictionary(
      uniqueKeysWithValues: try resolved().map { ($0.identity, $0.version) })
    for (identity, version) in resolved.sorted(by: { $0.key < $1.key }) {
      #expect(required[identity] == version, "\(identity) \(version)")
    }
    #expect(Set(required.keys).subtracting(resolved.keys).sorted() == [], "nobody uses these")
  }

  /// The packages beside ours measure and fuzz what ours builds.
  @Test(arguments: manifests.dropFirst()) func theOthersTakeTheSame(manifest: String) throws {
    let ours = Pins.required(try Repository.file("Package.swift"))
    let theirs = Pins.required(try Repository.file(manifest))
    for (identity, version) in theirs {
      #expect(ours[identity] == version, "\(identity)")
    }
    let folder = manifest.replacing("Package.swift", with: "")
    let place = Repository.root.appending(path: folder + "Package.resolved")
    guard FileManager.default.fileExists(atPath: place.path) else { return }
    for pin in try Pins.resolved(try Repository.file(folder + "Package.resolved")) {
      #expect(theirs[pin.identity] == pin.version, "\(pin.identity) \(pin.version)")
    }
  }

  /// What `checkpost --version --verbose` and the bill of materials tell.
  @Test func theProgramListsWhatWasResolved() throws {
    let listed = Set(Pins.listed(try Repository.file(Self.list)).map(\.pin))
    let resolved = try resolved()
    #expect(resolved.subtracting(listed).map(\.identity).sorted() == [], "not listed so")
    #expect(listed.subtracting(resolved).map(\.identity).sorted() == [], "not resolved so")
  }

  @Test func theProgramListsWhatIsLinked() throws {
    let products = try BuildProducts()
    let modules = try products.linkedModules()
    for package in Pins.listed(try Repository.file(Self.list)) {
      #expect(
        try products.isLinked(package.pin.identity, modules) == package.isLinked,
        "\(package.pin.identity)")
    }
  }

  @Test func theProgramListsTheirLicences() throws {
    let products = try BuildProducts()
    for package in Pins.listed(try Repository.file(Self.list)) {
      let identity = package.pin.identity
      let text = try #require(try products.licence(identity), "\(identity) has no licence")
      #expect(Licences.name(of: text) == package.licence, "\(identity)")
    }
  }

  /// What packages bring along in their sources has no version of its own in `Package.resolved`.
  @Test func theProgramListsTheirTLSLibraries() throws {
    let list = try Repository.file(Self.list).text
    for (package, folder) in [("swift-crypto", "CCryptoBoringSSL")] {
      let checkout = try #require(try BuildProducts().checkout(package))
      let note = try String(
        contentsOf: checkout.appending(path: "Sources/\(folder)/hash.txt"), encoding: .utf8)
      let revision = try #require(note.firstMatch(of: /[0-9a-f]{40}/)).output
      #expect(list.contains(revision), "\(package) has BoringSSL \(revision)")
    }
  }
}

/// The licences that packages come under, as the program's list names them.
enum Licences {
  static func name(of text: String) -> String? {
    let text = text.split { $0.isWhitespace }.joined(separator: " ")
    if text.contains("Permission is hereby granted, free of charge, to any person obtaining") {
      return "mit"
    }
    guard text.contains("Apache License Version 2.0, January 2004") else { return nil }
    return text.contains("Runtime Library Exception") ? "apacheWithSwiftException" : "apache"
  }
}

@Suite struct PinCheckerTests {
  private func manifest(_ text: String) -> SourceFile {
    SourceFile(path: "Package.swift", text: text)
  }

  @Test func requirementsAreRead() {
    let file = manifest(
      """
      .package(url: "https://github.com/apple/swift-nio", exact: "2.0.1"),
      .package(
        url: "https://github.com/groue/GRDB.swift.git", exact: "7.0.0", traits: []),
      .package(url: "https://github.com/apple/swift-log", from: "1.0.0"),
      // .package(url: "https://github.com/apple/swift-old", exact: "1.0.0"),
      """)
    #expect(Pins.required(file) == ["swift-nio": "2.0.1", "grdb.swift": "7.0.0"])
    #expect(Pins.floating(file) == ["swift-log"])
  }

  @Test func pinsAreRead() throws {
    let file = SourceFile(
      path: "Package.resolved",
      text: """
        {"pins": [
          {"identity": "a", "state": {"revision": "r", "version": "1.0.0"}},
          {"identity": "b", "state": {"revision": "s", "branch": "main"}}
        ], "version": 3}
        """)
    #expect(
      try Pins.resolved(file) == [
        Pin(identity: "a", version: "1.0.0", revision: "r"),
        Pin(identity: "b", version: "none", revision: "s"),
      ])
  }

  @Test func theListIsRead() {
    let revision = String(repeating: "a", count: 40)
    let file = SourceFile(
      path: "Components.swift",
      text: """
        Component(
          "GRDB.swift", "7.10.0", at: "\(revision)",
          of: "groue/GRDB.swift", under: .mit),
        Component("b", "1", at: "\(revision)", of: "c/b", under: .apache, isLinked: false),
        """)
    #expect(
      Pins.listed(file) == [
        ListedPackage(
          pin: Pin(identity: "grdb.swift", version: "7.10.0", revision: revision),
          licence: "mit", isLinked: true),
        ListedPackage(
          pin: Pin(identity: "b", version: "1", revision: revision), licence: "apache",
          isLinked: false),
      ])
  }

  @Test func licencesAreTold() {
    #expect(
      Licences.name(
        of: "MIT\nPermission is hereby granted, free of charge, to any person obtaining") == "mit")
    #expect(Licences.name(of: "Apache License\n  Version 2.0, January 2004") == "apache")
    #expect(
      Licences.name(of: "Apache License\n Version 2.0, January 2004\n ## Runtime Library Exception")
        == "apacheWithSwiftException")
    #expect(Licences.name(of: "GNU GENERAL PUBLIC LICENSE") == nil)
  }
}
