import EventLoop
import Yams

/// A configuration file: sections, settings, and the place of each.
///
/// The values are taken from the file as they are written, so that a phone number does not become
/// a number and `0012` keeps its zeros.
struct SettingsFile {
  private let path: String
  private let root: Node?

  /// Reads the file and its YAML; what the settings in it are is for ``apply(to:)``.
  init(path: String) throws(SettingsError) {
    self.path = path
    let bytes: [UInt8]
    do {
      bytes = try SmallFile.read(path, limit: Limits.configurationBytes).bytes
    } catch {
      switch error {
      case .missing: throw .missing(path: path)
      case .isDirectory: throw .isDirectory(path: path)
      case .tooLarge: throw .tooLarge(path: path)
      case .silentPipe:
        throw .unreadable(path: path, reason: "it is a pipe into which nobody writes")
      case .system(let reason, _): throw .unreadable(path: path, reason: reason)
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .notText(path: path)
    }
    root = try SettingsFile.compose(text, path)
  }

  private static func compose(_ text: String, _ path: String) throws(SettingsError) -> Node? {
    if let line = YAMLNesting.deepLine(yaml: text) {
      throw .notYAML(
        path: path, line: line, column: 1,
        reason: "it nests deeper than any configuration, or has more than"
          + " \(Limits.yamlBrackets) brackets")
    }
    let root: Node?
    do {
      root = try Yams.compose(yaml: text)
    } catch let error as YamlError {
      throw notYAML(error, path, text)
    } catch {
      throw .notYAML(path: path, line: 1, column: 1, reason: "\(error)")
    }
    guard let root, !isNull(root) else { return nil }
    guard case .mapping = root else {
      throw .notSections(path: path, found: kind(of: root))
    }
    return root
  }

  private static func notYAML(_ error: YamlError, _ path: String, _ text: String) -> SettingsError {
    switch error {
    case .scanner(let context, let problem, let mark, _),
      .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let before = context.map { "\($0.text) " } ?? ""
      return .notYAML(
        path: path, line: mark.line, column: mark.column, reason: before + problem)
    case .reader(let problem, let offset, _, _):
      // The offset counts bytes or characters, by the encoding libyaml chose; the line is what helps.
      let line = text.utf8.prefix(offset ?? 0).count { $0 == 0x0A } + 1
      return .notYAML(path: path, line: line, column: 1, reason: problem)
    case .duplicatedKeysInMapping(let duplicates, let context):
      let keys = duplicates.sorted().joined(separator: ", ")
      let line = duplicates.compactMap { repeated($0, in: text, from: context.mark.line) }.min()
      return .notYAML(
        path: path, line: line ?? context.mark.line, column: context.mark.column,
        reason: "\(keys) stands there more than once")
    case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
      return .notYAML(path: path, line: 1, column: 1, reason: "\(error)")
    }
  }

  /// The line on which a key stands for the second time in a section that begins on `line`; nil where
  /// the section is not written line by line.
  private static func repeated(_ key: String, in text: String, from line: Int) -> Int? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    func indent(_ line: Substring) -> Int { line.prefix { $0 == " " }.count }
    guard lines.indices.contains(line - 1) else { return nil }
    let depth = indent(lines[line - 1])
    let places = (line - 1..<lines.count).filter {
      indent(lines[$0]) == depth && lines[$0].dropFirst(depth).hasPrefix("\(key):")
    }
    return places.count > 1 ? places[1] + 1 : nil
  }

  /// Puts the file's settings in place, and returns what is wrong, in the order of the file.
  func apply(to loaded: inout LoadedSettings) -> [SettingProblem] {
    guard let root, case .mapping(let sections) = root else { return [] }
    var problems: [SettingProblem] = []
    apply(sections, section: "", to: &loaded, &problems)
    return problems
  }

  private func apply(
    _ mapping: Node.Mapping, section: String, to loaded: inout LoadedSettings,
    _ problems: inout [SettingProblem]
  ) {
    let names = SettingsCatalogue.names(in: section)
    for (nameNode, node) in mapping {
      let name = nameNode.scalar?.string ?? ""
      let key = section.isEmpty ? name : "\(section).\(name)"
      guard names.contains(name) else {
        problems.append(unknown(name, key, among: names, at: nameNode))
        continue
      }
      if key == ModemList.key {
        apply(modems: node, to: &loaded, &problems)
      } else if let setting = SettingsCatalogue.setting(key) {
        apply(node, to: setting, &loaded, &problems)
      } else if case .mapping(let inner) = node {
        apply(inner, section: key, to: &loaded, &problems)
      } else if !SettingsFile.isNull(node) {
        let inner = SettingsCatalogue.names(in: key).joined(separator: ", ")
        problems.append(
          SettingProblem(
            origin: origin(of: node), key: key,
            words: "is a section, and holds \(SettingsFile.kind(of: node))",
            remedy: "allowed in it: \(inner)"))
      }
    }
  }

  private func apply(
    _ node: Node, to setting: Setting, _ loaded: inout LoadedSettings,
    _ problems: inout [SettingProblem]
  ) {
    switch value(of: node, for: setting) {
    case .success(let value):
      setting.write(&loaded.settings, value)
      loaded.origins[setting.key] = origin(of: node)
    case .failure(let problem):
      problems.append(problem)
    }
  }

  func value(of node: Node, for setting: Setting) -> Result<SettingValue, SettingProblem> {
    func problem(_ words: String, at node: Node) -> Result<SettingValue, SettingProblem> {
      .failure(
        SettingProblem(
          origin: origin(of: node), key: setting.key, words: words,
          remedy: "allowed: \(setting.allowed)"))
    }
    if SettingsFile.isNull(node) {
      return setting.isOptional ? .success(.null) : problem("has no value", at: node)
    }
    if setting.form.isList {
      if case .oneOrMore = setting.form, let text = node.scalar?.string,
        let value = setting.form.value(of: text)
      {
        return .success(value)
      }
      guard case .sequence(let entries) = node else {
        if case .oneOrMore = setting.form { return problem(SettingsFile.shown(node), at: node) }
        return problem("is \(SettingsFile.kind(of: node))", at: node)
      }
      guard entries.count <= Limits.listEntries else {
        return problem("has more than \(Limits.listEntries) entries", at: node)
      }
      var texts: [String] = []
      for entry in entries {
        guard let text = entry.scalar?.string, case .texts = setting.form.value(of: text) else {
          return problem(SettingsFile.shown(entry), at: entry)
        }
        texts.append(text)
      }
      return .success(.texts(texts))
    }
    if case .text(.modemIdentity) = setting.form, case .mapping(let parts) = node {
      guard let text = SettingsFile.identity(parts), let value = setting.form.value(of: text) else {
        return problem("is a section that names no modem", at: node)
      }
      return .success(value)
    }
    guard let text = node.scalar?.string, let value = setting.form.value(of: text) else {
      return problem(SettingsFile.shown(node), at: node)
    }
    return .success(value)
  }

  /// The short form of an identity that is written as a section; nil when it has other parts.
  private static func identity(_ parts: Node.Mapping) -> String? {
    var words: [String: String] = [:]
    for (name, value) in parts {
      guard let name = name.scalar?.string, let value = value.scalar?.string else { return nil }
      words[name] = value
    }
    let numbers = words.removeValue(forKey: "usb")
    let interface = words.removeValue(forKey: "interface")
    guard numbers != nil || interface == nil else { return nil }
    let usb = [numbers, interface.map { $0.utf8.count == 1 ? "0\($0)" : $0 }]
    let short = [
      usb.compactMap { $0 }.joined(separator: ":"),
      words.removeValue(forKey: "serial").map { "serial=\($0)" } ?? "",
      words.removeValue(forKey: "imei").map { "imei=\($0)" } ?? "",
    ]
    return words.isEmpty ? short.filter { !$0.isEmpty }.joined(separator: " ") : nil
  }

  func unknown(_ name: String, _ key: String, among names: [String], at node: Node)
    -> SettingProblem
  {
    let closest = Spelling.closest(to: name, among: names)
    return SettingProblem(
      origin: origin(of: node), key: key, words: "there is no such setting",
      remedy: closest.map { "did you mean \($0)?" }
        ?? "allowed here: \(names.joined(separator: ", "))")
  }

  func origin(of node: Node) -> SettingOrigin {
    .file(path: path, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
  }

  static func isNull(_ node: Node) -> Bool {
    guard case .scalar(let scalar) = node, scalar.style == .plain || scalar.style == .any else {
      return false
    }
    return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
  }

  static func kind(of node: Node) -> String {
    switch node {
    case .scalar: "a single value"
    case .mapping: "a section"
    case .sequence: "a list"
    case .alias: "an alias"
    }
  }

  static func shown(_ node: Node) -> String {
    guard case .scalar(let scalar) = node else { return "is \(kind(of: node))" }
    return "\"\(TextRule.shown(scalar.string))\" is not allowed"
  }
}
