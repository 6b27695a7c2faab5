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
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
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
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
  ],
  targets: [
    target("Timing"),
    target("Chance"),
    target("Passages", ["Timing", crypto]),
    target("GSM", ["Timing"]),
    target("AT", ["Timing", "GSM"]),
    target("NodeCore", ["Passages", "Timing", "Chance"]),
    target("ModemSession", ["AT", "GSM", "Timing"]),
    target("ModemPorts"),
    .systemLibrary(
      name: "CSerialPort", pkgConfig: "libserialport", providers: [.apt(["libserialport-dev"])]),
    .target(name: "CLinux"),
    target("EventLoop", ["Timing", "CLinux"]),
    target("SQLiteFile", ["Timing", grdb]),
    target("SerialPorts", ["ModemPorts", "EventLoop", "Timing", "CSerialPort", "CLinux"]),
    target("ModemDriver", ["ModemSession", "AT", "GSM", "EventLoop", "Timing"]),
    target("PassageStore", ["NodeCore", "Passages", "Timing", "SQLiteFile", grdb]),
    target("Operations", ["ModemPorts", "EventLoop", "Timing", crypto, logging, yams]),
    target(
      "NodeService",
      [
        "NodeCore", "PassageStore", "ModemSession", "EventLoop", "Operations", "Passages",
        "SQLiteFile", "Timing", "GSM",
      ]),
    target("ModemModel", ["AT", "GSM", "Timing", "Chance"]),
    target("ModemSimulator", ["ModemModel", "AT", "GSM", "EventLoop", "Timing"]),

    // Counts what is flushed to disk, and makes a flush as slow as on a memory card.
    .target(name: "CFlush"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "Timing", "Chance", "Passages", "GSM", "NodeCore", "ModemSession", "EventLoop",
        "SQLiteFile",
        "SerialPorts", "ModemDriver", "PassageStore", "NodeService", "ModemModel",
        "ModemSimulator", "CFlush", crypto, grdb, asn1,
      ],
      swiftSettings: settings),
  ]
)
