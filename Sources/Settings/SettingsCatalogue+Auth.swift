/// The settings of those who sign in at the central.
extension SettingsCatalogue {
  static let auth: [Setting] = {
    let section = SectionOfSettings("central.http.auth", \.central.http.auth)
    return [
      section.list(
        "key_files", \.keyFiles, .path, secret: true, reloads: true,
        "The keys of access tokens, a file each: a private key of P-256 or RSA in PEM (ES256, RS256), or a"
          + " secret of one line with 32 characters or more (HS256). The first signs, tokens of all are"
          + " taken. Empty, a secret is made beside the central's database, `token.key`."),
      section.text(
        "issuer", \.issuer, .any, reloads: true,
        "Who makes the tokens, as they say it; those of another are refused."),
      section.text(
        "email_domain", \.emailDomain, .host, reloads: true,
        "What stands behind a name that is no address: ram@bnp.local."),
      section.flag(
        "require_key", \.requireKey, reloads: true,
        "Refuse requests without a key in the header `apikey` (`checkpost central keys add`), also of those"
          + " who signed in."),
      section.duration(
        "token_lifetime", \.tokenLifetime, .seconds(60) ... .seconds(86_400), reloads: true,
        "How long an access token counts. An account that is disabled and a session that is ended are refused"
          + " at once all the same."),
      section.duration(
        "session_inactivity", \.sessionInactivity, .seconds(3_600) ... .seconds(3_650 * 86_400),
        reloads: true,
        "A session ends when nothing was asked for with it for so long; then the password begins another."
      ),
      section.duration(
        "session_lifetime", \.sessionLifetime, .seconds(3_600) ... .seconds(3_650 * 86_400),
        reloads: true, "A session ends so long after its sign-in, whatever is done with it."),
    ]
  }()
}
