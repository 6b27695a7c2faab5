public import Passages
public import Time

/// What came of keeping a message.
public enum InboxReceipt: Hashable, Sendable {
  /// It is on disk under this number.
  case kept(Int64)
  /// The same message is there already.
  case known(Int64)
  /// It is no passage, and was not kept: so many wait for an operator that there is no room for more.
  case crowded
}

/// A passage as the central has it: what all reports of it say together.
public struct StoredPassage: Hashable, Sendable {
  /// The other end of the same travel.
  public struct Partner: Hashable, Sendable {
    /// The row of the passage there.
    public var row: Int64
    /// Whether it is the exit, and this passage the entry.
    public var isExit: Bool

    /// The other end of a travel.
    public init(row: Int64, isExit: Bool) {
      self.row = row
      self.isExit = isExit
    }
  }

  /// Its row; what came later has a higher one.
  public var id: Int64
  /// What names it for others, and never changes.
  public var uuid: ClientID
  /// What is known of it. The identity is the one that it came under first.
  public var passage: Passage
  /// When its row was made first.
  public var insertedAt: WallTime
  /// When the first report of it came.
  public var firstReceivedAt: WallTime
  /// The other end of its travel, where there is one.
  public var partner: Partner?
  /// How it came, each channel once.
  public var channels: [Observation.Channel] = []
  /// Whether it is proven of one report who sent it.
  public var isProven = false
  /// Whether something of it was corrected.
  public var isCorrected = false
  /// Why it was withdrawn: it never was, and is not judged; nil where nobody did that.
  public var withdrawal: String?
  /// What reports of it differ in.
  public var contradictions: [PassageContent.Contradiction] = []
  /// How many seconds its clock may have been wrong, where whoever handed it in said so; nil otherwise. Known to
  /// ``ForwardStore`` alone.
  public var clockSeconds: Int64?

  /// Where it stands in the list of the newest.
  public var place: PassagePlace { PassagePlace(recordedAt: passage.recordedAt, row: id) }

  /// A passage of which no more is known than this.
  public init(
    id: Int64, uuid: ClientID, passage: Passage, insertedAt: WallTime, firstReceivedAt: WallTime
  ) {
    self.id = id
    self.uuid = uuid
    self.passage = passage
    self.insertedAt = insertedAt
    self.firstReceivedAt = firstReceivedAt
  }
}

/// When a post was last heard of.
public struct PostHeard: Hashable, Sendable {
  /// Its code.
  public var code: String
  /// Its name; nil of a post that nobody imported.
  public var name: String?
  /// When the last passage of it was inserted; nil while none was.
  public var lastAt: WallTime?
  /// Recognised passages of it that are there.
  public var passages: Int64 = 0
  /// The same as the post counts them: what two rangers wrote down of one vehicle is two.
  public var recorded: Int64 = 0
  /// What it told of itself last; nil while it never did.
  public var heartbeat: PostHeartbeat?
  /// When one of its devices last told over HTTP how far it is; nil while none did.
  public var deviceAt: WallTime?
  /// Passages that were not here by then, as that device told.
  public var deviceWaiting: Int64?
  /// When somebody of it last signed in, renewed that, or showed its key; nil while nobody did.
  public var signedInAt: WallTime?
  /// When it last said that less of it is here than it had said before; nil while it never did.
  public var wentBackAt: WallTime?

  /// When anything of it came last, whichever way: a passage, a heartbeat, the word of a device, a sign-in;
  /// nil of a post that was never heard of.
  public var heardAt: WallTime? {
    [lastAt, heartbeat?.at, deviceAt, signedInAt].compactMap { $0 }.max()
  }

  /// Passages that it texted and that did not come, for all that it told of itself.
  public var missing: Int64 { heartbeat?.missing(came: recorded) ?? 0 }

  /// A post, and when it was last heard of.
  public init(code: String, name: String? = nil, lastAt: WallTime? = nil) {
    self.code = code
    self.name = name
    self.lastAt = lastAt
  }
}

/// How the central stands, in numbers.
public struct CentralOverview: Hashable, Sendable {
  /// Posts that passages may name.
  public var posts: Int
  /// Segments between two posts.
  public var segments: Int
  /// Rangers who may write passages down.
  public var rangers: Int
  /// Passages, each counted once however often it came.
  public var passages: Int
  /// Messages in the inbox, whatever became of them.
  public var received: Int
  /// Messages that are no passage as they stand and wait for an operator; none that somebody dismissed.
  public var undecodable: Int
  /// Messages whose passage was there already.
  public var duplicates: Int
  /// Violations that stand.
  public var violations = 0
  /// Violations among them that stay provisional until an upload or a person confirms them.
  public var unproven = 0
  /// Since when the first of those has stood.
  public var unprovenSince: WallTime?
  /// Violations that are others than when they were final, and that no person has seen since.
  public var changedAfterFinal = 0
  /// Since when the oldest of these is; nil where there is none.
  public var changedSince: WallTime?
  /// Rows of passages that another program wrote and that cannot be judged.
  public var unreadable = 0
  /// Alerts that stand.
  public var alerts = 0
  /// Whether something is yet to be judged again.
  public var judgesAgain = false
  /// Every post that is known or was heard of, by code.
  public var heard: [PostHeard]
  /// The size of the store; nil where nothing tells.
  public var databaseBytes: Int64?
  /// What is free where it lies; nil where nothing tells.
  public var freeBytes: Int64?

  /// A store in numbers.
  public init(
    posts: Int, segments: Int, rangers: Int, passages: Int, received: Int, undecodable: Int,
    duplicates: Int, heard: [PostHeard], databaseBytes: Int64? = nil, freeBytes: Int64? = nil
  ) {
    self.heard = heard
    self.databaseBytes = databaseBytes
    self.freeBytes = freeBytes
    self.posts = posts
    self.segments = segments
    self.rangers = rangers
    self.passages = passages
    self.received = received
    self.undecodable = undecodable
    self.duplicates = duplicates
  }
}

extension StoredPassage {
  /// Its place in the order in which passages first came. The number of its row has more in it where a store
  /// divides its tables by the month.
  public var arrival: Int64 { id & ((1 << 40) - 1) }
}
