import ArgumentParser
import Control
import JSON

/// A command as its definition describes it: what its help, its manual page and its completions say.
struct CommandDescription: Hashable {
  /// An option, a flag or an argument.
  struct Argument: Hashable {
    /// How an argument stands on a command line.
    enum Kind: String, Hashable {
      case positional
      case option
      case flag
    }

    var kind: Kind
    /// With their dashes, as `--json`, `-h`; none for an argument without a name.
    var names: [String]
    var valueName: String
    var isOptional: Bool
    var isRepeating: Bool
    var defaultValue: String?
    /// The values there are; empty where they cannot be listed.
    var values: [String]
    var words: String
  }

  var name: String
  /// The commands above it: `checkpost`, `queue`.
  var parents: [String]
  var abstract: String
  var discussion: String
  var arguments: [Argument]
  var subcommands: [CommandDescription]

  /// Its name with those above it: `checkpost queue show`.
  var path: String { (parents + [name]).joined(separator: " ") }

  /// Its arguments without those that every command has.
  var ownArguments: [Argument] {
    arguments.filter { !["--help", "--version"].contains($0.names.last ?? "") }
  }

  /// The whole program, from its command definitions; the parser's own `help` is left out.
  static func program() throws(CommandFailure) -> CommandDescription {
    guard let value = JSONText.decode(Array(Checkpost._dumpHelp().utf8)),
      let command = value["command"].flatMap({ CommandDescription($0, parents: []) })
    else {
      throw CommandFailure(
        .system,
        "the commands do not describe themselves; this is a fault of checkpost, please report it")
    }
    return command
  }

  /// The description of a command; nil for what is none, or is not shown.
  init?(_ value: JSONValue, parents: [String]) {
    guard let name = value["commandName"]?.text, value["shouldDisplay"]?.flag != false else {
      return nil
    }
    self.name = name
    self.parents = parents
    abstract = value["abstract"]?.text ?? ""
    discussion = value["discussion"]?.text ?? ""
    arguments = (value["arguments"]?.list ?? []).compactMap { Argument($0) }
    let path = parents + [name]
    subcommands = (value["subcommands"]?.list ?? []).compactMap {
      CommandDescription($0, parents: path)
    }.filter { $0.name != "help" }
  }
}

extension CommandDescription.Argument {
  /// The description of an argument; nil for what is none, or is not shown.
  fileprivate init?(_ value: JSONValue) {
    guard let kind = value["kind"]?.text.flatMap(Kind.init), value["shouldDisplay"]?.flag != false
    else { return nil }
    self.kind = kind
    names = (value["names"]?.list ?? []).compactMap { name in
      guard let text = name["name"]?.text else { return nil }
      return (name["kind"]?.text == "long" ? "--" : "-") + text
    }
    valueName = value["valueName"]?.text ?? "value"
    isOptional = value["isOptional"]?.flag ?? false
    isRepeating = value["isRepeating"]?.flag ?? false
    defaultValue = value["defaultValue"]?.text
    values = (value["allValues"]?.list ?? []).compactMap(\.text)
    words = value["abstract"]?.text ?? ""
  }
}
