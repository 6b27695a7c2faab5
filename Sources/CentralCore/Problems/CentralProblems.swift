public import Events
public import Storage
public import Time

/// What is known of a central when somebody asks whether all is well.
public struct CentralFacts: Sendable {
  /// A failure of the store that lasts.
  public struct Failure: Hashable, Sendable {
    /// What it failed with.
    public var error: StorageError
    /// Since when; nil where nothing tells.
    public var since: WallTime?

    /// A failure since a moment.
    public init(_ error: StorageError, since: WallTime? = nil) {
      self.error = error
      self.since = since
    }
  }

  /// The connections of the HTTP server, which are bounded.
  public struct Connections: Hashable, Sendable {
    /// Connections at a time.
    public var most: Int
    /// Connections of one address at a time.
    public var mostPerAddress: Int
    /// How long ago all were in use; nil when they never were.
    public var fullAgo: Duration?
    /// How long ago one of an address with too many was closed; nil when none was.
    public var refusedAgo: Duration?

    /// Connections that never ran out.
    public init(most: Int, mostPerAddress: Int) {
      self.most = most
      self.mostPerAddress = mostPerAddress
    }
  }

  /// How handing passages on to another server stands.
  public struct Forwarding: Hashable, Sendable {
    /// Passages that a person has to see to.
    public var setAside: Int
    /// Since when nothing can be handed on; nil while it can.
    public var failingSince: WallTime?
    /// Why, in words.
    public var words: String

    /// How it stands.
    public init(setAside: Int, failingSince: WallTime? = nil, words: String = "") {
      self.setAside = setAside
      self.failingSince = failingSince
      self.words = words
    }
  }

  /// What was refused to providers, and why, since the last text of each was taken.
  public var webhooks: [WebhookTally] = []
  /// The store in numbers; nil while it was not read.
  public var overview: CentralOverview?
  /// After how long without any word of a post it counts as silent; zero for never.
  public var silentAfter: Duration = .zero
  /// How long a violation usually stays provisional.
  public var provisionalFor: Duration = .seconds(24 * 3_600)
  /// How passages are handed on; nil where they are not.
  public var forwarding: Forwarding?
  /// Why nothing that comes in can be kept.
  public var keeping: Failure?
  /// Why what is kept cannot be processed.
  public var processing: Failure?
  /// Why the store cannot be read.
  public var unreadable: StorageError?
  /// How long ago a message was not kept, as too many that are no passage wait; nil when none was.
  public var crowdedAgo: Duration?
  /// The connections of its HTTP server; nil without one.
  public var connections: Connections?

  /// A central against which nothing is known.
  public init() {}

  /// What somebody has to know of it: the rules of its alarms.
  public func problems(at now: WallTime) -> [Problem] {
    func storage(_ name: String, _ words: String, _ failure: Failure?) -> Problem? {
      failure.map { failure in
        Problem(
          name, .critical, "\(words): \(failure.error.problem).",
          remedy: "\(failure.error.remedy).", since: failure.since)
      }
    }
    return [
      storage("central_keeps_nothing", "central: nothing that comes in is kept", keeping),
      storage(
        "central_processes_nothing", "central: what came in waits to be processed", processing),
    ].compactMap { $0 }
      + [crowd(at: now)].compactMap { $0 }
      + (overview.map { ofTheOverview($0, at: now) } ?? [])
      + (connections?.problems(at: now) ?? [])
      + webhooks.compactMap { $0.problem(at: now) }
      + (forwarding?.problems ?? [])
      + [
        storage(
          "central_store_unreadable", "the central's database cannot be used",
          unreadable.map { Failure($0) })
      ].compactMap { $0 }
  }
}

extension CentralFacts {
  private func crowd(at now: WallTime) -> Problem? {
    guard let ago = crowdedAgo, ago < Limits.crowdedFor else { return nil }
    return Problem(
      "inbox_crowded", .warning,
      "central: so many texts that are no passage wait that more of them were not kept within the"
        + " last minute; passages are",
      remedy: "see by `checkpost central inbox` where they come from; central.ingress bounds them",
      since: now - ago)
  }
}

extension CentralFacts.Forwarding {
  /// What somebody has to know.
  var problems: [Problem] {
    [
      failingSince.map { since in
        Problem(
          "forward_failing", .warning,
          "central: passages wait, since they cannot be handed on: \(words).",
          remedy: "see whether server.url can be reached, and takes the key of central.forward",
          since: since)
      },
      setAside > 0
        ? Problem(
          "forwards_set_aside", .warning,
          "central: passages that the server does not take are set aside (\(setAside))",
          remedy: "`checkpost central forwards` says which and why; `--retry` tries them again")
        : nil,
    ].compactMap { $0 }
  }
}

extension CentralFacts.Connections {
  /// What somebody has to know, for a while after connections ran out.
  func problems(at now: WallTime) -> [Problem] {
    func isRecent(_ age: Duration) -> Bool { age < Limits.crowdedFor }
    return [
      fullAgo.flatMap { ago in
        guard isRecent(ago) else { return nil }
        return Problem(
          "http_connections_full", .warning,
          "http: all \(most) connections were in use within the last minute, and texts may come late",
          remedy: "see what connects there (ss -tn), and let a proxy or a firewall bound it",
          since: now - ago)
      },
      refusedAgo.flatMap { ago in
        guard isRecent(ago) else { return nil }
        return Problem(
          "http_address_full", .warning,
          "http: connections of an address that has \(mostPerAddress) already were closed within the"
            + " last minute",
          remedy: "if a proxy is there, name it in central.http.proxies", since: now - ago)
      },
    ].compactMap { $0 }
  }
}
