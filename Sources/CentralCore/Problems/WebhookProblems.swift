import Events
public import Time

extension CentralFacts {
  /// What requests of a provider were refused for, since the last one that was taken.
  public struct Webhook: Hashable, Sendable {
    /// The path that the provider calls.
    public var path: String
    /// The reason that most of them had.
    public var kind: WebhookRefusal.Kind
    /// The same in words, of the last one.
    public var words: String
    /// How many were refused for it.
    public var count: Int
    /// When the first of these came.
    public var since: WallTime
    /// How long ago the last of these came.
    public var lastAgo: Duration

    /// What they were refused for.
    public init(
      path: String, kind: WebhookRefusal.Kind, words: String, count: Int, since: WallTime,
      lastAgo: Duration
    ) {
      self.path = path
      self.kind = kind
      self.words = words
      self.count = count
      self.since = since
      self.lastAgo = lastAgo
    }

    /// What somebody has to know: nothing while it may be somebody who tried a door, nor long after that.
    func problem(at now: WallTime) -> Problem? {
      guard count >= Limits.refusedInARow, lastAgo < Limits.refusedFor else { return nil }
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
}
