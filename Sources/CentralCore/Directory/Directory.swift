public import Passages
public import Time

/// A post as the central knows it.
public struct Post: Hashable, Sendable {
  /// Its code, as texts name it.
  public var code: CheckpostCode
  /// What people call it.
  public var name: String
  /// The ends of segments at which it stands, by the names of the segments: one nearly always, several where it
  /// stands in the middle of a road. None when it belongs to no segment.
  public var places: [Place]
  /// Where it stood before, from the first to the last; nothing where it always stood there.
  public var earlier: [EarlierPlaces] = []
  /// The number of its modem, which may speak for it.
  public var phone: PhoneNumber?

  /// Where a post stands.
  public struct Place: Hashable, Comparable, Sendable {
    /// The name of the segment.
    public var segment: String
    /// 0 for one end, 1 for the other.
    public var index: Int

    /// By segment, then by end.
    public static func < (left: Place, right: Place) -> Bool {
      (left.segment, left.index) < (right.segment, right.index)
    }

    /// A place on a segment.
    public init(segment: String, index: Int) {
      self.segment = segment
      self.index = index
    }
  }

  /// A post.
  public init(code: CheckpostCode, name: String, place: Place? = nil, phone: PhoneNumber? = nil) {
    self.init(code: code, name: name, places: place.map { [$0] } ?? [], phone: phone)
  }

  /// A post at several ends.
  public init(code: CheckpostCode, name: String, places: [Place], phone: PhoneNumber? = nil) {
    self.code = code
    self.name = name
    self.places = places.sorted()
    self.phone = phone
  }

  /// The first of its places, by which rows that have room for one segment name it; nil where it has none. To set
  /// it is to leave all others.
  public var place: Place? {
    get { places.first }
    set { places = newValue.map { [$0] } ?? [] }
  }
}

/// A person who records passages.
public struct Ranger: Hashable, Sendable {
  /// What people call them.
  public var name: String
  /// Their number; texts name its last four digits.
  public var phone: PhoneNumber
  /// Where they serve.
  public var checkpost: CheckpostCode

  /// A ranger.
  public init(name: String, phone: PhoneNumber, checkpost: CheckpostCode) {
    self.name = name
    self.phone = phone
    self.checkpost = checkpost
  }
}

/// What is known of posts and people, arranged for looking up.
public struct Directory: Sendable {
  private var posts: [CheckpostCode: Post] = [:]
  private var rangers: [CheckpostCode: [String: [Ranger]]] = [:]
  /// Numbers that are named with their dates, which alone govern then.
  private var bindings: [PhoneNumber: [SenderBinding]] = [:]
  /// Numbers that may speak for a post because they are its modem's or a ranger's.
  private var implied: [PhoneNumber: Set<CheckpostCode>] = [:]

  /// A directory of what is known.
  ///
  /// - Parameters:
  ///   - posts: The posts; the number of a post's modem may speak for it.
  ///   - rangers: The rangers; the number of a ranger may speak for their post.
  ///   - bindings: Numbers and the posts for which they may speak, with their dates. Where one of them names a
  ///     number for a post, it does not matter that the number is also a ranger's or a modem's: so a number can
  ///     be ended.
  public init(posts: [Post] = [], rangers: [Ranger] = [], bindings: [SenderBinding] = []) {
    for post in posts {
      self.posts[post.code] = post
      if let phone = post.phone { implied[phone, default: []].insert(post.code) }
    }
    for ranger in rangers {
      let suffix = PhoneSuffix(phoneNumber: ranger.phone.digits).digits
      self.rangers[ranger.checkpost, default: [:]][suffix, default: []].append(ranger)
      implied[ranger.phone, default: []].insert(ranger.checkpost)
    }
    for binding in bindings { self.bindings[binding.number, default: []].append(binding) }
  }

  /// The post of that code.
  public func post(_ code: CheckpostCode) -> Post? {
    posts[code]
  }

  /// The rangers of a post whose numbers end so, in the order in which they were given. Where several do
  /// and one of them is the sender, it is that one.
  public func rangers(
    at post: CheckpostCode, suffix: PhoneSuffix, sender: PhoneNumber? = nil
  ) -> [Ranger] {
    let found = rangers[post]?[suffix.digits] ?? []
    guard found.count > 1, let own = found.first(where: { $0.phone == sender }) else {
      return found
    }
    return [own]
  }

  /// Whether `number` may speak for `post` at a moment; nil for any moment.
  public func isBound(
    _ number: PhoneNumber, to post: CheckpostCode, at time: WallTime? = nil
  ) -> Bool {
    let named = bindings[number]?.filter { $0.post == post } ?? []
    guard !named.isEmpty else { return implied[number]?.contains(post) ?? false }
    return time.map { time in named.contains { $0.isValid(at: time) } } ?? true
  }

  /// Whether `number` may speak for some post.
  func isKnown(_ number: PhoneNumber) -> Bool {
    bindings[number] != nil || implied[number] != nil
  }
}
