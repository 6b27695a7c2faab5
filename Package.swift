// swift-tools-version: 6.2
import PackageDescription

// Every target of ours is built alike: Swift 6 mode, the upcoming features that keep imports and
// existentials visible, and warnings as errors. Dependencies are not touched by these settings.
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

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = [])
  -> Target
{
  .testTarget(
    name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let lifecycle: Target.Dependency = .product(
  name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals: Target.Dependency = .product(
  name: "UnixSignals", package: "swift-service-lifecycle")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let httpClient: Target.Dependency = .product(name: "AsyncHTTPClient", package: "async-http-client")
let arguments: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")

// Products of packages that stand here for the sake of their versions alone. SwiftPM calls a package
// unused whose products no target names; one that is for another system is named, and never built.
let pinned: [Target.Dependency] = [
  versionOnly("Algorithms", of: "swift-algorithms"),
  versionOnly("SwiftASN1", of: "swift-asn1"),
  versionOnly("AsyncAlgorithms", of: "swift-async-algorithms"),
  versionOnly("Atomics", of: "swift-atomics"),
  versionOnly("X509", of: "swift-certificates"),
  versionOnly("DequeModule", of: "swift-collections"),
  versionOnly("Configuration", of: "swift-configuration"),
  versionOnly("Tracing", of: "swift-distributed-tracing"),
  versionOnly("StructuredFieldValues", of: "swift-http-structured-headers"),
  versionOnly("HTTPTypes", of: "swift-http-types"),
  versionOnly("Metrics", of: "swift-metrics"),
  versionOnly("NIOExtras", of: "swift-nio-extras"),
  versionOnly("NIOHTTP2", of: "swift-nio-http2"),
  versionOnly("NIOSSL", of: "swift-nio-ssl"),
  versionOnly("NIOTransportServices", of: "swift-nio-transport-services"),
  versionOnly("RealModule", of: "swift-numerics"),
  versionOnly("ServiceContextModule", of: "swift-service-context"),
  versionOnly("SystemPackage", of: "swift-system"),
]

func versionOnly(_ product: String, of package: String) -> Target.Dependency {
  .product(name: product, package: package, condition: .when(platforms: [.windows]))
}

let package = Package(
  name: "checkpost",
  products: [
    .executable(name: "checkpost", targets: ["checkpost"])
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
    .package(
      url: "https://github.com/swift-server/async-http-client", exact: "1.37.0", traits: []),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),

    // What only those use. Without these lines a build takes whatever is newest on its day.
    .package(url: "https://github.com/apple/swift-algorithms.git", exact: "1.2.1"),
    .package(url: "https://github.com/apple/swift-asn1.git", exact: "1.7.4"),
    .package(
      url: "https://github.com/apple/swift-async-algorithms.git", exact: "1.1.4", traits: []),
    .package(url: "https://github.com/apple/swift-atomics.git", exact: "1.3.0"),
    .package(url: "https://github.com/apple/swift-certificates.git", exact: "1.21.1"),
    .package(url: "https://github.com/apple/swift-collections.git", exact: "1.6.0", traits: []),
    .package(url: "https://github.com/apple/swift-configuration.git", exact: "1.4.0", traits: []),
    .package(url: "https://github.com/apple/swift-distributed-tracing.git", exact: "1.7.3"),
    .package(url: "https://github.com/apple/swift-http-structured-headers.git", exact: "1.7.0"),
    .package(url: "https://github.com/apple/swift-http-types.git", exact: "1.8.0", traits: []),
    .package(url: "https://github.com/apple/swift-metrics.git", exact: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio-extras.git", exact: "1.35.2"),
    .package(url: "https://github.com/apple/swift-nio-http2.git", exact: "1.46.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl.git", exact: "2.37.6"),
    .package(url: "https://github.com/apple/swift-nio-transport-services.git", exact: "1.28.0"),
    .package(url: "https://github.com/apple/swift-numerics.git", exact: "1.1.1"),
    .package(url: "https://github.com/apple/swift-service-context.git", exact: "1.5.1"),
    .package(url: "https://github.com/apple/swift-system.git", exact: "1.8.1"),
  ],
  targets: [
    // Layer 1: protocol and values. No input or output, no clock, no randomness, no task.
    target("Timing"),
    target("Chance"),
    target("Passages", ["Timing", crypto]),
    target("GSM", ["Timing"]),
    target("Tabular"),
    target("AT", ["Timing", "GSM"]),

    // Layer 2: decisions.
    target("NodeCore", ["Passages", "Timing", "Chance"]),
    target("CentralCore", ["Passages", "GSM", "Timing"]),
    target("ModemSession", ["AT", "GSM", "Timing"]),
    target("ModemPorts"),

    // Layer 3: drivers. Each wraps one C library or package. Of each other they use only what they
    // share: the event loop, and the file that both stores stand on.
    .systemLibrary(
      name: "CSerialPort", pkgConfig: "libserialport", providers: [.apt(["libserialport-dev"])]),
    .target(name: "CLinux"),
    target("EventLoop", ["Timing", "CLinux"]),
    target("SQLiteFile", ["Timing", grdb]),
    target("SerialPorts", ["ModemPorts", "EventLoop", "Timing", "CSerialPort", "CLinux"]),
    target("ModemDriver", ["ModemSession", "AT", "GSM", "EventLoop", "Timing"]),
    target("PassageStore", ["NodeCore", "Passages", "Timing", "SQLiteFile", grdb]),
    target("CentralStore", ["CentralCore", "Passages", "GSM", "Timing", "SQLiteFile", grdb]),
    target("Uplink", ["NodeCore", httpClient, nioCore, nioHTTP1]),

    // Layer 4: services.
    target("Operations", ["ModemPorts", "EventLoop", "Timing", crypto, logging, yams]),
    target(
      "NodeService",
      [
        "NodeCore", "PassageStore", "ModemSession", "EventLoop", "Operations", "Passages",
        "SQLiteFile", "Timing", "GSM",
      ]),
    target(
      "CentralService",
      [
        "CentralCore", "CentralStore", "EventLoop", "Operations", "Passages", "SQLiteFile",
        "Tabular",
        "Timing",
      ]),
    target(
      "HTTPAPI",
      [
        "CentralCore", "CentralService", "Operations", "Timing", crypto, hummingbird,
        hummingbirdCore, logging, lifecycle, nioCore, nioHTTP1,
      ]),

    // Test side, shipped: a modem and a mobile network as pure state machines, and their shell.
    target("ModemModel", ["AT", "GSM", "Timing", "Chance"]),
    target("ModemSimulator", ["ModemModel", "AT", "GSM", "EventLoop", "Timing"]),
    target(
      "SimulationKit",
      [
        "ModemModel", "ModemSession", "NodeCore", "NodeService", "PassageStore", "CentralCore",
        "CentralService", "CentralStore", "Passages", "SQLiteFile", "GSM", "Timing", "Chance",
      ]),

    // Layer 5: commands and the composition root.
    .executableTarget(
      name: "checkpost",
      dependencies: [
        "Timing", "Passages", "GSM", "AT", "Tabular", "NodeCore", "CentralCore", "ModemSession",
        "ModemPorts", "EventLoop", "SQLiteFile", "SerialPorts", "ModemDriver", "PassageStore",
        "CentralStore", "Uplink", "Operations", "NodeService", "CentralService", "HTTPAPI",
        "ModemModel", "ModemSimulator", "CLinux", arguments, logging, lifecycle, unixSignals,
      ] + pinned,
      // The example that the demo tells, so that it runs anywhere; links to config/examples.
      resources: [.embedInCode("Demo/Examples")],
      swiftSettings: settings),

    tests("TimingTests", ["Timing", "Chance"]),
    tests("ChanceTests", ["Chance"]),
    tests("TabularTests", ["Tabular", "Chance"]),
    tests("PassagesTests", ["Passages", "Timing", "Chance"]),
    tests("GSMTests", ["GSM", "Chance"]),
    tests("ATTests", ["AT", "Timing", "GSM", "Chance"]),
    tests("NodeCoreTests", ["NodeCore", "Passages", "Timing", "Chance"]),
    tests("CentralCoreTests", ["CentralCore", "Passages", "Timing", "Chance"]),
    tests("ModemSessionTests", ["ModemSession", "AT", "GSM", "Timing", "ModemModel", "Chance"]),
    tests("ModemPortsTests", ["ModemPorts"]),
    tests("EventLoopTests", ["EventLoop", "Timing"]),
    tests("SerialPortsTests", ["SerialPorts", "ModemPorts", "EventLoop", "Timing"]),
    tests(
      "ModemDriverTests",
      [
        "ModemDriver", "ModemSession", "ModemPorts", "SerialPorts", "ModemModel", "ModemSimulator",
        "EventLoop", "GSM", "Timing",
      ]),
    tests("SQLiteFileTests", ["SQLiteFile", "Timing", grdb]),
    tests(
      "PassageStoreTests",
      ["PassageStore", "NodeCore", "Passages", "SQLiteFile", "Timing", "Chance", grdb]),
    tests(
      "CentralStoreTests",
      ["CentralStore", "CentralCore", "Passages", "SQLiteFile", "Timing", "Chance", grdb]),
    tests(
      "NodeServiceTests",
      [
        "NodeService", "NodeCore", "PassageStore", "ModemSession", "ModemDriver", "EventLoop",
        "Operations", "Passages", "Timing", "GSM", logging,
      ]),
    tests(
      "CentralServiceTests",
      [
        "CentralService", "CentralStore", "CentralCore", "Operations", "Passages", "SQLiteFile",
        "Timing", "GSM", logging, grdb,
      ]),
    tests(
      "HTTPAPITests",
      [
        "HTTPAPI", "CentralService", "CentralStore", "CentralCore", "Operations", "Uplink",
        "NodeCore", "Passages", "Timing", logging, httpClient, nioCore,
      ]),
    tests("OperationsTests", ["Operations", "EventLoop", "Timing", "Chance", logging]),
    tests("ModemModelTests", ["ModemModel", "AT", "GSM", "Timing", "Chance"]),
    tests("SimulationTests", ["SimulationKit", "EventLoop"]),
    tests(
      "CommandTests",
      [
        "checkpost", "CentralCore", "CentralStore", "Chance", "EventLoop", "ModemPorts", "NodeCore",
        "Operations", "PassageStore", "SQLiteFile", "SerialPorts", "Timing",
      ]),
    tests("TidyTests", []),
  ]
)
