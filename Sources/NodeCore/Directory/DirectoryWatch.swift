import Mutants
public import Passages
import Time

/// Why passages cannot go to a server that takes our credential: what it told of this place does not do.
public enum DirectoryFault: Hashable, Sendable {
  /// It has not told anything yet.
  case unknown
  /// It was asked, and did not tell; the words say why.
  case notTold(words: String)
  /// The user may not work any more.
  case inactive
  /// The user is assigned to no post.
  case noPost
  /// The user is assigned to another post than this node stands at.
  case otherPost(theirs: String, ours: CheckpostCode)

  /// What is wrong, for people.
  public var words: String {
    switch self {
    case .unknown: "the server has not told yet what it calls this post"
    case .notTold(let words): "the server does not tell what it calls this post: \(words)"
    case .inactive: "the user of this node is not active on the server"
    case .noPost: "the user of this node is assigned to no post on the server"
    case .otherPost(let theirs, let ours):
      "the user of this node is assigned to post \(theirs) on the server, and node.checkpost is \(ours.code)"
    }
  }

  /// What helps.
  public var remedy: String {
    switch self {
    case .unknown: "wait; it is asked as soon as there is a line"
    case .notTold: "check server.url, and the rights of the user on the server"
    case .inactive: "let an administrator of the server set the user active, or sign in as another"
    case .noPost: "let an administrator of the server assign the user to this post"
    case .otherPost: "sign in with this post's user, or set node.checkpost right"
    }
  }
}

/// What the server tells of the place that this node stands at, and when it is asked again.
struct DirectoryWatch: Hashable, Sendable {
  /// What it told last, of whichever run of the program.
  private(set) var directory: PostDirectory?
  private var checkpost: CheckpostCode?
  private var profile: ServerProfile?
  /// The further segments of the post of that profile, as far as the server told of them.
  private var further: [ServerSegment] = []
  private(set) var isAsking = false
  private var nextAsk = BootInstant.zero
  private var askedAt: BootInstant?
  /// Why it did not tell when it was asked last; nil once it has told.
  private(set) var notTold: ServerFailure?
  /// Questions in a row that nothing answered.
  private(set) var silences = 0
  /// How often it told, and how often it was asked and did not, since the start.
  private(set) var answers = 0
  private(set) var failures = 0
  /// Whether it is to be asked again as soon as it has told what it was asked before.
  private var isDoubted = false
  /// Whether it told since the start, and since the settings changed.
  private(set) var isTold = false

  init(checkpost: CheckpostCode?) {
    self.checkpost = checkpost
  }

  /// Goes on from what was kept.
  mutating func start(_ directory: PostDirectory?) {
    self.directory = directory
  }

  mutating func changeRules(checkpost: CheckpostCode?, at now: BootInstant) {
    self.checkpost = checkpost
    nextAsk = now
    isTold = false
  }

  /// What keeps passages from going; nil when nothing of this does.
  var fault: DirectoryFault? {
    guard let directory else { return notTold.map { .notTold(words: $0.words) } ?? .unknown }
    guard directory.profile.isActive else { return .inactive }
    guard directory.place != nil, let post = directory.profile.post else { return .noPost }
    if let checkpost, post.code != checkpost.code {
      return .otherPost(theirs: post.code, ours: checkpost)
    }
    return nil
  }

  /// The server's names for this place; nil while passages cannot go.
  var place: ServerPlace? { fault == nil ? directory?.place : nil }

  /// When to ask by the passing of time alone.
  var deadline: BootInstant? { isAsking ? nil : nextAsk }

  /// What to ask now; nil while there is nothing to ask. The question is out then.
  mutating func ask(user: String?, at now: BootInstant) -> ServerCall? {
    guard let user, !isAsking, nextAsk <= now else { return nil }
    isAsking = true
    askedAt = now
    profile = nil
    further = []
    return .profile(user: user)
  }

  /// The server told of the user; what it returns is to be asked next.
  mutating func told(_ profile: ServerProfile, at now: BootInstant) -> ServerCall? {
    self.profile = profile
    further = []
    guard let segment = profile.segment, let post = profile.post else {
      finish(PostDirectory(profile: profile, opposite: nil), at: now)
      return nil
    }
    var others: [String] = []
    for id in post.segmentIDs ?? [] where id != segment.id && !others.contains(id) {
      others.append(id)
    }
    guard !others.isEmpty else { return askForPosts(of: segment) }
    return .segments(Array(others.prefix(Limits.furtherSegments)))
  }

  /// The server told of the further segments of the post; what it returns is to be asked next.
  mutating func told(_ segments: [ServerSegment], at now: BootInstant) -> ServerCall? {
    guard let segment = profile?.segment else { return nil }
    // Without its ends nobody knows which passages are its own.
    further = Array(
      segments.filter { $0.id != segment.id && $0.checkpostIDs != nil }
        .prefix(Limits.furtherSegments))
    return askForPosts(of: segment)
  }

  /// Posts are asked for by name where the server tells who stands at the ends: of a post that ends several segments
  /// the row names one.
  private func askForPosts(of segment: ServerSegment) -> ServerCall {
    guard let ends = segment.checkpostIDs, !ends.isEmpty else { return .posts(segment: segment.id) }
    return .postsNamed(Set(ends + further.flatMap { $0.checkpostIDs ?? [] }).sorted())
  }

  /// The server told of the posts of the segments.
  mutating func told(_ posts: [ServerPost], at now: BootInstant) {
    guard let profile else { return }
    let others = posts.filter { $0.id != profile.post?.id }
    func otherEnd(of segment: ServerSegment?) -> ServerPost? {
      guard let ends = segment?.checkpostIDs else { return others.first }
      return others.first { ends.contains($0.id) }
    }
    let opposite = otherEnd(of: profile.segment)
    if Mutant.otherPostIsUsed.isActive, let opposite {
      var wrong = profile
      wrong.post?.id = opposite.id
      return finish(PostDirectory(profile: wrong, opposite: profile.post), at: now)
    }
    finish(
      PostDirectory(
        profile: profile, opposite: opposite,
        further: further.map {
          PostDirectory.FurtherSegment(segment: $0, opposite: otherEnd(of: $0))
        }), at: now)
  }

  /// The server did not tell. What it told before is kept.
  mutating func failed(_ failure: ServerFailure, at now: BootInstant) {
    isAsking = false
    failures += 1
    isDoubted = false
    if failure.isOfServer {
      notTold = failure
      silences = 0
    } else {
      silences += 1
    }
    nextAsk = now + max(Limits.directoryRetry, failure.retryAfter ?? .zero)
  }

  /// Something was refused that may come of old names: no refusal is final before they were asked for again.
  ///
  /// - Returns: how often it must have told for what it tells to be newer than this moment.
  mutating func doubt(at now: BootInstant) -> Int {
    guard !isAsking else {
      isDoubted = true
      return answers + 2
    }
    let soonest = askedAt.map { $0 + Limits.directoryDoubt } ?? now
    nextAsk = min(nextAsk, max(now, soonest))
    return answers + 1
  }

  /// The line or the session is there again: what failed without it is asked at once.
  mutating func lineReturned(at now: BootInstant) {
    guard directory == nil || fault != nil else { return }
    nextAsk = min(nextAsk, now)
  }

  private mutating func finish(_ directory: PostDirectory, at now: BootInstant) {
    self.directory = directory
    profile = nil
    further = []
    isAsking = false
    isTold = true
    answers += 1
    notTold = nil
    silences = 0
    let rest = fault == nil ? Limits.directoryFor : Limits.directoryRetry
    nextAsk = now + (isDoubted ? .zero : rest)
    isDoubted = false
  }
}
