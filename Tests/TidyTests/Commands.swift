/// The program's commands, read from where they are declared.
struct Commands {
  private struct Declared {
    var name: String
    var children: [String]
  }

  private var declared: [String: Declared] = [:]

  /// Reads every `struct X: …Command` with its `commandName` and its `subcommands`.
  init(_ files: [SourceFile]) {
    let start = /struct (\w+): (?:Async)?ParsableCommand/
    for file in files {
      let text = file.code.joined(separator: "\n")
      let starts = text.matches(of: start)
      for (index, match) in starts.enumerated() {
        let end = index + 1 < starts.count ? starts[index + 1].range.lowerBound : text.endIndex
        let body = text[match.range.upperBound..<end]
        let type = String(match.output.1)
        let name = body.firstMatch(of: /commandName: "([a-z-]+)"/)?.output.1
        let list = body.firstMatch(of: /subcommands: \[([^\]]*)\]/)?.output.1 ?? ""
        // A command without a name of its own is called like its type.
        declared[type] = Declared(
          name: name.map(String.init) ?? type.lowercased(),
          children: list.matches(of: /(\w+)\.self/).map { String($0.output.1) })
      }
    }
  }

  /// The commands below the one declared by `type`, and theirs: `["queue", "queue list"]`.
  func paths(below type: String, levels: Int = 2) -> [String] {
    guard levels > 0, let parent = declared[type] else { return [] }
    return parent.children.flatMap { child in
      guard let name = declared[child]?.name else { return ["(\(child) is not found)"] }
      return [name] + paths(below: child, levels: levels - 1).map { "\(name) \($0)" }
    }
  }
}

/// The commands that a table in the README names, in the same form.
enum CommandTable {
  static func paths(_ readme: SourceFile) -> [String] {
    var isInside = false
    var paths: [String] = []
    for line in readme.lines {
      let cells = line.split(separator: "|").map { $0 }
      if line.hasPrefix("| command |") {
        isInside = true
      } else if !line.hasPrefix("|") {
        isInside = false
      } else if isInside, cells.count >= 2, !line.hasPrefix("|--") {
        paths += row(cells[0], cells[1])
      }
    }
    return paths
  }

  /// `sms encode` in the first cell stands for itself and its parent; words in the second cell that
  /// look like commands stand for what is below the first.
  private static func row(_ command: Substring, _ words: Substring) -> [String] {
    let named = command.matches(of: /`([a-z -]+)`/).map { String($0.output.1) }
    var paths = named
    for name in named {
      if let parent = name.split(separator: " ").first, parent != name[...] {
        paths.append(String(parent))
      }
    }
    if let only = named.first, named.count == 1 {
      paths += words.matches(of: /`([a-z]+)`/).map { "\(only) \($0.output.1)" }
    }
    return paths
  }
}
