import Glibc
import Log

/// What is known of the terminal a command talks to.
enum Terminal {
  /// Whether the descriptor is a terminal.
  static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
  }

  /// Whether it shows colours: a terminal that is not dumb, and nobody set `NO_COLOR`
  /// (https://no-color.org).
  static func showsColours(
    _ descriptor: Int32, environment: [String: String] = ProcessEnvironment.all
  ) -> Bool {
    isTerminal(descriptor) && allowsColours(environment)
  }

  /// Whether the environment has nothing against colours.
  static func allowsColours(_ environment: [String: String]) -> Bool {
    (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }

  /// How the log looks there: its lines are broken on a terminal alone.
  static func look(_ descriptor: Int32) -> ConsoleLook {
    ConsoleLook(isColoured: showsColours(descriptor)) {
      isTerminal(descriptor) ? columns(descriptor) : nil
    }
  }

  /// Its width in columns; 80 when it does not tell.
  static func columns(_ descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// The columns into which lines are to fit; nil where it is no terminal, and a line may be of any length.
  static func room(_ descriptor: Int32) -> Int? {
    isTerminal(descriptor) ? columns(descriptor) : nil
  }

  /// Its height in rows; 24 when it does not tell.
  static func rows(_ descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return 24 }
    return Int(size.ws_row)
  }
}

/// The colours that results use, each with one meaning.
enum Colour: String {
  case good = "32"
  case warning = "33"
  case bad = "31"
  case strong = "1"
  case faint = "2"

  /// The text in this colour, or as it is; made safe in either case.
  func paint(_ text: String, if isColoured: Bool) -> ShownText {
    isColoured ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : ShownText(text)
  }
}

/// The environment of this process.
enum ProcessEnvironment {
  /// Every variable, as it was at the start.
  static let all: [String: String] = {
    var variables: [String: String] = [:]
    var entry = environ
    while let pointer = entry.pointee {
      let text = String(cString: pointer)
      if let sign = text.firstIndex(of: "=") {
        variables[String(text[..<sign])] = String(text[text.index(after: sign)...])
      }
      entry += 1
    }
    return variables
  }()
}
