import CentralCore
import Passages
import Storage
import Time

/// What stands in a directory, to tell what a table changes of it.
struct KnownDirectory {
  /// What a row comes to.
  enum Change {
    case added
    case changed
    case unchanged
  }

  private var entries: [String: DirectoryEntry] = [:]
  /// Since when rangers serve where they do.
  private var since: [PhoneNumber: WallTime] = [:]

  /// What stands in a store.
  init(_ store: any CentralStore) throws(StorageError) {
    for segment in try store.segments() { add(.segment(segment)) }
    for post in try store.posts() { add(.post(post)) }
    for ranger in try store.rangers() { add(.ranger(ranger)) }
    for assignment in try store.assignments() where assignment.until == nil {
      since[assignment.phone] = assignment.since
    }
    for number in try store.numbers() { add(.number(number)) }
  }

  private mutating func add(_ entry: DirectoryEntry) { entries[entry.key] = entry }

  /// The ends of segments at which a post stands now.
  func places(of post: CheckpostCode) -> [Post.Place] { self.post(post)?.places ?? [] }

  /// The post of that code.
  func post(_ code: CheckpostCode) -> Post? {
    let key = DirectoryEntry.post(Post(code: code, name: "", place: nil)).key
    guard case .post(let known, _) = entries[key] else { return nil }
    return known
  }

  /// The segment of that name.
  func segment(_ name: String) -> Segment? {
    guard case .segment(let segment) = entries["segment \(name)"] else { return nil }
    return segment
  }

  /// Whether an entry may let what is there be judged otherwise.
  func judgesAnew(_ entry: DirectoryEntry) -> Bool {
    switch entry {
    case .segment, .post: change(by: entry) != .unchanged
    case .ranger, .number: false
    }
  }

  /// What an entry changes.
  func change(by entry: DirectoryEntry) -> Change {
    guard let known = entries[entry.key] else { return .added }
    if case .ranger(let now, let since) = entry, case .ranger(let before, _) = known {
      return now == before && (since == nil || since == self.since[now.phone])
        ? .unchanged : .changed
    }
    guard case .post(let now, let knowledge) = entry, case .post(let before, _) = known else {
      return known == entry ? .unchanged : .changed
    }
    var merged = now
    if !knowledge.contains(.place) {
      (merged.places, merged.earlier) = (before.places, before.earlier)
    }
    if !knowledge.contains(.phone) { merged.phone = before.phone }
    return merged == before ? .unchanged : .changed
  }
}

extension DirectoryEntry {
  /// By what it is known, whatever else it says.
  var key: String {
    switch self {
    case .segment(let segment): "segment \(segment.name)"
    case .post(let post, _): "post \(post.code)"
    case .ranger(let ranger, _): "ranger \(ranger.phone)"
    case .number(let binding): "number \(binding.number) for \(binding.post)"
    }
  }
}
