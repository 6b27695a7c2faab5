// Where a C structure lies is told by what the compiler happens to read first.
import CDispatch
import Dispatch
import EventLoop
import Glibc

/// The way into the service's group for a user who was made a member of it since the last log-in: the
/// system's groups have the user already, the processes of this session do not.
///
/// Such a command starts itself anew through `sg`, which asks nothing of a member.
public struct GroupEntry {
  /// The name of the group.
  public let group: String

  /// The entry that helps to use what lies at one of these paths; nil where no membership is missing.
  public init?(paths: [String]) {
    for path in paths {
      guard let number = GroupEntry.missingGroup(at: path), let entry = getgrgid(number) else {
        continue
      }
      group = String(cString: entry.pointee.gr_name)
      return
    }
    return nil
  }

  /// The group by whose rights this user may use what lies at a path, as the system's files say, while
  /// this process has not got it yet; nil when it can be used, or that group has no right to it either.
  private static func missingGroup(at path: String) -> gid_t? {
    guard access(path, R_OK) != 0, errno == EACCES else { return nil }
    var status = stat()
    var place = path
    // What lies in a directory that cannot be entered has the directory's group, as far as can be told.
    while stat(place, &status) != 0 {
      guard errno == EACCES, let slash = place.lastIndex(of: "/"), slash != place.startIndex else {
        return nil
      }
      place = String(place[..<slash])
    }
    guard status.st_mode & (S_IRGRP | S_IXGRP) != 0 else { return nil }
    return isMissing(
      status.st_gid, listed: groupsOfUser(), held: groupsOfProcess() + [getegid()])
      ? status.st_gid : nil
  }

  /// Whether a group is among those that the system lists for a user, and not among those held.
  static func isMissing(_ group: gid_t, listed: [gid_t], held: [gid_t]) -> Bool {
    listed.contains(group) && !held.contains(group)
  }

  /// Who called by `sudo` and is no member of the service's group; nil when nobody did, or there is no such
  /// group.
  public static var outsider: String? {
    guard geteuid() == 0, let caller = getenv("SUDO_USER"), let user = getpwnam(caller),
      user.pointee.pw_uid != 0, let group = getgrnam(StarterWriter.serviceGroup)
    else { return nil }
    let name = String(cString: caller)
    let number = group.pointee.gr_gid
    return groups(of: name, first: user.pointee.pw_gid).contains(number) ? nil : name
  }

  private static func groupsOfUser() -> [gid_t] {
    guard let user = getpwuid(getuid()) else { return [] }
    return groups(of: String(cString: user.pointee.pw_name), first: user.pointee.pw_gid)
  }

  private static func groups(of user: String, first: gid_t) -> [gid_t] {
    var groups = [gid_t](repeating: 0, count: 256)
    var count = Int32(groups.count)
    guard getgrouplist(user, first, &groups, &count) >= 0 else {
      return []
    }
    return Array(groups.prefix(Int(max(count, 0))))
  }

  private static func groupsOfProcess() -> [gid_t] {
    let count = getgroups(0, nil)
    guard count > 0 else { return [] }
    var groups = [gid_t](repeating: 0, count: Int(count))
    return getgroups(count, &groups) == count ? groups : []
  }

  /// Starts this command anew as a member of the group, in place of this process. Returns only where
  /// that cannot be done, or was done already.
  public func enter(arguments: [String]) {
    guard getenv(GroupEntry.mark) == nil,
      let program = GroupEntry.programs.first(where: { access($0, X_OK) == 0 })
    else { return }
    setenv(GroupEntry.mark, "1", 1)
    let words = [program, group, "-c", GroupEntry.line(arguments)]
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    pointers.append(nil)
    execv(program, pointers)
    unsetenv(GroupEntry.mark)
  }

  /// The line that a shell runs for this program with these arguments.
  static func line(_ arguments: [String]) -> String {
    (["exec", quoted(ownPath)] + arguments.map(quoted)).joined(separator: " ")
  }

  private static var ownPath: String {
    var bytes = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/exe", &bytes, bytes.count)
    return String(
      decoding: bytes.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// A word as a shell takes it whole.
  static func quoted(_ word: String) -> String {
    "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }

  /// Says to the command that was started anew that it was.
  private static let mark = "SG_OF_CHECKPOST"
  private static let programs = ["/usr/bin/sg", "/bin/sg"]
}
