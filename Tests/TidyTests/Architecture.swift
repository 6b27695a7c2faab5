/// What stands in which layer, and what may be used there: the table that the sources are held to.
///
/// What is lower never knows what is higher. A target may use every target of a lower layer; what it
/// may use beside it and from outside is named here.
struct Architecture {
  struct Target {
    var layer: Int
    /// Targets of the same layer that it may use.
    var beside: Set<String> = []
    /// Modules of other packages and of the system that it may use.
    var outside: Set<String> = []
  }

  var targets: [String: Target]

  /// What this repository is.
  static let checkpost = Architecture(targets: [
    "Time": Target(layer: 1),
    "SeededRandom": Target(layer: 1),
    "Passages": Target(layer: 1, beside: ["Time"], outside: ["Crypto"]),
    "GSM": Target(layer: 1, beside: ["Time"]),
    "CSV": Target(layer: 1, beside: ["Text"]),
    "Text": Target(layer: 1),
    "Events": Target(layer: 1, beside: ["Time"]),
    "AT": Target(layer: 1, beside: ["GSM", "Time"]),
    "Storage": Target(layer: 1),
    "Mutants": Target(layer: 1),

    "NodeCore": Target(layer: 2),
    "CentralCore": Target(layer: 2),
    "Accounts": Target(layer: 2),
    "Evidence": Target(layer: 2, beside: ["CentralCore"]),
    "RestAPI": Target(layer: 2, beside: ["CentralCore"]),
    "ModemMakers": Target(layer: 2),
    "ModemSession": Target(layer: 2, beside: ["ModemMakers"]),
    "ModemDiscovery": Target(layer: 2, beside: ["ModemMakers"]),
    // For tests and shipped, and as pure as what it is tested with.
    "ModemModel": Target(layer: 2),

    "CLinux": Target(layer: 3),
    "CSerialPort": Target(layer: 3),
    "EventLoop": Target(layer: 3, beside: ["CLinux"], outside: ["Dispatch"]),
    "SQLiteFile": Target(layer: 3, beside: ["CLinux"], outside: ["GRDB", "GRDBSQLite"]),
    "SerialPorts": Target(layer: 3, beside: ["CLinux", "CSerialPort", "EventLoop"]),
    "JSON": Target(layer: 3, outside: ["FoundationEssentials"]),
    "ModemDriver": Target(layer: 3, beside: ["EventLoop"], outside: ["Crypto"]),
    "NodeSQLite": Target(
      layer: 3, beside: ["SQLiteFile"], outside: ["GRDB", "FoundationEssentials"]),
    "CentralSQLite": Target(
      layer: 3, beside: ["RestSQL", "SQLiteFile"],
      outside: ["Dispatch", "GRDB", "FoundationEssentials"]),
    "Tokens": Target(
      layer: 3, beside: ["EventLoop", "JSON"],
      outside: ["Crypto", "CryptoExtras", "FoundationEssentials", "JWTKit"]),
    "RestSQL": Target(layer: 3),
    "Supabase": Target(layer: 3, beside: ["JSON"]),
    "CCurl": Target(layer: 3),
    "ServerHTTP": Target(layer: 3, beside: ["CCurl", "EventLoop"]),
    "PhotoFiles": Target(layer: 3, beside: ["EventLoop"]),
    "EvidencePages": Target(layer: 3, outside: ["Mustache"]),
    "CPostgreSQL": Target(layer: 3),
    "PostgreSQL": Target(layer: 3, beside: ["CPostgreSQL", "EventLoop"]),
    "CentralPostgreSQL": Target(
      layer: 3, beside: ["EventLoop", "PostgreSQL", "RestSQL"], outside: ["Dispatch"]),
    "ModemSimulator": Target(layer: 3, beside: ["EventLoop"]),
    "ServerModel": Target(layer: 3, beside: ["JSON"]),
    "ServerSimulator": Target(layer: 3, beside: ["EventLoop", "ServerModel"]),
    "CSimulatedDisk": Target(layer: 3),
    "SimulatedDisk": Target(layer: 3, beside: ["CSimulatedDisk"]),

    "Settings": Target(layer: 4),
    "Log": Target(layer: 4, beside: ["Settings"]),
    "Control": Target(layer: 4),
    "NodeService": Target(layer: 4),
    "Forwarding": Target(layer: 4),
    "CentralService": Target(layer: 4, beside: ["Log"]),
    "HTTPServer": Target(layer: 4, beside: ["CentralService", "Log", "Settings"]),
    "PassageFiles": Target(layer: 4, beside: ["Settings"]),
    "Host": Target(
      layer: 4,
      beside: [
        "CentralService", "Control", "Forwarding", "HTTPServer", "Log", "NodeService",
        "PassageFiles", "Settings",
      ]),
    "Doctor": Target(layer: 4, beside: ["Control", "Host", "Settings"]),
    "Demo": Target(layer: 4, beside: ["Host", "Log", "NodeService", "Settings"]),
    "SimulationKit": Target(layer: 4, beside: ["CentralService", "NodeService"]),

    "checkpost": Target(layer: 5),
  ])

  /// Layers whose targets do nothing themselves: no input or output, no clock, no randomness, no task.
  static let pureLayers = 1...2

  /// Whether `target` is one of those.
  func isPure(_ target: String) -> Bool {
    targets[target].map { Architecture.pureLayers.contains($0.layer) } ?? false
  }

  /// What is wrong with `target` using `module`; nil when it may.
  func breach(of target: String, using module: String) -> String? {
    guard let user = targets[target] else {
      return "\(target) stands in no layer: give it one in Architecture.swift"
    }
    guard let used = targets[module] else {
      return breach(of: target, in: user, outside: module)
    }
    if used.layer < user.layer || user.beside.contains(module) {
      return nil
    }
    return "\(target) (layer \(user.layer)) uses \(module) (layer \(used.layer))"
  }

  private func breach(of name: String, in target: Target, outside module: String) -> String? {
    // TLS is the system's, which mends it, and a third of a build with a library of our own.
    if ["AsyncHTTPClient", "HummingbirdTesting", "NIOSSL"].contains(module) {
      return "\(name) uses \(module), which brings a TLS library along"
    }
    let everywhere: Set = ["Swift", "Synchronization"]
    if everywhere.contains(module) || target.outside.contains(module) {
      return nil
    }
    switch target.layer {
    case Architecture.pureLayers:
      return "\(name) (layer \(target.layer)) uses \(module) and may use nothing from outside"
    case 3 where module != "Glibc":
      return "\(name) (layer 3) uses \(module), which is another driver's"
    default:
      return nil
    }
  }
}
