import Yams

/// The setting `modems`: a list of sections, each a modem with a name.
enum ModemList {
  static let key = "modems"

  /// A modem as one line of YAML: its name, its prefixes, and what differs from the defaults.
  static func line(_ modem: Settings.NamedModem) -> String {
    var settings = Settings()
    let standard = settings
    settings.modem = modem.modem
    var parts = ["name: \(SettingValue.text(modem.name).yaml)"]
    if !modem.prefixes.isEmpty {
      parts.append("prefixes: \(SettingValue.texts(modem.prefixes).yaml)")
    }
    for setting in modemSettings where setting.read(settings) != setting.read(standard) {
      parts.append("\(setting.name): \(setting.read(settings).yaml)")
    }
    return "{" + parts.joined(separator: ", ") + "}"
  }

  /// The settings that each of them has: those of `modem`.
  static var modemSettings: [Setting] {
    SettingsCatalogue.settings.filter { $0.section == "modem" }
  }
}

extension SettingsFile {
  /// Takes the list of modems.
  func apply(
    modems node: Node, to loaded: inout LoadedSettings, _ problems: inout [SettingProblem]
  ) {
    func problem(_ words: String, _ remedy: String, at node: Node) {
      problems.append(
        SettingProblem(
          origin: origin(of: node), key: ModemList.key, words: words, remedy: remedy))
    }
    if SettingsFile.isNull(node) { return }
    guard case .sequence(let entries) = node else {
      problem(
        "is \(SettingsFile.kind(of: node))", "write a list, each with a name and a port", at: node)
      return
    }
    guard entries.count <= Limits.modems else {
      problem("has more than \(Limits.modems) entries", "remove some", at: node)
      return
    }
    var modems: [Settings.NamedModem] = []
    for (index, entry) in entries.enumerated() {
      guard case .mapping(let mapping) = entry else {
        problem(
          "holds \(SettingsFile.kind(of: entry))", "write a section with a name and a port",
          at: entry)
        continue
      }
      if let modem = modem(mapping, "\(ModemList.key)[\(index)]", at: entry, &problems) {
        modems.append(modem)
      }
    }
    loaded.settings.modems = modems
    loaded.origins[ModemList.key] = origin(of: node)
  }

  private func modem(
    _ mapping: Node.Mapping, _ place: String, at entry: Node, _ problems: inout [SettingProblem]
  ) -> Settings.NamedModem? {
    let section = SectionOfSettings(place, \.scratch)
    let own = [
      section.text("name", \.name, .modemName, "What it is called."),
      section.list("prefixes", \.prefixes, .phonePrefix, "How its numbers begin."),
    ]
    let all = own + ModemList.modemSettings
    var scratch = Settings()
    for (nameNode, node) in mapping {
      let name = nameNode.scalar?.string ?? ""
      guard let setting = all.first(where: { $0.name == name }) else {
        problems.append(
          unknown(name, "\(place).\(name)", among: all.map(\.name), at: nameNode))
        continue
      }
      switch value(of: node, for: setting) {
      case .success(let value): setting.write(&scratch, value)
      case .failure(var problem):
        problem.key = "\(place).\(name)"
        problems.append(problem)
      }
    }
    guard !scratch.scratch.name.isEmpty else {
      problems.append(
        SettingProblem(
          origin: origin(of: entry), key: "\(place).name", words: "is missing",
          remedy: "give the modem a name, such as north"))
      return nil
    }
    scratch.scratch.modem = scratch.modem
    return scratch.scratch
  }
}

extension Settings {
  /// A modem of the list while it is being read.
  fileprivate var scratch: NamedModem {
    get { modems.first ?? NamedModem(name: "", modem: Modem()) }
    set { modems = [newValue] }
  }
}
