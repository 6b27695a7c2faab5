/// Where the value of a setting comes from.
public enum SettingOrigin: Hashable, Sendable {
  /// Nothing said otherwise.
  case standard
  /// It should stand in this file, and does not.
  case missing(path: String)
  /// The configuration file; line and column count from 1.
  case file(path: String, line: Int, column: Int)
  /// An environment variable.
  case environment(variable: String)
  /// A credential that systemd handed in.
  case credential(name: String)

  /// The origin in words, short enough to stand behind a value.
  public var words: String {
    switch self {
    case .standard, .missing: "default"
    case .file(let path, let line, _): "\(path):\(line)"
    case .environment(let variable): "environment \(variable)"
    case .credential(let name): "credential \(name)"
    }
  }

  /// The origin as the start of an error's line: `/etc/checkpost/checkpost.yaml:12:3`.
  var place: String {
    switch self {
    case .standard: "built-in defaults"
    case .missing(let path): path
    case .file(let path, let line, let column): "\(path):\(line):\(column)"
    case .environment(let variable): "environment \(variable)"
    case .credential(let name): "credential \(name)"
    }
  }
}
