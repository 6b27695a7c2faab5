/// What the library says of a connection: the server's code, where there is one, and one line.
struct LibraryWords: Hashable {
  var state: SQLState?
  var reason: String

  /// - Parameter text: What it says with all particulars: `connection to server at "db", port 5432 failed:
  ///   FATAL:  28P01: password authentication failed for user "checkpost"`, and a line of where in the source.
  ///   The word before the code depends on the server's language.
  init(_ text: String) {
    let lines = text.split(separator: "\n").map { $0.drop { $0 == " " || $0 == "\t" } }
    for line in lines {
      if let match = line.firstMatch(of: /: {2}([0-9A-Z]{5}): (.+)/),
        let state = SQLState(String(match.output.1))
      {
        self.state = state
        reason = String(match.output.2.prefix(Limits.messageCharacters))
        return
      }
    }
    let first = lines.first { !$0.isEmpty } ?? "the connection ended"
    reason = String(first.prefix(Limits.messageCharacters))
  }
}
