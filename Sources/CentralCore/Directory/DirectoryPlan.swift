public import Passages

/// What of a batch of entries can stand in a directory, and in which order a store writes it.
///
/// The batch is looked at as a whole: it may name a segment or a post after whoever refers to it, and posts may
/// change places with each other. Of two that want one end, the one that stands there goes first, then the one that
/// is named first; who cannot have an end stays where it was.
public struct DirectoryPlan: Sendable {
  /// What is to be written.
  public struct Write: Hashable, Sendable {
    /// Its place in the batch.
    public var index: Int
    /// What to write; a post has the place there that it gets.
    public var entry: DirectoryEntry
  }

  /// What stands in the way of each entry; nil where nothing does.
  public private(set) var refusals: [DirectoryRefusal?]
  /// Posts that leave an end at which they stand. They leave all before anything is written, so that others can have
  /// it, and are written with those that they keep.
  public private(set) var leaving: [CheckpostCode] = []
  /// What to write, in this order.
  public private(set) var writes: [Write] = []

  /// A plan for a batch.
  ///
  /// - Parameters:
  ///   - posts: Every post that is there.
  ///   - segments: The name of every segment that is there.
  public init(_ entries: [DirectoryEntry], posts: [Post], segments: some Sequence<String>) {
    refusals = Array(repeating: nil, count: entries.count)
    var names = Set(segments)
    for (index, entry) in entries.enumerated() {
      guard case .segment(let segment) = entry else { continue }
      if let words = segment.unfit {
        refusals[index] = .rule(words)
      } else {
        names.insert(segment.name)
      }
    }
    var ends = DirectoryEnds(posts)
    for (index, entry) in entries.enumerated() {
      guard case .post(let post, let known) = entry, known.contains(.place) else { continue }
      let versions = post.earlier.map(\.places) + [post.places]
      if versions.joined().contains(where: { !names.contains($0.segment) }) {
        refusals[index] = .unknownReference
      } else if versions.contains(where: { Set($0.map(\.segment)).count < $0.count }) {
        refusals[index] = .rule("both ends of a segment are this post; it lies between two")
      } else {
        ends.request(post, by: index)
      }
    }
    for index in ends.settle() { refusals[index] = .endTaken }
    leaving = ends.leaving

    var codes = Set(posts.map(\.code))
    for (index, entry) in entries.enumerated() where refusals[index] == nil {
      if case .post(let post, _) = entry { codes.insert(post.code) }
    }
    for (index, entry) in entries.enumerated() {
      if let code = entry.reference, !codes.contains(code) { refusals[index] = .unknownReference }
    }
    for rank in 0...2 {
      for (index, entry) in entries.enumerated() where refusals[index] == nil && entry.rank == rank
      {
        writes.append(Write(index: index, entry: ends.placed(entry)))
      }
    }
  }
}

/// The posts that stand at the ends of segments, each with its dates, and those that are to stand there.
private struct DirectoryEnds {
  private var now: [CheckpostCode: Post] = [:]
  private var wanted: [CheckpostCode: (post: Post, index: Int)] = [:]
  /// In the order in which they were named, so that what is decided does not depend on hashing.
  private var codes: [CheckpostCode] = []

  init(_ posts: [Post]) {
    for post in posts {
      now[post.code] = post
      codes.append(post.code)
    }
  }

  /// A post is to stand there. Of several requests for one post the last one counts.
  mutating func request(_ post: Post, by index: Int) {
    if !codes.contains(post.code) { codes.append(post.code) }
    wanted[post.code] = (post, index)
  }

  /// Drops requests until all that are left can stand together.
  ///
  /// - Returns: Whose requests were dropped, by their places in the batch.
  mutating func settle() -> [Int] {
    var dropped: [Int] = []
    while true {
      var holders: [Post.Place: [Range<Int64>]] = [:]
      var losers: [CheckpostCode] = []
      for code in codes.sorted(by: { rank($0) < rank($1) }) {
        let stays = post(code)?.stays ?? []
        if stays.contains(where: { stay in
          (holders[stay.place] ?? []).contains { $0.overlaps(stay.seconds) }
        }) {
          losers.append(code)
        } else {
          for stay in stays { holders[stay.place, default: []].append(stay.seconds) }
        }
      }
      let indices = losers.compactMap { wanted[$0]?.index }
      guard !indices.isEmpty else { return dropped.sorted() }
      dropped += indices
      for code in losers { wanted[code] = nil }
    }
  }

  /// Posts that leave an end at which they stand.
  var leaving: [CheckpostCode] {
    codes.filter { code in
      let later = post(code)?.places ?? []
      return now[code]?.places.contains { !later.contains($0) } ?? false
    }
  }

  /// The entry with the place that its post gets.
  func placed(_ entry: DirectoryEntry) -> DirectoryEntry {
    guard case .post(var post, let known) = entry, known.contains(.place) else { return entry }
    let placed = self.post(post.code)
    post.places = placed?.places ?? []
    post.earlier = placed?.earlier ?? []
    return .post(post, knowing: known)
  }

  private func post(_ code: CheckpostCode) -> Post? { wanted[code]?.post ?? now[code] }

  /// Who stays goes before who comes, and who is named first before who is named later.
  private func rank(_ code: CheckpostCode) -> Int {
    guard let request = wanted[code],
      request.post.places != now[code]?.places ?? []
        || request.post.earlier != now[code]?.earlier ?? []
    else { return -1 }
    return request.index
  }
}

extension Segment {
  /// Why no store keeps it: the deployed tables have two digits behind the point, and four or three before it.
  fileprivate var unfit: String? {
    if distanceMetres >= 9_999_995 { return SegmentError.outOfRange(.distance).description }
    if minimumMetresPerHour >= 999_995 {
      return SegmentError.outOfRange(.minimumSpeed).description
    }
    if maximumMetresPerHour >= 999_995 {
      return SegmentError.outOfRange(.maximumSpeed).description
    }
    if distanceMetres < 10 { return "distance_km has to be at least 0.01" }
    if minimumMetresPerHour < 10 { return "min_speed_kmh has to be at least 0.01" }
    guard Double(distanceMetres) * 60 / Double(minimumMetresPerHour) < 999_999 else {
      return "it would take longer than 999999 minutes at min_speed_kmh; that has to be higher"
    }
    return nil
  }
}

extension DirectoryEntry {
  /// What it refers to is written before it.
  fileprivate var rank: Int {
    switch self {
    case .segment: 0
    case .post: 1
    case .ranger, .number: 2
    }
  }

  /// The post that has to be there.
  fileprivate var reference: CheckpostCode? {
    switch self {
    case .segment, .post: nil
    case .ranger(let ranger, _): ranger.checkpost
    case .number(let binding): binding.post
    }
  }
}
