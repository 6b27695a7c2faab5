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

/// Tests with what they use: our targets as words, and products.
func tests(
  _ name: String, _ targets: String = "", _ products: [Target.Dependency] = []
) -> Target {
  let ours = targets.split(separator: " ").map { Target.Dependency.byName(name: String($0)) }
  return .testTarget(name: name, dependencies: ours + products, swiftSettings: settings)
}

func product(_ name: String, _ package: String) -> Target.Dependency {
  .product(name: name, package: package)
}

let crypto = product("Crypto", "swift-crypto")
let cryptoExtras = product("CryptoExtras", "swift-crypto")
let jwtKit = product("JWTKit", "jwt-kit")
let grdb = product("GRDB", "GRDB.swift")
let grdbSQLite = product("GRDBSQLite", "GRDB.swift")
let yams = product("Yams", "Yams")
let logging = product("Logging", "swift-log")
let lifecycle = product("ServiceLifecycle", "swift-service-lifecycle")
let unixSignals = product("UnixSignals", "swift-service-lifecycle")
let hummingbird = product("Hummingbird", "hummingbird")
let hummingbirdCore = product("HummingbirdCore", "hummingbird")
let mustache = product("Mustache", "swift-mustache")
let arguments = product("ArgumentParser", "swift-argument-parser")
let nioCore = product("NIOCore", "swift-nio")
let nioHTTP1 = product("NIOHTTP1", "swift-nio")
let nioPosix = product("NIOPosix", "swift-nio")

// Products of packages that stand here for the sake of their versions alone. SwiftPM calls a package
// unused whose products no target names; one that is for another system is named, and never built.
// Hummingbird's tests use the first, and with it swift-nio-ssl; nothing of either is built.
let pinned: [Target.Dependency] = [
  "AsyncHTTPClient async-http-client", "Algorithms swift-algorithms", "SwiftASN1 swift-asn1",
  "AsyncAlgorithms swift-async-algorithms", "Atomics swift-atomics", "X509 swift-certificates",
  "DequeModule swift-collections", "Configuration swift-configuration",
  "Tracing swift-distributed-tracing", "StructuredFieldValues swift-http-structured-headers",
  "HTTPTypes swift-http-types", "Metrics swift-metrics", "NIOExtras swift-nio-extras",
  "NIOHTTP2 swift-nio-http2", "NIOSSL swift-nio-ssl",
  "NIOTransportServices swift-nio-transport-services", "RealModule swift-numerics",
  "ServiceContextModule swift-service-context", "SystemPackage swift-system",
].map { product in
  let words = product.split(separator: " ").map(String.init)
  return .product(
    name: words[0], package: words[1], condition: .when(platforms: [.windows]))
}

let package = Package(
  name: "checkpost",
  products: [
    .executable(name: "checkpost", targets: ["checkpost"])
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),

    // What only those use. Without these lines a build takes whatever is newest on its day.
    .package(
      url: "https://github.com/swift-server/async-http-client.git", exact: "1.37.0", traits: []),
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
    target("Time"),
    target("SeededRandom"),
    target("Passages", ["Time", crypto]),
    target("GSM", ["Time"]),
    target("Text"),
    target("CSV", ["Text"]),
    target("Events", ["Time"]),
    target("AT", ["Time", "GSM"]),
    target("Storage"),
    target("Mutants"),

    // Layer 2: decisions.
    target(
      "NodeCore",
      ["Events", "Mutants", "Passages", "GSM", "Storage", "Text", "Time", "SeededRandom"]),
    target("CentralCore", ["Events", "Passages", "GSM", "Storage", "Time"]),
    target("Accounts", ["Passages", "Storage", "Time"]),
    target("Evidence", ["CentralCore", "Passages", "Time"]),
    target("RestAPI", ["CSV", "CentralCore", "Passages", "Storage", "Time"]),
    target("ModemMakers", ["AT", "GSM"]),
    target("ModemSession", ["Events", "ModemMakers", "AT", "GSM", "Time"]),
    target("ModemDiscovery", ["ModemMakers"]),

    // Layer 3: drivers. Each wraps one C library or package. Of each other they use only what they
    // share: the event loop, and the file that both stores stand on.
    .systemLibrary(
      name: "CSerialPort", pkgConfig: "libserialport", providers: [.apt(["libserialport-dev"])]),
    .target(name: "CLinux"),
    target("EventLoop", ["Time", "CLinux"]),
    target("JSON", ["Text"]),
    target("SQLiteFile", ["Storage", "CLinux", grdb, grdbSQLite]),
    target("SerialPorts", ["ModemDiscovery", "EventLoop", "Time", "CSerialPort", "CLinux"]),
    target("ModemDriver", ["ModemSession", "AT", "GSM", "EventLoop", "Time", crypto]),
    target(
      "NodeSQLite",
      ["Mutants", "NodeCore", "Passages", "GSM", "Time", "SQLiteFile", "Storage", grdb]),
    target("RestSQL", ["Accounts", "CentralCore", "Passages", "RestAPI", "Storage", "Time"]),
    target(
      "CentralSQLite",
      [
        "Accounts", "CentralCore", "Passages", "RestAPI", "RestSQL", "GSM", "Time", "SQLiteFile",
        "Storage", grdb,
      ]),
    target("Tokens", ["Accounts", "EventLoop", "JSON", "Time", crypto, cryptoExtras, jwtKit]),
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl")]),
    target("Supabase", ["JSON", "NodeCore", "Passages", "Time"]),
    target("ServerHTTP", ["NodeCore", "EventLoop", "CCurl"]),
    target("PhotoFiles", ["NodeCore", "EventLoop", "Time"]),
    target("EvidencePages", ["Evidence", mustache]),
    .target(name: "CPostgreSQL", linkerSettings: [.linkedLibrary("dl")]),
    target("PostgreSQL", ["EventLoop", "CPostgreSQL", "SeededRandom", "Time"]),
    target(
      "CentralPostgreSQL",
      [
        "Accounts", "CentralCore", "EventLoop", "GSM", "Passages", "PostgreSQL", "RestAPI",
        "RestSQL", "SeededRandom", "Storage", "Time",
      ]),

    // Layer 4: services.
    target("Settings", ["ModemDiscovery", "EventLoop", "Events", "Text", "Time", yams]),
    target("Log", ["Settings", "JSON", "EventLoop", "Events", "Text", "Time", crypto, logging]),
    target("Control", ["JSON", "EventLoop", "Events", "Text", "Time"]),
    target(
      "NodeService",
      ["NodeCore", "ModemSession", "EventLoop", "Events", "Passages", "Storage", "Time", "GSM"]),
    target(
      "CentralService",
      ["CentralCore", "EventLoop", "Events", "Passages", "Storage", "GSM", "CSV", "Time"]),
    target(
      "Forwarding",
      [
        "CentralCore", "EventLoop", "Events", "NodeCore", "Passages", "SeededRandom", "Storage",
        "Supabase", "Time",
      ]),
    target(
      "HTTPServer",
      [
        "Accounts", "CentralCore", "CentralService", "EventLoop", "Events", "JSON", "Log",
        "Passages", "RestAPI", "Settings", "Storage", "Time", "Tokens", crypto, hummingbird,
        hummingbirdCore, logging, lifecycle, nioCore, nioHTTP1, nioPosix,
      ]),

    target(
      "PassageFiles",
      [
        "CSV", "EventLoop", "JSON", "NodeCore", "Passages", "PhotoFiles", "Settings", "Storage",
        "Text", "Time",
      ]),
    target(
      "Host",
      [
        "Accounts", "AT", "GSM", "ModemSession", "ModemDiscovery", "NodeCore", "CentralCore",
        "Passages", "Time", "Tokens", "EventLoop", "SQLiteFile", "Storage", "SerialPorts",
        "ModemDriver", "NodeSQLite", "CentralSQLite", "CentralPostgreSQL", "PostgreSQL",
        "ServerHTTP", "Settings", "Supabase", "Log", "Control", "Events", "JSON", "Text",
        "NodeService", "CentralService", "Forwarding", "HTTPServer", "CLinux", "PassageFiles",
        "PhotoFiles", "RestAPI", "SeededRandom", logging,
      ]),

    target(
      "Doctor",
      [
        "CentralCore", "Control", "EventLoop", "Events", "GSM", "Host", "JSON", "ModemDiscovery",
        "ModemDriver", "ModemSession", "NodeCore", "NodeSQLite", "SQLiteFile", "SerialPorts",
        "ServerHTTP", "Settings", "Storage", "Supabase", "Text", "Time",
      ]),

    // Test side, shipped: a modem and a mobile network as pure state machines, and their shell.
    target("ModemModel", ["AT", "GSM", "Time", "SeededRandom"]),
    target("ModemSimulator", ["ModemModel", "AT", "GSM", "EventLoop", "Text", "Time"]),
    // Test side: the server of a node as a value, and on a socket of this machine.
    target("ServerModel", ["JSON", "SeededRandom", "Time"]),
    target("ServerSimulator", ["ServerModel", "EventLoop", "Time"]),
    // Test side: a disk that loses what was not synced.
    .target(name: "CSimulatedDisk", linkerSettings: [.linkedLibrary("sqlite3")]),
    target("SimulatedDisk", ["CSimulatedDisk"]),
    target(
      "Demo",
      [
        "CentralCore", "EventLoop", "Events", "Host", "Log", "ModemModel", "ModemSession",
        "ModemSimulator", "NodeCore", "NodeService", "Settings", "Time",
      ]),
    target(
      "SimulationKit",
      [
        "ModemModel", "ModemSession", "NodeCore", "NodeService", "NodeSQLite", "CentralCore",
        "CentralService", "CentralSQLite", "ServerModel", "SimulatedDisk", "Supabase", "JSON",
        "Events", "Passages", "SQLiteFile", "Storage", "GSM", "Time", "SeededRandom",
      ]),

    // Layer 5: arguments and presentation.
    .executableTarget(
      name: "checkpost",
      dependencies: [
        "Time", "Passages", "GSM", "AT", "CSV", "NodeCore", "CentralCore", "ModemSession",
        "Accounts", "Tokens", "ModemDiscovery", "EventLoop", "SQLiteFile", "Storage",
        "CentralSQLite", "SerialPorts", "ModemDriver", "NodeSQLite", "CentralPostgreSQL",
        "PostgreSQL",
        "ServerHTTP", "Settings", "Log", "Control", "Events", "JSON", "Text", "CentralService",
        "HTTPServer", "Evidence", "EvidencePages", "Demo", "Doctor", "Host", "PassageFiles",
        "PhotoFiles", "ModemModel", "ModemSimulator", arguments, unixSignals,
      ] + pinned,
      // The example that the demo tells, so that it runs anywhere; links to config/examples.
      resources: [.embedInCode("Demo/Examples")],
      swiftSettings: settings),

    // What tests share: directories, disks, clocks, processes, sockets. Not shipped.
    .target(
      name: "TestSupport", dependencies: ["EventLoop", "Time"], path: "Tests/TestSupport",
      swiftSettings: settings),
    tests("TimeTests", "Time SeededRandom"),
    tests("SeededRandomTests", "SeededRandom"),
    tests("CSVTests", "CSV SeededRandom"),
    tests("PassagesTests", "Passages Time SeededRandom"),
    tests("GSMTests", "GSM SeededRandom"),
    tests("ATTests", "AT ModemMakers Time GSM SeededRandom"),
    tests("NodeCoreTests", "NodeCore GSM Events Passages Storage Time SeededRandom"),
    tests("CentralCoreTests", "CentralCore Events Passages GSM Storage Time SeededRandom"),
    tests("TokensTests", "Tokens Accounts EventLoop JSON Time", [crypto, cryptoExtras]),
    tests("EvidenceTests", "Evidence EvidencePages CentralCore Passages Time"),
    tests("AccountsTests", "Accounts Passages Storage Time SeededRandom"),
    tests("RestAPITests", "RestAPI RestSQL SeededRandom ServerModel Storage Time"),
    tests(
      "ModemMakersTests",
      "Events ModemMakers ModemSession ModemDiscovery ModemModel AT GSM Time"),
    tests(
      "ModemSessionTests",
      "Events ModemSession ModemMakers AT GSM Time ModemModel SeededRandom"),
    tests("ModemDiscoveryTests", "ModemDiscovery ModemMakers"),
    tests("EventLoopTests", "EventLoop CLinux Time TestSupport"),
    tests("SerialPortsTests", "SerialPorts ModemDiscovery EventLoop Time TestSupport"),
    tests(
      "ModemDriverTests",
      "ModemDriver ModemSession ModemDiscovery SerialPorts ModemModel ModemSimulator"
        + " EventLoop GSM Time TestSupport"),
    tests("StorageTests", "Storage"),
    tests("SQLiteFileTests", "SQLiteFile Storage Time TestSupport", [grdb]),
    tests(
      "NodeSQLiteTests",
      "NodeSQLite NodeCore Passages GSM SQLiteFile Storage Time SeededRandom TestSupport", [grdb]),
    // What every store of a node must do; each driver of one is named in it.
    tests("NodeStoreTests", "NodeCore NodeSQLite Passages GSM Storage Time TestSupport"),
    tests(
      "CentralStoreTests",
      "Accounts CentralPostgreSQL CentralSQLite CentralCore EventLoop Passages GSM PostgreSQL"
        + " RestAPI RestSQL SQLiteFile Storage Time SeededRandom TestSupport", [grdb]),
    tests(
      "ForwardingTests",
      "Forwarding CentralCore CentralSQLite EventLoop Events JSON NodeCore Passages"
        + " SeededRandom ServerHTTP ServerModel ServerSimulator Storage Supabase Time TestSupport"),
    tests(
      "NodeServiceTests",
      "NodeService NodeCore NodeSQLite ModemSession ModemDriver EventLoop Events Log JSON"
        + " Passages Storage Time GSM TestSupport", [logging]),
    tests(
      "CentralServiceTests",
      "CentralService CentralSQLite CentralCore Events Log Passages SQLiteFile Storage Time"
        + " GSM TestSupport", [logging, grdb]),
    tests("SupabaseTests", "Supabase JSON NodeCore Passages Time SeededRandom"),
    tests("ServerHTTPTests", "ServerHTTP Supabase EventLoop NodeCore Passages Time TestSupport"),
    tests("PostgreSQLTests", "PostgreSQL EventLoop RestAPI RestSQL SeededRandom Time TestSupport"),
    tests(
      "CentralPostgreSQLTests",
      "CentralPostgreSQL CentralCore EventLoop Passages PostgreSQL SeededRandom Storage Time"
        + " TestSupport"),
    tests("PhotoFilesTests", "PhotoFiles NodeCore EventLoop SeededRandom TestSupport Time"),
    tests(
      "HTTPServerTests",
      "Accounts HTTPServer CentralService CentralPostgreSQL CentralSQLite CentralCore Events Log"
        + " PostgreSQL RestAPI Settings ServerHTTP Supabase JSON EventLoop Storage Tokens"
        + " SeededRandom NodeCore Passages Time TestSupport",
      [crypto, hummingbird, logging, nioCore]),
    tests("TextTests", "Text JSON SeededRandom"),
    tests("JSONTests", "JSON SeededRandom"),
    tests(
      "SettingsTests",
      "Settings EventLoop Events ModemDiscovery Text Time SeededRandom TestSupport"),
    tests(
      "LogTests",
      "Log Settings EventLoop Events JSON Text Time SeededRandom TestSupport", [logging]),
    tests("ControlTests", "Control JSON EventLoop Events Time TestSupport"),
    tests(
      "HostTests",
      "Host Control EventLoop Events HTTPServer JSON Log NodeCore NodeSQLite PassageFiles"
        + " Passages PhotoFiles Settings Storage Time Tokens TestSupport", [crypto]),
    tests("ModemModelTests", "ModemModel AT GSM Time SeededRandom"),
    tests("ServerModelTests", "ServerModel JSON SeededRandom TestSupport Time"),
    tests(
      "ServerSimulatorTests",
      "ServerSimulator ServerModel ServerHTTP Supabase NodeCore Passages EventLoop JSON Time"
        + " TestSupport"),
    tests(
      "SimulatedDiskTests",
      "SimulatedDisk NodeSQLite NodeCore Passages SQLiteFile Storage Time TestSupport", [grdb]),
    tests("SimulationTests", "Mutants ServerModel SimulationKit TestSupport"),
    tests(
      "CommandTests",
      "Passages checkpost Doctor Host PassageFiles PhotoFiles CentralCore CentralSQLite"
        + " SeededRandom EventLoop ModemDiscovery NodeCore Settings Log Control Events JSON Text"
        + " NodeSQLite PostgreSQL SQLiteFile SerialPorts ServerModel ServerSimulator Storage Time"
        + " ModemSession TestSupport", [grdb]),
    tests("TidyTests"),

    // Measured as the program runs it. CFlush counts what is flushed to disk, and makes a flush as slow
    // as on a memory card.
    .target(name: "CFlush", path: "Tests/CFlush"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CentralCore", "CentralPostgreSQL", "CentralSQLite", "CFlush", "EventLoop", "Events", "GSM",
        "Host", "Log",
        "ModemDriver", "ModemModel", "ModemSession", "ModemSimulator", "NodeCore", "NodeSQLite",
        "NodeService", "Passages", "PostgreSQL", "SQLiteFile", "SeededRandom", "SerialPorts",
        "ServerHTTP",
        "ServerModel", "ServerSimulator", "Settings", "Storage", "Supabase", "Time", "HTTPServer",
        "TestSupport", hummingbird, logging, crypto, grdb,
      ],
      path: "Tests/Benchmarks", swiftSettings: settings),
    // Simulated days by the thousand, built for release.
    .executableTarget(
      name: "Simulations", dependencies: ["EventLoop", "Mutants", "SimulationKit"],
      path: "Tests/Simulations", swiftSettings: settings),
  ]
)
