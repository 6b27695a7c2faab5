/// The bounds of this module, in one place.
enum Limits {
  /// Marks that one letter of a foreign text is shown with; living scripts need up to four.
  static let marksOnALetter = 8
}
