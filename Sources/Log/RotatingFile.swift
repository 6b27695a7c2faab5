import EventLoop
import Events
import Glibc
import Synchronization
import Time

/// A log file that begins anew when it has reached its size: `checkpost.jsonl`, and beside it the
/// older `checkpost.jsonl.1`, `.2` and so on, as many as are to be kept.
///
/// What the disk does not take for now waits in memory, as far as there is room, and goes into the file
/// before what follows it. A line of which only a part got to the disk is ended before the next one.
public final class RotatingFile: LogSink {
  private struct State {
    var descriptor: Descriptor
    var size: Int
    /// Whether the last line in the file has no end.
    var isTorn: Bool
    var sizeLimit: Int
    var fileCount: Int
    /// Lines that the disk did not take yet, oldest first.
    var waiting: [[UInt8]] = []
    /// Lines that were let go of for want of room.
    var lost = 0
    /// How many of them the file tells of.
    var told = 0
    /// Whether something was written since the last sync.
    var isDirty = false
    /// Files that were begun anew since then.
    var retired: [Descriptor] = []
  }

  /// The current file.
  public let path: String
  private let state: Mutex<State>

  /// Opens the file, making it when it does not exist, readable by its owner and its group. One that
  /// another service writes is refused. On a disk
  /// that is full or read-only for now, it is opened with the first record that the disk takes.
  ///
  /// - Parameters:
  ///   - size: the bytes at which a new file is begun.
  ///   - count: the files that are kept, the current one among them.
  public init(path: String, size: Int, count: Int) throws(LogFileError) {
    self.path = path
    var opened: Opened
    do {
      opened = try RotatingFile.open(path)
    } catch .noStorage {
      opened = Opened(descriptor: Descriptor(owning: -1), size: 0, isTorn: false)
    }
    state = Mutex(
      State(
        descriptor: opened.descriptor, size: opened.size, isTorn: opened.isTorn,
        sizeLimit: max(size, 1), fileCount: min(max(count, 1), Limits.logFiles)))
  }

  /// Appends the record as a line of JSON, in a new file when it would not fit into this one.
  public func write(_ record: LogRecord) {
    let bytes = Array((record.json + "\n").utf8)
    state.withLock { state in
      guard state.waiting.isEmpty, state.lost == state.told, append(bytes, &state, at: record.time)
      else {
        wait(bytes, &state)
        catchUp(&state, at: record.time)
        return
      }
    }
  }

  /// Changes when files begin anew and how many are kept, from the next record on.
  public func change(size: Int, count: Int) {
    state.withLock { state in
      state.sizeLimit = max(size, 1)
      state.fileCount = min(max(count, 1), Limits.logFiles)
    }
  }

  /// Goes on in a new file under the same path, and moves none.
  public func reopen() {
    state.withLock { begin(&$0, movingOld: false) }
  }

  /// Brings what was written so far to the disk; blocks for as long as the disk takes.
  public func sync() {
    let (isDirty, files, isNew) = state.withLock { state in
      defer {
        state.isDirty = false
        state.retired = []
      }
      return (state.isDirty, state.retired + [state.descriptor], !state.retired.isEmpty)
    }
    guard isDirty else { return }
    for file in files where file.value >= 0 {
      _ = fdatasync(file.value)
    }
    if isNew, let slash = path.lastIndex(of: "/") {
      let directory = slash == path.startIndex ? "/" : String(path[..<slash])
      let opened = Descriptor(owning: Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
      if opened.value >= 0 { _ = fsync(opened.value) }
    }
  }

  /// Whether all that was written was synced since.
  public var isSynced: Bool { state.withLock { !$0.isDirty } }

  /// Records that are not in the file, whole or at all, or not yet.
  public var dropped: Int { state.withLock { $0.lost + $0.waiting.count } }
}

extension RotatingFile {
  /// Keeps a line that cannot be written now; the oldest goes where there is no room.
  private func wait(_ bytes: [UInt8], _ state: inout State) {
    state.waiting.append(bytes)
    if state.waiting.count > Limits.logLinesWaiting {
      // Half at once, so that the array is not shifted for every line.
      let gone = state.waiting.count / 2
      state.waiting.removeFirst(gone)
      state.lost += gone
    }
  }

  /// Writes what waits, as far as the disk takes it; first of all how much did not wait.
  private func catchUp(_ state: inout State, at time: WallTime) {
    if state.lost > state.told {
      let event = Event(
        "log_gap", .warning, at: time,
        words:
          "\(state.lost - state.told) events are not in this log: \(path) could not be written",
        fields: [EventField("count", .integer(Int64(state.lost - state.told)))])
      guard append(RotatingFile.line(event), &state, at: time) else { return }
      state.told = state.lost
    }
    var written = 0
    while written < state.waiting.count, append(state.waiting[written], &state, at: time) {
      written += 1
    }
    state.waiting.removeFirst(written)
  }

  /// Writes one line; false when the file has not all of it.
  private func append(_ bytes: [UInt8], _ state: inout State, at time: WallTime) -> Bool {
    if state.descriptor.value < 0 {
      guard let opened = try? RotatingFile.open(path) else { return false }
      (state.descriptor, state.size, state.isTorn) = (
        opened.descriptor, opened.size, opened.isTorn
      )
    }
    if state.size > 0, state.size + bytes.count > state.sizeLimit {
      begin(&state, movingOld: true)
      // Divided, so that no size is too large to be multiplied.
      if (state.size + bytes.count) / state.fileCount > state.sizeLimit {
        cut(&state, at: time)
      }
    }
    return put(bytes, &state)
  }

  private func put(_ line: [UInt8], _ state: inout State) -> Bool {
    let bytes = state.isTorn ? [0x0A] + line : line
    let count = writeSome(bytes, to: state.descriptor.value)
    guard count > 0 else { return false }
    state.size += count
    state.isDirty = true
    state.isTorn = bytes[count - 1] != 0x0A
    // A line that lacks nothing but its end is there once the next one ends it.
    return count >= bytes.count - 1
  }

  /// Empties a file that could not be moved away, since its directory cannot be written: when it is as
  /// large as all files together may be, so that the disk is not filled. The first record of what
  /// follows says so.
  private func cut(_ state: inout State, at time: WallTime) {
    guard ftruncate(state.descriptor.value, 0) == 0 else { return }
    state.size = 0
    state.isTorn = false
    let event = Event(
      "log_cut", .warning, at: time,
      words:
        "older events are gone: \(path) was full and cannot be moved away; let the service write"
        + " in its directory")
    _ = put(RotatingFile.line(event), &state)
  }

  /// Goes on in a new file. When it cannot be begun, the old one goes on growing up to the size of all
  /// files together: a log that is too large is worth more than none.
  private func begin(_ state: inout State, movingOld: Bool) {
    if movingOld {
      if state.fileCount == 1 {
        unlink(path)
      } else {
        for number in stride(from: state.fileCount - 2, through: 1, by: -1) {
          rename("\(path).\(number)", "\(path).\(number + 1)")
        }
        rename(path, "\(path).1")
      }
    }
    // Where the path leads to the same file again, it is locked anew.
    _ = flock(state.descriptor.value, LOCK_UN)
    if let opened = try? RotatingFile.open(path) {
      // It is closed once it is on disk, which is not waited for here.
      state.retired.append(state.descriptor)
      if state.retired.count > Limits.logFilesToSync { state.retired.removeFirst().close() }
      (state.descriptor, state.size, state.isTorn) = (
        opened.descriptor, opened.size, opened.isTorn
      )
    }
  }

  private static func line(_ event: Event) -> [UInt8] {
    Array((LogRecord(event, mask: .short).json + "\n").utf8)
  }

  private struct Opened {
    var descriptor: Descriptor
    var size: Int
    var isTorn: Bool
  }

  private static func open(_ path: String) throws(LogFileError) -> Opened {
    // A pipe without a reader would hold the service up, where not even a signal reaches it.
    let number = Glibc.open(
      path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o640)
    guard number >= 0 else {
      switch errno {
      case ENXIO: throw .isPipe(path: path)
      case ENOENT, ENOTDIR: throw .missingDirectory(path: path)
      case EISDIR: throw .isDirectory(path: path)
      case EACCES, EPERM: throw .noPermission(path: path)
      case ENOSPC, EDQUOT, EROFS: throw .noStorage(path: path, reason: systemMessage(errno))
      default: throw .system(path: path, reason: systemMessage(errno))
      }
    }
    let descriptor = Descriptor(owning: number, isLocked: true)
    var status = stat()
    guard fstat(number, &status) == 0 else {
      throw .system(path: path, reason: systemMessage(errno))
    }
    guard status.st_mode & S_IFMT != S_IFIFO else { throw .isPipe(path: path) }
    // Two services would each move the other's files away. Where there are no locks, none is missed.
    if status.st_mode & S_IFMT == S_IFREG, flock(number, LOCK_EX | LOCK_NB) != 0,
      errno == EWOULDBLOCK
    {
      throw .inUse(path: path)
    }
    let size = Int(status.st_size)
    return Opened(
      descriptor: descriptor, size: size, isTorn: size > 0 && !endsItsLastLine(path, size))
  }

  /// Whether a file ends with the end of a line: a power cut may have taken the rest of the last one.
  private static func endsItsLastLine(_ path: String, _ size: Int) -> Bool {
    let opened = Descriptor(owning: Glibc.open(path, O_RDONLY | O_CLOEXEC))
    var last: UInt8 = 0
    // What cannot be read is taken for torn: an empty line more does no harm.
    return opened.value >= 0 && pread(opened.value, &last, 1, size - 1) == 1 && last == 0x0A
  }
}
