/// One setting: its name, its meaning, its range, and its place in ``Settings``.
///
/// The reader of the configuration file, the overrides by the environment, the shipped
/// `config/checkpost.yaml` and `checkpost config print` all work from these.
struct Setting: Sendable {
  /// The name with its sections: `node.sms.per_day`.
  let key: String
  /// What it is for.
  let words: String
  let form: SettingForm
  /// Whether it may be left open (`null`).
  let isOptional: Bool
  /// Whether its value is the path of a file with a secret in it.
  let namesSecret: Bool
  /// Whether a running service takes up a change of it on SIGHUP.
  let isReloadable: Bool
  let read: @Sendable (Settings) -> SettingValue
  let write: @Sendable (inout Settings, SettingValue) -> Void

  /// The sections it lies in: `node.sms`.
  var section: String {
    key.lastIndex(of: ".").map { String(key[..<$0]) } ?? ""
  }

  /// Its name within its section: `per_day`.
  var name: String {
    key.lastIndex(of: ".").map { String(key[key.index(after: $0)...]) } ?? key
  }

  /// The environment variable that overrides it: `CHECKPOST_NODE_SMS_PER_DAY`.
  var variable: String {
    "CHECKPOST_" + key.uppercased().map { $0 == "." ? "_" : String($0) }.joined()
  }

  /// The name under which systemd hands in the secret itself: `server.api_key`.
  var credential: String? {
    guard namesSecret, let end = key.range(of: "_file")?.lowerBound else { return nil }
    return String(key[..<end])
  }

  /// The values that are allowed, in words.
  var allowed: String {
    form.allowed + (isOptional ? ", or null" : "")
  }

  /// The value as it is when nothing was configured.
  var standard: SettingValue {
    read(Settings())
  }
}

extension String {
  /// Where `part` stands, without Foundation.
  fileprivate func range(of part: String) -> Range<String.Index>? {
    firstRange(of: part)
  }
}

/// A property of `Root`, named so that it can be handed between threads.
typealias Field<Root, Value> = any (WritableKeyPath<Root, Value> & Sendable)

/// Makes the settings of one section, each from the property it fills.
struct SectionOfSettings<Part> {
  let name: String
  let part: Field<Settings, Part>

  init(_ name: String, _ part: Field<Settings, Part>) {
    self.name = name
    self.part = part
  }

  func flag(
    _ name: String, _ field: Field<Part, Bool>, reloads: Bool = false,
    _ words: String
  ) -> Setting {
    setting(
      name, .flag, field, reloads, words, as: { .flag($0) },
      from: { if case .flag(let value) = $0 { value } else { nil } })
  }

  func integer(
    _ name: String, _ field: Field<Part, Int>, _ range: ClosedRange<Int>,
    reloads: Bool = false, _ words: String
  ) -> Setting {
    setting(
      name, .integer(range), field, reloads, words, as: { .integer($0) },
      from: { if case .integer(let value) = $0 { value } else { nil } })
  }

  func size(
    _ name: String, _ field: Field<Part, Int>, _ range: ClosedRange<Int>,
    reloads: Bool = false, _ words: String
  ) -> Setting {
    setting(
      name, .size(range), field, reloads, words, as: { .size($0) },
      from: { if case .size(let value) = $0 { value } else { nil } })
  }

  func duration(
    _ name: String, _ field: Field<Part, Duration>,
    _ range: ClosedRange<Duration>, reloads: Bool = false, _ words: String
  ) -> Setting {
    setting(
      name, .duration(range), field, reloads, words, as: { .duration($0) },
      from: { if case .duration(let value) = $0 { value } else { nil } })
  }

  func choice<Choice>(
    _ name: String, _ field: Field<Part, Choice>, reloads: Bool = false,
    _ words: String
  ) -> Setting
  where Choice: RawRepresentable<String> & CaseIterable & Sendable {
    setting(
      name, .choice(Choice.allCases.map(\.rawValue)), field, reloads, words,
      as: { .text($0.rawValue) },
      from: { if case .text(let value) = $0 { Choice(rawValue: value) } else { nil } })
  }

  func text(
    _ name: String, _ field: Field<Part, String>, _ rule: TextRule,
    reloads: Bool = false, _ words: String
  ) -> Setting {
    setting(
      name, .text(rule), field, reloads, words, as: { .text($0) },
      from: { if case .text(let value) = $0 { value } else { nil } })
  }

  /// A text that may be left open.
  func optional(
    _ name: String, _ field: Field<Part, String?>, _ rule: TextRule,
    secret: Bool = false, reloads: Bool = false, _ words: String
  ) -> Setting {
    setting(
      name, .text(rule), field, reloads, words, isOptional: true, secret: secret,
      as: { $0.map { .text($0) } ?? .null },
      from: { value -> String?? in
        switch value {
        case .text(let text): .some(text)
        case .null: .some(nil)
        default: nil
        }
      })
  }

  func list(
    _ name: String, _ field: Field<Part, [String]>, _ rule: TextRule,
    secret: Bool = false, reloads: Bool = false, _ words: String
  ) -> Setting {
    setting(
      name, .texts(rule), field, reloads, words, secret: secret, as: { .texts($0) },
      from: { if case .texts(let value) = $0 { value } else { nil } })
  }

  /// A list that may be written as its only entry, and left open.
  func oneOrMore(
    _ name: String, _ field: Field<Part, [String]>, _ rule: TextRule, reloads: Bool = false,
    _ words: String
  ) -> Setting {
    setting(
      name, .oneOrMore(rule), field, reloads, words, isOptional: true,
      as: { $0.isEmpty ? .null : $0.count == 1 ? .text($0[0]) : .texts($0) },
      from: { value in
        switch value {
        case .texts(let texts): texts
        case .text(let text): [text]
        case .null: []
        default: nil
        }
      })
  }

  private func setting<Value>(
    _ name: String, _ form: SettingForm, _ field: Field<Part, Value>,
    _ reloads: Bool, _ words: String, isOptional: Bool = false, secret: Bool = false,
    as wrap: @escaping @Sendable (Value) -> SettingValue,
    from unwrap: @escaping @Sendable (SettingValue) -> Value?
  ) -> Setting {
    let part = part
    return Setting(
      key: "\(self.name).\(name)", words: words, form: form, isOptional: isOptional,
      namesSecret: secret, isReloadable: reloads,
      read: { wrap($0[keyPath: part][keyPath: field]) },
      write: { settings, value in
        if let value = unwrap(value) {
          settings[keyPath: part][keyPath: field] = value
        }
      })
  }
}
