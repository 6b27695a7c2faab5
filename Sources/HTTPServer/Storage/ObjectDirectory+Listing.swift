import CDispatch
import CentralCore
import EventLoop
import Glibc
import Time

/// What is known of a photograph without its content.
struct ObjectFacts: Hashable, Sendable {
  var name: PhotoName
  var bytes: Int
  var changedAt: WallTime
}

/// A page of photographs that is asked for.
struct ObjectPage: Hashable, Sendable {
  enum Order: Hashable, Sendable {
    case name, time
  }

  var prefix = ""
  /// What stands anywhere in the name.
  var search = ""
  var order = Order.name
  var isDescending = false
  var offset = 0
  var limit = 100
  /// Only what comes behind this name.
  var after: String?
}

extension ObjectDirectory {
  /// What is known of a photograph; nil where there is none of that name.
  func facts(of name: PhotoName) -> ObjectFacts? {
    var status = stat()
    guard lstat("\(path)/\(name.text)", &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      (1...Limits.photoBytes).contains(Int(status.st_size))
    else { return nil }
    let time = status.st_mtim
    return ObjectFacts(
      name: name, bytes: Int(status.st_size),
      changedAt: WallTime(
        milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000))
  }

  /// When the directory was changed last; nil where there is none yet.
  var changedAt: WallTime? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return WallTime(epochSeconds: Int64(status.st_mtim.tv_sec))
  }

  /// A page of what lies there. However many there are, no more are remembered than twice what stands up to its end.
  func photographs(_ page: ObjectPage) -> [ObjectFacts] {
    let most = page.offset + page.limit
    var found: [(name: PhotoName, time: Int64)] = []
    func isBefore(_ one: (name: PhotoName, time: Int64), _ other: (name: PhotoName, time: Int64))
      -> Bool
    {
      let (first, second) = page.isDescending ? (other, one) : (one, other)
      if page.order == .time, first.time != second.time { return first.time < second.time }
      return first.name.text < second.name.text
    }
    _ = SystemFile.names(in: path) { file in
      guard file.hasPrefix(page.prefix), page.search.isEmpty || file.contains(page.search),
        page.after.map({ file > $0 }) ?? true, let name = PhotoName(file)
      else { return false }
      let time = page.order == .time ? facts(of: name)?.changedAt.milliseconds ?? 0 : 0
      found.append((name, time))
      if found.count >= max(2 * most, 64) {
        found.sort(by: isBefore)
        found.removeLast(found.count - most)
      }
      return false
    }
    found.sort(by: isBefore)
    return found.dropFirst(page.offset).prefix(page.limit).compactMap { facts(of: $0.name) }
  }
}
