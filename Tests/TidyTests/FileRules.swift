/// Rules for single files.
enum FileRules {
  /// Lines that a Swift file may have.
  static let mostLines = 800

  /// What is wrong with a file's length; nil when nothing is.
  static func size(_ file: SourceFile) -> String? {
    let count = file.lines.count - 1
    return count > mostLines ? "\(file.path) has \(count) lines" : nil
  }

  /// What is wrong with how a file ends; nil when nothing is.
  static func ending(_ file: SourceFile) -> String? {
    if file.text.utf8.last != UInt8(ascii: "\n") {
      return "\(file.path) does not end with a newline"
    }
    if file.text.utf8.count > 1, file.text.hasSuffix("\n\n") {
      return "\(file.path) ends with an empty line"
    }
    return nil
  }

  /// What of the machine it was written on a file mentions; nil when it mentions nothing.
  static func outsideName(_ file: SourceFile) -> String? {
    // Put together here, so that this file does not mention them.
    let names = ["/" + "work/", "share" + "d/", "/ho" + "me/"]
    for name in names where file.text.contains(name) {
      return "\(file.path) mentions \(name)"
    }
    return nil
  }

  /// What is wrong with a target's overview; nil when nothing is.
  static func overview(of target: String, in file: SourceFile?) -> String? {
    let path = "Sources/\(target)/\(target).docc/\(target).md"
    guard let file else { return "\(path) is missing" }
    guard file.lines.first == "# ``\(target)``" else {
      return "\(path) does not start with the target's name"
    }
    return file.lines.count > 5 ? nil : "\(path) says nothing"
  }
}
