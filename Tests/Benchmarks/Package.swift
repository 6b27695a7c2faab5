// swift-tools-version: 6.2
import PackageDescription

// The benchmarks measure the very sources of the program, which is why the directories beside
// `Benchmarks` and `CFlush` are links to its own: the program's package has no library product, and
// a copy would measure something else. Settings and versions are those of the program's package.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

func target(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
// Named for the sake of its version alone, for a system that this is never built for.
let asn1: Target.Dependency = .product(
  name: "SwiftASN1", package: "swift-asn1", condition: .when(platforms: [.windows]))

let package = Package(
  name: "checkpost-benchmarks",
  dependencies: [
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    // What only swift-crypto uses, at the version of the program's package.
    .package(url: "https://github.com/apple/swift-asn1.git", exact: "1.7.4"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ],
  targets: [
    target("Time"),
    target("SeededRandom"),
    target("Passages", ["Time", crypto]),
    target("GSM", ["Time"]),
    target("AT", ["Time", "GSM"]),
    target("Storage"),
    target("Events", ["Time"]),
    target("Text"),
    target(
      "NodeCore",
      ["Events", "Passages", "GSM", "Storage", "Text", "Time", "SeededRandom"]),
    target("ModemMakers", ["AT", "GSM"]),
    target("ModemSession", ["Events", "ModemMakers", "AT", "GSM", "Time"]),
    target("ModemDiscovery", ["ModemMakers"]),
    .systemLibrary(
      name: "CSerialPort", pkgConfig: "libserialport", providers: [.apt(["libserialport-dev"])]),
    .target(name: "CLinux"),
    target("EventLoop", ["Time", "CLinux"]),
    target("SQLiteFile", ["Storage", "Time", "CLinux", grdb]),
    target("SerialPorts", ["ModemDiscovery", "EventLoop", "Time", "CSerialPort", "CLinux"]),
    target("ModemDriver", ["ModemSession", "AT", "GSM", "EventLoop", "Time", crypto]),
    target("NodeSQLite", ["NodeCore", "Passages", "GSM", "Time", "SQLiteFile", "Storage", grdb]),
    target(
      "NodeService",
      [
        "NodeCore", "ModemSession", "EventLoop", "Events", "Passages",
        "Storage", "Time", "GSM",
      ]),
    target("ModemModel", ["AT", "GSM", "Time", "SeededRandom"]),
    target("ModemSimulator", ["ModemModel", "AT", "GSM", "EventLoop", "Text", "Time"]),

    // Counts what is flushed to disk, and makes a flush as slow as on a memory card.
    .target(name: "CFlush"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "Time", "SeededRandom", "Passages", "GSM", "Events", "NodeCore", "ModemSession",
        "EventLoop",
        "SQLiteFile", "Storage",
        "SerialPorts", "ModemDriver", "NodeSQLite", "NodeService", "ModemModel",
        "ModemSimulator", "CFlush", crypto, grdb, asn1,
      ],
      swiftSettings: settings),
  ]
)
