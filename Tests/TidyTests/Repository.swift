import Foundation

/// A text file of this repository.
struct SourceFile: Sendable {
  /// The path from the root of the repository: `Sources/GSM/Limits.swift`.
  var path: String
  var text: String

  /// The lines as they are.
  var lines: [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The lines without their comments.
  var code: [Substring] {
    lines.map(SourceFile.withoutComment)
  }

  /// A line up to the `//` that stands in no string literal.
  static func withoutComment(_ line: Substring) -> Substring {
    guard line.utf8.contains(UInt8(ascii: "/")) else { return line }
    var isInString = false
    var previous: UInt8 = 0
    for index in line.utf8.indices {
      let byte = line.utf8[index]
      if byte == UInt8(ascii: "\""), previous != UInt8(ascii: "\\") {
        isInString.toggle()
      } else if byte == UInt8(ascii: "/"), previous == byte, !isInString {
        return line[..<line.utf8.index(before: index)]
      }
      previous = byte
    }
    return line
  }
}

/// This repository, found by the place of this very file.
enum Repository {
  static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Every text file below `folder`, in the order of their paths. What was built or fetched is left
  /// out, and so are the fuzzers' inputs, which are any bytes.
  static func files(below folder: String = "") throws -> [SourceFile] {
    let start = folder.isEmpty ? root : root.appending(path: folder)
    let keys: [URLResourceKey] = [.isRegularFileKey, .isSymbolicLinkKey]
    guard let walk = FileManager.default.enumerator(at: start, includingPropertiesForKeys: keys)
    else {
      throw RepositoryError.unreadable(start.path)
    }
    var files: [SourceFile] = []
    for case let url as URL in walk {
      let name = url.lastPathComponent
      if name.hasPrefix(".build") || leftOut.contains(name) {
        walk.skipDescendants()
        continue
      }
      let values = try url.resourceValues(forKeys: Set(keys))
      guard values.isRegularFile == true, values.isSymbolicLink != true else { continue }
      if let text = String(validating: try Data(contentsOf: url), as: UTF8.self) {
        files.append(SourceFile(path: String(url.path.dropFirst(root.path.count + 1)), text: text))
      }
    }
    guard !files.isEmpty else { throw RepositoryError.unreadable(start.path) }
    return files.sorted { $0.path < $1.path }
  }

  /// The Swift files below `folder`.
  static func swiftFiles(below folder: String) throws -> [SourceFile] {
    try files(below: folder).filter { $0.path.hasSuffix(".swift") }
  }

  /// One file by its path from the root.
  static func file(_ path: String) throws -> SourceFile {
    SourceFile(
      path: path, text: try String(contentsOf: root.appending(path: path), encoding: .utf8))
  }

  /// Whether there is a file or a folder at a path from the root.
  static func holds(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appending(path: path).path)
  }

  /// The targets, as their folders in `Sources` name them.
  static func targets() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Sources").path)
      .filter { !$0.hasPrefix(".") }.sorted()
  }

  /// Those of them that are written in Swift; the others only show a library in C.
  static func swiftTargets() throws -> [String] {
    try targets().filter { try !swiftFiles(below: "Sources/\($0)").isEmpty }
  }

  private static let leftOut: Set<String> = [".git", ".swiftpm", "Corpus"]
}

enum RepositoryError: Error {
  case unreadable(String)
}
