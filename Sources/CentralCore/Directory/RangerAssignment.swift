public import Passages
public import Time

/// Where a ranger served, and from when to when.
///
/// A text names a ranger by the last four digits of a number alone. Who that was depends on who served at the post
/// then: whoever is moved to another post, and whoever comes with the same digits, changes nothing of what was
/// written down before.
public struct RangerAssignment: Hashable, Sendable {
  /// The number of the ranger.
  public var phone: PhoneNumber
  /// The post at which they served.
  public var post: CheckpostCode
  /// From when on; nil where nobody knows of a time before.
  public var since: WallTime?
  /// Up to and without this moment; nil while it lasts.
  public var until: WallTime?

  /// `phone` served at `post`.
  public init(
    phone: PhoneNumber, post: CheckpostCode, since: WallTime? = nil, until: WallTime? = nil
  ) {
    self.phone = phone
    self.post = post
    self.since = since
    self.until = until
  }

  /// How texts name the ranger.
  public var suffix: PhoneSuffix { PhoneSuffix(phoneNumber: phone.digits) }

  /// Whether it was so at a moment.
  public func isValid(at time: WallTime) -> Bool {
    since.map { $0 <= time } ?? true && until.map { time < $0 } ?? true
  }

  /// Whom a text means.
  ///
  /// - Parameters:
  ///   - assignments: All that there ever were at the post of the text with its digits.
  ///   - time: When the passage was, or when the text came where its time says nothing.
  ///   - sender: The number that sent it, when known.
  /// - Returns: The one who sent it; else the one who served there then; else, where nobody did, the only one who
  ///   ever did, or who came first, where that was later. Nil when it may have been several, or nobody is known.
  public static func ranger(
    of assignments: [RangerAssignment], at time: WallTime, sender: PhoneNumber?
  ) -> PhoneNumber? {
    if let sender, assignments.contains(where: { $0.phone == sender }) { return sender }
    let then = assignments.filter { $0.isValid(at: time) }
    var phones = Set((then.isEmpty ? assignments : then).map(\.phone))
    let starts = assignments.compactMap(\.since)
    if phones.count > 1, let first = starts.min(), first > time, starts.count == assignments.count {
      phones = Set(assignments.filter { $0.since == first }.map(\.phone))
    }
    return phones.count == 1 ? phones.first : nil
  }

  /// Where a ranger served, once they are put at a post.
  ///
  /// - Parameters:
  ///   - ranger: The ranger, with the post at which they serve now.
  ///   - since: From when on; nil where nobody says: those who were elsewhere are there from now on, and those of
  ///     whom nothing was known since whoever had the same digits there left, or, where somebody still has them,
  ///     from now on.
  ///   - now: What time it is.
  ///   - own: Where they served as far as it was known, the oldest first.
  ///   - others: Other rangers' assignments to that post with the same digits.
  /// - Returns: All of the ranger's assignments, the oldest first.
  public static func assigning(
    _ ranger: Ranger, since: WallTime?, at now: WallTime, own: [RangerAssignment],
    others: [RangerAssignment]
  ) -> [RangerAssignment] {
    var own = own
    guard let current = own.last else {
      // Whoever came at this moment came first.
      let left = others.map { other in
        other.until.map { min($0, now) }
          ?? max(now, other.since.map { $0 + .milliseconds(1) } ?? now)
      }.max()
      return [
        RangerAssignment(phone: ranger.phone, post: ranger.checkpost, since: since ?? left)
      ]
    }
    if current.post == ranger.checkpost {
      guard let since else { return own }
      own.removeLast()
      own.end(at: since)
      return own + [RangerAssignment(phone: ranger.phone, post: ranger.checkpost, since: since)]
    }
    let start = since ?? now
    own.end(at: start)
    return own + [RangerAssignment(phone: ranger.phone, post: ranger.checkpost, since: start)]
  }
}

extension [RangerAssignment] {
  /// What began before a moment ends at it, and what began later is not so.
  fileprivate mutating func end(at time: WallTime) {
    removeAll { $0.since.map { $0 >= time } ?? false }
    if let last = indices.last { self[last].until = Swift.min(self[last].until ?? time, time) }
  }
}
