/// What came of asking the configured server whether it is there.
public enum ProbeResult: Hashable, Sendable {
  /// It gave an authenticated answer of the expected form.
  case authenticated
  /// Something answered, but not as our server does: a captive portal, a wrong key, an error page.
  case refused(reason: String)
  /// Nothing answered.
  case unreachable(reason: String)
}
