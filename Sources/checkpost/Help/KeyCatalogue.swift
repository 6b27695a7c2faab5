/// What the keys of `--json` mean, command by command. Keys never change their meaning; new ones come
/// beside them.
enum KeyCatalogue {
  /// The keys of some commands.
  struct Group: Hashable {
    /// The commands.
    var title: String
    var keys: [Key]
  }

  /// One key.
  struct Key: Hashable {
    var name: String
    /// What it means, in one line.
    var words: String
  }

  /// The keys, by the commands that print them.
  static let groups: [Group] = ofThePost + ofTheOffice + ofAccounts + ofKeeping
}

extension KeyCatalogue {
  /// A group from its lines: a key, a space, what it means.
  static func group(_ title: String, _ lines: String) -> Group {
    Group(
      title: title,
      keys: lines.split(separator: "\n").map { line in
        let name = line.prefix { $0 != " " }
        return Key(name: String(name), words: String(line.dropFirst(name.count + 1)))
      })
  }
}
