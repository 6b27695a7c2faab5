import EventLoop
import Events
import Glibc
import Text
public import Time

/// Reads a log file and the older ones beside it, and follows it through rotation.
///
/// The reader holds its file open, so that what is written to it before it is moved away is read to
/// the end; then it goes on with the files that came after it, however many there are by then.
public final class LogReader {
  private let path: String
  private var current: (descriptor: Descriptor, inode: UInt64)?
  private var position = 0
  private var lines = LineBuffer(limit: Limits.logLineBytes)

  /// A reader of the log whose current file is `path`.
  public init(path: String) {
    self.path = path
  }

  /// Hands over every record there is now, from the oldest file to the end of the current one. The
  /// next call hands over what was written since.
  ///
  /// - Parameter isStopped: asked between blocks; true ends the call early.
  /// - Throws: ``LogFileError`` when there is no log, or it cannot be read.
  public func read(
    isStopped: () -> Bool = { false }, _ each: (LogRecord) -> Void
  ) throws(LogFileError) {
    while !isStopped() {
      if current == nil {
        guard let number = oldestNumber() else { throw failure() }
        try open(number)
      }
      drain(isStopped, each)
      guard !isStopped(), try openFollowing() else { return }
    }
  }

  /// Waits until the log may have grown or was rotated, or `deadline` has come.
  ///
  /// - Parameter interrupt: a descriptor that ends the wait when it can be read.
  public func wait(until deadline: BootInstant?, clocks: some Clocks, interrupt: Int32? = nil) {
    // Watched before looking, so that nothing falls between the two.
    let watch = FileWatch(directory: directory)
    if hasMore() { return }
    var interests = [Interest(descriptor: watch?.descriptor ?? -1)]
    if let interrupt {
      interests.append(Interest(descriptor: interrupt))
    }
    // Where the system allows no watch, the file is looked at every half second.
    let look = clocks.boot() + .milliseconds(500)
    let limit = watch == nil ? min(deadline ?? look, look) : deadline
    _ = PollLoop.wait(interests, until: limit, clocks: clocks)
  }

  private var directory: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The path of the log's file `number`: 0 is the current one, a higher one is older.
  private func path(_ number: Int) -> String {
    number == 0 ? path : "\(path).\(number)"
  }

  private func oldestNumber() -> Int? {
    // Old files have no gaps in their numbers, but a rotation may be going on just now.
    var oldest: Int?
    var missing = 0
    for number in 0...Limits.logFiles where missing < 3 {
      if SmallFile.exists(path(number)) {
        oldest = number
        missing = 0
      } else {
        missing += 1
      }
    }
    return oldest
  }

  private func open(_ number: Int) throws(LogFileError) {
    let opened = Glibc.open(path(number), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard opened >= 0 else { throw failure() }
    var status = stat()
    guard fstat(opened, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      _ = Glibc.close(opened)
      throw .isDirectory(path: path)
    }
    guard status.st_mode & S_IFMT != S_IFIFO else {
      _ = Glibc.close(opened)
      throw .isPipe(path: path)
    }
    current?.descriptor.close()
    current = (Descriptor(owning: opened), UInt64(status.st_ino))
    position = 0
    lines.clear()
  }

  private func failure() -> LogFileError {
    switch errno {
    case ENOENT, ENOTDIR: .missing(path: path)
    case EACCES, EPERM: .noPermission(path: path)
    case EISDIR: .isDirectory(path: path)
    case ENXIO: .isPipe(path: path)
    case let number: .system(path: path, reason: systemMessage(number))
    }
  }

  private func drain(_ isStopped: () -> Bool, _ each: (LogRecord) -> Void) {
    guard let descriptor = current?.descriptor.value else { return }
    var buffer = [UInt8](repeating: 0, count: Limits.logLineBytes)
    while !isStopped() {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      position += count
      for line in lines.take(buffer[..<count]) {
        if let record = LogRecord(json: line) {
          each(record)
        }
      }
    }
    // A file that became shorter was emptied in place, as some rotating tools do.
    var status = stat()
    if fstat(descriptor, &status) == 0, Int(status.st_size) < position {
      lseek(descriptor, 0, SEEK_SET)
      position = 0
      lines.clear()
    }
  }

  /// Opens the file that followed the one just read to its end; false when that is the current one.
  private func openFollowing() throws(LogFileError) -> Bool {
    guard let inode = current?.inode else { return false }
    if inodeOf(0) == inode || !SmallFile.exists(path) { return false }
    for number in 1...Limits.logFiles {
      guard let other = inodeOf(number) else { break }
      if other == inode {
        try open(number - 1)
        return true
      }
    }
    // The one just read is gone: all that there is came after it.
    guard let oldest = oldestNumber() else { return false }
    try open(oldest)
    return true
  }

  private func inodeOf(_ number: Int) -> UInt64? {
    var status = stat()
    return stat(path(number), &status) == 0 ? UInt64(status.st_ino) : nil
  }

  private func hasMore() -> Bool {
    guard let current else { return SmallFile.exists(path) }
    var status = stat()
    guard fstat(current.descriptor.value, &status) == 0 else { return true }
    return Int(status.st_size) != position || (inodeOf(0).map { $0 != current.inode } ?? false)
  }
}

/// Tells a poll loop that a file in a directory was made, moved or written to.
private struct FileWatch {
  private let held: Descriptor

  init?(directory: String) {
    let number = inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC))
    guard number >= 0 else { return nil }
    held = Descriptor(owning: number)
    let events = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO)
    guard inotify_add_watch(number, directory, events) >= 0 else { return nil }
  }

  var descriptor: Int32 { held.value }
}
