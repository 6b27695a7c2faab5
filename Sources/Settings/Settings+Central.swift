extension Settings {
  /// The office that receives.
  public struct Central: Hashable, Sendable {
    /// What keeps posts, rangers, passages and the inbox.
    public var store = CentralStoreKind.sqlite
    /// The path of the SQLite file with posts, rangers, passages and the inbox.
    public var database = "/var/lib/checkpost/central.db"
    /// The directory of the photographs that posts hand in.
    public var photos = "/var/lib/checkpost/passage-photos"
    /// The PostgreSQL database, where there is one.
    public var postgresql = PostgreSQL()
    /// Another server that gets the passages.
    public var forward = Forward()
    /// How far the moment in a text may lie from the moment of its receipt.
    public var clockWindow = ClockWindow()
    /// The modem on which texts are received.
    public var modem = Modem()
    /// Where to listen for HTTP.
    public var http = HTTP()
    /// Texts that a provider hands in by HTTP.
    public var twilio = Twilio()
    /// Whose texts count as passages.
    public var ingress = Ingress()
    /// By which numbers passages are judged.
    public var judging = Judging()
    /// How long a passage is kept.
    public var keep: Duration = .seconds(365 * 86_400)
    /// How long a violation waits for a post that does not report.
    public var provisionalFor: Duration = .seconds(24 * 3_600)
    /// Kilometres an hour that no vehicle reaches.
    public var fastest = 200
    /// After how long without any word a post counts as silent; zero for never.
    public var silentAfter: Duration = .seconds(24 * 3_600)
  }

  /// What keeps a central's posts, rangers, passages and inbox.
  public enum CentralStoreKind: String, CaseIterable, Hashable, Sendable {
    /// One SQLite file of one service.
    case sqlite
    /// A PostgreSQL database, which several services may share.
    case postgresql
  }

  /// By which numbers passages are judged.
  public struct Judging: Hashable, Sendable {
    /// Within which time two rangers write one passage down.
    public var rangerWindow: Duration = .seconds(60)
    /// How long after an entry the next passage at the other end is its exit.
    public var pairingWindow: Duration = .seconds(72 * 3_600)
    /// `Banepa=48h`: on this segment it is another one.
    public var pairingWindows: [String] = []
    /// Beyond which time a stay is looked at by a person.
    public var longStay: Duration = .seconds(12 * 3_600)
  }

  /// Another server that gets the passages that the central recognises.
  public struct Forward: Hashable, Sendable {
    /// The file with the key that is shown there.
    public var keyFile: String?
  }

  /// A PostgreSQL database of the central.
  public struct PostgreSQL: Hashable, Sendable {
    /// Where it is, as libpq names it; without its password.
    public var connection: String?
    /// The file with its password.
    public var passwordFile: String?
    /// How many connections a service keeps to it.
    public var connections = 6
    /// How the tables that grow fastest are kept.
    public var partitions = Partitions.none

    /// How tables of PostgreSQL are kept.
    public enum Partitions: String, CaseIterable, Hashable, Sendable {
      /// Each whole.
      case none
      /// In a partition for each month.
      case month
    }
  }

  /// How far the moment in a text may lie from the moment of its receipt.
  public struct ClockWindow: Hashable, Sendable {
    /// How old a passage may be when its text comes.
    public var past: Duration = .seconds(72 * 3_600)
    /// How far a post's clock may be ahead.
    public var future: Duration = .seconds(120)
  }

  /// Texts that a provider hands in by HTTP in Twilio's form.
  public struct Twilio: Hashable, Sendable {
    /// The URLs under which the provider calls, exactly as they are configured there.
    public var publicURLs: [String] = []
    /// The token in use, and during a change of tokens the other one.
    public var authTokenFiles: [String] = []
    /// The account, to which every text must belong; nil takes those of any.
    public var accountSID: String?
    /// Our number, to which every text must be addressed; nil takes those to any.
    public var to: String?
  }

  /// Whose texts count.
  public enum IngressMode: String, CaseIterable, Hashable, Sendable {
    /// Anybody's.
    case open
    /// Those of a number that is bound to the post which the text names.
    case allowlist
  }

  /// What the number of a sender proves.
  public enum IngressTrust: String, CaseIterable, Hashable, Sendable {
    /// Nothing, as it can be forged.
    case nothing
    /// That the text comes from the post to which the number is bound.
    case number
  }

  /// Whose texts count as passages.
  public struct Ingress: Hashable, Sendable {
    /// Whether a number must be bound to the post that its text names.
    public var mode = IngressMode.allowlist
    /// What the number of a sender proves.
    public var trust = IngressTrust.nothing
    /// `+9779801234567=BNP-A`: this number may speak for this post.
    public var numbers: [String] = []
    /// Texts a minute of each number that is bound to a post.
    public var perMinute = 30
    /// Texts of each such number at once, after a time with fewer.
    public var burst = 10_000
    /// Texts a minute of all other numbers together.
    public var unboundPerMinute = 300
    /// Texts of all other numbers at once, after a time with fewer.
    public var unboundBurst = 10_000
    /// Texts of one number that are kept though they are no passage.
    public var keptOfNumber = 20_000
    /// Texts of all numbers that are kept though they are no passage.
    public var kept = 200_000
  }
}
