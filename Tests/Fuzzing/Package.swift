// swift-tools-version: 6.2
import PackageDescription

// Fuzzers for everything that reads bytes from outside. They run the very sources of the program,
// which is why the directories beside the fuzzers are links to its own, and they are a package of
// their own, because libFuzzer's flags must not touch the program. `run` builds and runs them.
let sanitizers: [String] = ["-sanitize=fuzzer,address"]

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
  .unsafeFlags(sanitizers),
]

func target(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func fuzzer(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies + ["FuzzSupport"],
    swiftSettings: settings,
    linkerSettings: [.unsafeFlags(sanitizers)])
}

let package = Package(
  name: "checkpost-fuzzing",
  dependencies: [
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    // What only swift-crypto uses, at the version of the program's package.
    .package(url: "https://github.com/apple/swift-asn1.git", exact: "1.7.4"),
  ],
  targets: [
    target("Time"),
    target("Events", ["Time"]),
    target("GSM", ["Time"]),
    target("AT", ["Time", "GSM"]),
    target("ModemMakers", ["AT", "GSM"]),
    target("ModemSession", ["Events", "ModemMakers", "AT", "GSM", "Time"]),
    target("Text"),
    target("CSV", ["Text"]),
    target("JSON", ["Text"]),
    target("Storage"),
    target("Mutants"),
    target("SeededRandom"),
    target(
      "Passages",
      [
        "Time", .product(name: "Crypto", package: "swift-crypto"),
        // For the sake of its version alone, for a system that this is never built for.
        .product(
          name: "SwiftASN1", package: "swift-asn1", condition: .when(platforms: [.windows])),
      ]),
    target(
      "NodeCore",
      ["Events", "Mutants", "Passages", "GSM", "Storage", "Text", "Time", "SeededRandom"]),
    target("Supabase", ["JSON", "NodeCore", "Passages", "Time"]),
    .target(name: "CFuzzer"),
    target("FuzzSupport", ["CFuzzer"]),
    fuzzer("FuzzDialogue", ["ModemMakers", "AT", "Time"]),
    fuzzer("FuzzAnswers", ["ModemMakers", "AT", "GSM"]),
    fuzzer("FuzzSession", ["ModemSession", "AT", "Time"]),
    fuzzer("FuzzTrace", ["AT"]),
    fuzzer("FuzzPDU", ["GSM"]),
    fuzzer("FuzzV1", ["Passages"]),
    fuzzer("FuzzH1", ["Passages"]),
    fuzzer("FuzzReplies", ["Supabase", "NodeCore", "Passages", "Time"]),
    fuzzer("FuzzPhotos", ["NodeCore"]),
    fuzzer("FuzzCSV", ["CSV"]),
    // The form's sources are linked into the fuzzer's own module: they are not public.
    fuzzer("FuzzForm", []),
  ]
)
