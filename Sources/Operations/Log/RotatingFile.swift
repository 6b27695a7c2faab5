import EventLoop
import Glibc
import Synchronization
import Timing

/// A log file that begins anew when it has reached its size: `checkpost.jsonl`, and beside it the
/// older `checkpost.jsonl.1`, `.2` and so on, as many as are to be kept.
public final class RotatingFile: LogSink {
  private struct State {
    var descriptor: Descriptor
    var size: Int
    var sizeLimit: Int
    var fileCount: Int
    var dropped = 0
  }

  /// The current file.
  public let path: String
  private let state: Mutex<State>

  /// Opens the file, making it when it does not exist, readable by its owner and its group.
  ///
  /// - Parameters:
  ///   - size: the bytes at which a new file is begun.
  ///   - count: the files that are kept, the current one among them.
  public init(path: String, size: Int, count: Int) throws(LogFileError) {
    self.path = path
    let opened = try RotatingFile.open(path)
    state = Mutex(
      State(
        descriptor: opened.descriptor, size: opened.size, sizeLimit: max(size, 1),
        fileCount: min(max(count, 1), Limits.logFiles)))
  }

  /// Appends the record as a line of JSON, in a new file when it would not fit into this one.
  public func write(_ record: LogRecord) {
    let bytes = Array((record.json + "\n").utf8)
    state.withLock { state in
      if state.size > 0, state.size + bytes.count > state.sizeLimit {
        begin(&state, movingOld: true)
        // Divided, so that no size is too large to be multiplied.
        if (state.size + bytes.count) / state.fileCount > state.sizeLimit {
          cut(&state, at: record.time)
        }
      }
      if writeWhole(bytes, to: state.descriptor.value) {
        state.size += bytes.count
      } else {
        state.dropped += 1
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

  /// Records that did not get into the file, whole or at all.
  public var dropped: Int { state.withLock { $0.dropped } }

  /// Empties a file that could not be moved away, since its directory cannot be written: when it is as
  /// large as all files together may be, so that the disk is not filled. The first record of what
  /// follows says so.
  private func cut(_ state: inout State, at time: WallTime) {
    guard ftruncate(state.descriptor.value, 0) == 0 else { return }
    state.size = 0
    let event = ServiceEvent(
      "log_cut", .warning, at: time,
      words:
        "older events are gone: \(path) was full and cannot be moved away; let the service write"
        + " in its directory")
    let bytes = Array((LogRecord(event, mask: .short).json + "\n").utf8)
    if writeWhole(bytes, to: state.descriptor.value) {
      state.size = bytes.count
    } else {
      state.dropped += 1
    }
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
    if let opened = try? RotatingFile.open(path) {
      state.descriptor.close()
      state.descriptor = opened.descriptor
      state.size = opened.size
    }
  }

  private static func open(_ path: String) throws(LogFileError) -> (
    descriptor: Descriptor, size: Int
  ) {
    let number = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o640)
    guard number >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR: throw .missingDirectory(path: path)
      case EISDIR: throw .isDirectory(path: path)
      case EACCES, EPERM: throw .noPermission(path: path)
      default: throw .system(path: path, reason: systemMessage(errno))
      }
    }
    let descriptor = Descriptor(owning: number)
    var status = stat()
    guard fstat(number, &status) == 0 else {
      throw .system(path: path, reason: systemMessage(errno))
    }
    return (descriptor, Int(status.st_size))
  }
}
