public import Time

/// Something that is wrong and that somebody should know of, for as long as it lasts.
///
/// What happened is an ``Event``; a problem is what stands. It is found by pure functions of facts, in
/// the core that knows them.
public struct Problem: Hashable, Sendable {
  /// How bad a problem is.
  public enum Severity: String, CaseIterable, Hashable, Sendable, Codable {
    /// It works, and not as well as it should.
    case warning
    /// Something is not done, or is lost, until somebody acts or it ends.
    case critical
  }

  /// The name in snake_case, which never changes: `disk_full`.
  public var name: String
  /// Which one it is about, where there are several: a modem's name.
  public var subject: String?
  /// How bad it is.
  public var severity: Severity
  /// How many things it is about, where they can be counted: passages, messages, posts.
  public var count: Int?
  /// What is wrong, with its reason.
  public var what: String
  /// What helps; nil where the reason says so itself, or nothing is to be done.
  public var remedy: String?
  /// When it began, by the wall clock; nil while nobody knows.
  public var since: WallTime?
  /// When it is over by the passing of time alone, by the wall clock as it is now; nil when it takes
  /// something else.
  public var until: WallTime?

  /// A problem.
  public init(
    _ name: String, _ severity: Severity, of subject: String? = nil, _ what: String,
    count: Int? = nil, remedy: String? = nil, since: WallTime? = nil, until: WallTime? = nil
  ) {
    self.name = name
    self.subject = subject
    self.count = count
    self.severity = severity
    self.what = what
    self.remedy = remedy
    self.since = since
    self.until = until
  }

  /// The problem and what helps, in one line.
  public var sentence: String {
    guard let remedy else { return what }
    return what.hasSuffix(".") ? "\(what) \(remedy)" : "\(what); \(remedy)"
  }
}

extension Problem: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, subject, severity, count, what, remedy, since, until
  }

  /// Reads a problem; a time that cannot be read is left out.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    name = try values.decode(String.self, forKey: .name)
    subject = try values.decodeIfPresent(String.self, forKey: .subject)
    severity = try values.decode(Severity.self, forKey: .severity)
    count = try values.decodeIfPresent(Int.self, forKey: .count)
    what = try values.decode(String.self, forKey: .what)
    remedy = try values.decodeIfPresent(String.self, forKey: .remedy)
    since = try values.decodeIfPresent(String.self, forKey: .since).flatMap {
      WallTime(rfc3339: $0)
    }
    until = try values.decodeIfPresent(String.self, forKey: .until).flatMap {
      WallTime(rfc3339: $0)
    }
  }

  /// Writes the problem, with its times as RFC 3339 has it.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(name, forKey: .name)
    try values.encodeIfPresent(subject, forKey: .subject)
    try values.encode(severity, forKey: .severity)
    try values.encodeIfPresent(count, forKey: .count)
    try values.encode(what, forKey: .what)
    try values.encodeIfPresent(remedy, forKey: .remedy)
    try values.encodeIfPresent(since?.rfc3339, forKey: .since)
    try values.encodeIfPresent(until?.rfc3339, forKey: .until)
  }
}

/// Since when problems stand that do not know it themselves: since they were seen first.
public struct StandingProblems: Sendable {
  private struct Key: Hashable {
    var name: String
    var subject: String?
  }

  private var firstSeen: [Key: WallTime] = [:]

  /// Nothing has been seen yet.
  public init() {}

  /// The problems, each with when it began. What is not among them is over.
  public mutating func dated(_ problems: [Problem], at now: WallTime) -> [Problem] {
    var seen: [Key: WallTime] = [:]
    defer { firstSeen = seen }
    return problems.map { problem in
      var problem = problem
      let key = Key(name: problem.name, subject: problem.subject)
      let since = problem.since ?? firstSeen[key] ?? now
      seen[key] = since
      problem.since = since
      return problem
    }
  }
}
