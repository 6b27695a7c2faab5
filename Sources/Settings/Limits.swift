/// The bounds of this module, in one place.
enum Limits {
  /// A configuration file, in bytes; the one that is shipped, with all its comments, needs a tenth.
  static let configurationBytes = 256 * 1_024

  /// A file that holds a secret, in bytes.
  static let secretBytes = 16 * 1_024

  /// Problems of one configuration that are listed; more come up when these are mended.
  static let listedProblems = 50

  /// Entries of a setting that is a list.
  static let listEntries = 64

  /// Public URLs that are tried against a provider's signature.
  static let publicURLs = 8

  /// Modems of a node.
  static let modems = 8

  /// Further numbers that each passage is texted to.
  static let recipients = 8

  /// One text value of the configuration, in bytes.
  static let settingTextBytes = 4_096

  /// Brackets that begin a list or a section in a configuration file.
  static let yamlBrackets = 500

  /// Columns before the first word of a line of a configuration file.
  static let yamlIndent = 200
}
