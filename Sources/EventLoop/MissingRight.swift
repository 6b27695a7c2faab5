import Glibc

/// Why this user may not use a file: whose it is, and the group that could.
public struct MissingRight: Hashable, Sendable {
  /// Whose it is: `belongs to checkpost and group checkpost`.
  public var owner: String
  /// What gives the right.
  public var remedy: String

  /// A right that is missing.
  public init(owner: String, remedy: String) {
    self.owner = owner
    self.remedy = remedy
  }

  /// What stands between this user and the file; of what lies in a directory that this user may not
  /// enter, that directory. Nil where nothing of it can be seen.
  public init?(at path: String) {
    guard let (place, status) = MissingRight.nearest(path) else { return nil }
    let group = MissingRight.group(status.st_gid)
    let user = MissingRight.user(geteuid())
    let thing = place == path ? "" : "lies in \(place), which "
    owner = "\(thing)belongs to \(MissingRight.user(status.st_uid)) and group \(group)"
    let groupMay = status.st_mode & 0o040 != 0
    if !groupMay || status.st_gid == 0 {
      let user = MissingRight.user(status.st_uid)
      remedy = "run this as \(user): sudo -u \(user) …"
    } else if MissingRight.isMember(status.st_gid) {
      remedy = "give the group its right back: sudo chmod g+rwX \(place)"
    } else {
      remedy = "add yourself to that group, and log in anew: sudo adduser \(user) \(group)"
    }
  }

  /// Whether this user may not read a file that may be there.
  public static func isDenied(_ path: String) -> Bool {
    access(path, R_OK) != 0 && errno == EACCES
  }

  /// The file, or the first directory on its way that this user may not enter.
  private static func nearest(_ path: String) -> (place: String, status: stat)? {
    var status = stat()
    var place = path
    while stat(place, &status) != 0 {
      guard errno == EACCES, let slash = place.lastIndex(of: "/"), slash != place.startIndex
      else { return nil }
      place = String(place[..<slash])
    }
    return (place, status)
  }

  private static func isMember(_ group: gid_t) -> Bool {
    guard group != getegid() else { return true }
    var groups = [gid_t](repeating: 0, count: max(0, Int(getgroups(0, nil))))
    let count = getgroups(Int32(groups.count), &groups)
    return groups.prefix(max(0, Int(count))).contains(group)
  }

  private static func user(_ id: uid_t) -> String {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { space -> String? in
      guard let base = space.baseAddress,
        getpwuid_r(id, &entry, base, space.count, &found) == 0, found != nil
      else { return nil }
      return String(cString: entry.pw_name)
    }
    return name ?? "user \(id)"
  }

  private static func group(_ id: gid_t) -> String {
    var entry = Glibc.group()
    var found: UnsafeMutablePointer<Glibc.group>?
    let name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { space -> String? in
      guard let base = space.baseAddress,
        getgrgid_r(id, &entry, base, space.count, &found) == 0, found != nil
      else { return nil }
      return String(cString: entry.gr_name)
    }
    return name ?? "\(id)"
  }
}
