import ModemDiscovery

/// The few settings that a post or an office begins with, as a configuration file: what only its people
/// know, each below its meaning. Everything else keeps its default.
public struct StarterFile: Hashable, Sendable {
  /// The modem of a role.
  public struct Modem: Hashable, Sendable {
    /// `auto`, a path, or an identity such as `12d1:1506`.
    public var port = "auto"
    /// The file with the SIM's PIN, where it asks for one.
    public var pinFile: String?

    /// Whichever modem is plugged in, with a SIM that asks for nothing.
    public init() {}
  }

  /// Whether it is a checkpost's.
  public var isNode = false
  /// Whether it is an office's.
  public var isCentral = false
  /// The code of the post.
  public var post: String?
  /// The numbers to which the post texts.
  public var gateways: [String] = []
  /// The post's modem.
  public var modem = Modem()
  /// The office's modem.
  public var centralModem = Modem()
  /// Numbers and the post each speaks for: `+9779801234567=BNP-A`.
  public var numbers: [String] = []

  /// The name of the instance whose configuration it is; nil for the machine's first service. An instance has
  /// databases, a log and a socket of its own.
  public var instance: String?
  /// The port of its HTTP server, where 8080 is another service's; nil for the default.
  public var httpPort: Int?

  /// A file that says nothing yet.
  public init() {}

  /// The file.
  public var yaml: String {
    var page = SettingsPage(
      heading: """
        # checkpost: what this machine is and knows. Everything else has its default: `checkpost config
        # print` shows every setting with its meaning, `checkpost config check` reads this file as the
        # service does. A running service takes up the settings marked "(reloads)" when it is reloaded;
        # the others at its next start.

        """)
    let values = Dictionary(values + places, uniquingKeysWith: { $1 })
    for setting in SettingsCatalogue.settings {
      if let value = values[setting.key] { page.add(setting, value) }
    }
    return page.text
  }

  /// Where an instance keeps what is its own: the directories that its unit makes (`checkpost@.service`).
  private var places: [(key: String, value: SettingValue)] {
    guard let instance else { return [] }
    let state = "/var/lib/checkpost/\(instance)"
    var places: [(key: String, value: SettingValue)] = [
      ("log.file", .text("/var/log/checkpost/\(instance)/checkpost.jsonl")),
      ("log.mask_key_file", .text("\(state)/mask.key")),
      ("control.socket", .text("/run/checkpost-\(instance)/control.sock")),
    ]
    if isNode { places.append(("node.database", .text("\(state)/node.db"))) }
    if isCentral {
      places.append(("central.database", .text("\(state)/central.db")))
      places.append(("central.photos", .text("\(state)/passage-photos")))
      if let httpPort { places.append(("central.http.port", .integer(httpPort))) }
    }
    return places
  }

  /// What stands in it.
  private var values: [(key: String, value: SettingValue)] {
    var values: [(key: String, value: SettingValue)] = [
      ("roles.node", .flag(isNode)), ("roles.central", .flag(isCentral)),
    ]
    if isNode {
      values.append(("node.checkpost", post.map { .text($0) } ?? .null))
      switch gateways.count {
      case 0: values.append(("node.gateway", .null))
      case 1: values.append(("node.gateway", .text(gateways[0])))
      default: values.append(("node.gateway", .texts(gateways)))
      }
      values += StarterFile.values(of: modem, in: "modem")
    }
    if isCentral {
      values += StarterFile.values(of: centralModem, in: "central.modem")
      values.append(("central.ingress.numbers", .texts(numbers)))
    }
    return values
  }

  private static func values(
    of modem: Modem, in section: String
  ) -> [(key: String, value: SettingValue)] {
    var values: [(key: String, value: SettingValue)] = []
    if StarterFile.isPort(modem.port) {
      values.append(("\(section).port", .text(modem.port)))
    } else {
      values.append(("\(section).port", .text(PortSelector.automaticWord)))
      values.append(("\(section).identity", .text(modem.port)))
    }
    if let path = modem.pinFile { values.append(("\(section).pin_file", .text(path))) }
    return values
  }

  /// Whether it is `auto` or a path, and no identity.
  private static func isPort(_ text: String) -> Bool { TextRule.modemPort.allows(text) }

  /// Why a modem cannot be called so; nil when it can.
  public static func fault(ofModem text: String) -> String? {
    if isPort(text) || TextRule.modemIdentity.allows(text) { return nil }
    return "\(text): write \(TextRule.modemPort.allowed), or \(TextRule.modemIdentity.allowed)"
  }

  /// Why a setting cannot have a value; nil when it can.
  ///
  /// - Parameter key: The setting, such as `node.checkpost`.
  public static func fault(of text: String, for key: String) -> String? {
    guard let setting = SettingsCatalogue.setting(key), setting.form.value(of: text) == nil else {
      return nil
    }
    // Of a list one entry is asked for.
    let allowed =
      switch setting.form {
      case .oneOrMore(let rule), .texts(let rule): rule.allowed
      default: setting.form.allowed
      }
    return "\(text): write \(allowed)"
  }

  /// Whether a configuration file sets nothing: it is empty, has nothing but comments, or is the
  /// reference with every setting at its default.
  public static func setsNothing(_ text: String) -> Bool {
    if text == Settings.referenceYAML() { return true }
    return text.split(whereSeparator: \.isNewline).allSatisfy { line in
      let first = line.first { !$0.isWhitespace }
      return first == nil || first == "#"
    }
  }
}
