/// The bounds of this module.
enum Limits {
  /// Bytes of a request's body; a text in Twilio's form has some 1,500.
  static let bodyBytes = 64 * 1_024

  /// Parameters of a form.
  static let parameters = 256

  /// Public URLs that are tried against a signature.
  static let publicURLs = 8
}
