public import Passages
public import Time

/// What came of keeping a message.
public enum InboxReceipt: Hashable, Sendable {
  /// It is on disk under this number.
  case kept(Int64)
  /// The same message is there already.
  case known(Int64)
}

/// Which messages of the inbox are wanted.
public struct InboxQuery: Hashable, Sendable {
  /// Only those that stand so; nil for all.
  public var state: InboxItem.State?
  /// Only those with lower numbers; nil for the newest.
  public var before: Int64?
  /// How many at most.
  public var limit = Limits.page

  /// The newest of all.
  public init() {}
}

/// Which passages are wanted.
public struct PassageQuery: Hashable, Sendable {
  /// Only those of this post; nil for those of all posts.
  public var checkpost: CheckpostCode?
  /// A plate in its compact form.
  public var plate: String?
  /// Only those recorded at that moment or later; nil for those of all times.
  public var since: WallTime?
  /// Whether only those on a segment are wanted.
  public var onSegment = false
  /// Only those with higher numbers.
  public var afterID: Int64 = 0
  /// How many at most: ask again with ``afterID`` for what follows.
  public var limit = Limits.page

  /// Every passage.
  public init() {}
}

/// A passage as the central has it.
public struct StoredPassage: Hashable, Sendable {
  /// Its number in the store; later rows have higher ones.
  public var id: Int64
  /// What was written down at the post.
  public var passage: Passage
  /// When it was inserted.
  public var insertedAt: WallTime

  /// A row of a store.
  public init(id: Int64, passage: Passage, insertedAt: WallTime) {
    self.id = id
    self.passage = passage
    self.insertedAt = insertedAt
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
  /// Passages of it that are there.
  public var passages: Int64 = 0
  /// What it told of itself last; nil while it never did.
  public var heartbeat: PostHeartbeat?

  /// Passages that it texted and that did not come, for all that it told of itself.
  public var missing: Int64 { heartbeat?.missing(came: passages) ?? 0 }

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
  /// Messages that are no passage as they stand and wait for an operator.
  public var undecodable: Int
  /// Messages whose passage was there already.
  public var duplicates: Int
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
