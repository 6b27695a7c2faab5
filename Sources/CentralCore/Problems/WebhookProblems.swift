import Events
import Time

extension WebhookTally {
  /// What somebody has to know: nothing while it may be somebody who tried a door, nor long after that.
  func problem(at now: WallTime) -> Problem? {
    guard count >= Limits.refusedInARow, now - last < Limits.refusedFor else { return nil }
    return Problem(
      "webhook_refused", .critical, of: path,
      "central: every text that came by \(path) is refused (\(count) in a row): \(words)",
      count: count, remedy: remedy, since: since)
  }

  private var remedy: String {
    switch kind {
    case .off: "name the provider's URL in central.twilio.public_urls, or have it call no more"
    case .method: "have the provider call by POST"
    case .signature:
      "compare central.twilio.public_urls with the URL at the provider, sign by sign, and put the"
        + " token that it signs with into central.twilio.auth_token_files; a proxy must not take the"
        + " signature's header away. If the provider calls somewhere else, somebody tries the door"
    case .parameters:
      "compare central.twilio.account_sid and central.twilio.to with the account at the provider"
    case .contentType, .form: "have the provider send forms (application/x-www-form-urlencoded)"
    case .body, .storage, .crowded: "see by `checkpost log --event \(kind.rawValue)` what comes"
    }
  }
}
