import EventLoop
import Glibc
public import Time

/// Keeps what was said on a modem's line when something failed, as files of a directory: the newest
/// ones, and not more often than now and then.
public struct TraceFiles: Sendable {
  /// The directory.
  public let directory: String

  /// Files in a directory, which is made when it is not there and its parent is.
  public init(directory: String) {
    self.directory = directory
  }

  /// Writes a trace, and removes the oldest ones beyond the number that is kept.
  ///
  /// - Parameters:
  ///   - name: Whose it is: `node`, or a modem's name.
  ///   - text: The trace.
  ///   - reason: What failed, in words; stands in the file as a comment.
  /// - Returns: The file, or in words why there is none.
  public func keep(
    _ name: String, text: String, reason: String, at time: WallTime
  ) -> Result<String, TraceFileError> {
    _ = mkdir(directory, 0o750)
    let moment = time.rfc3339.filter { $0.isNumber || $0 == "T" }.prefix(15)
    let path = "\(directory)/modem-\(name)-\(moment).trace"
    // After the header, which has to be the first line.
    let comment = "# \(time.rfc3339): \(reason.replacing("\n", with: " "))\n"
    let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let whole = (lines.first.map { "\($0)\n" } ?? "") + comment + (lines.count > 1 ? lines[1] : "")
    do throws(SmallFile.Failure) {
      try SmallFile.replace(path, bytes: Array(whole.utf8))
    } catch {
      return .failure(TraceFileError(path: path, reason: "\(error)"))
    }
    prune()
    return .success(path)
  }

  private func prune() {
    let names = SystemFile.names(in: directory) { $0.hasPrefix("modem-") && $0.hasSuffix(".trace") }
    // By their times, whatever their names begin with.
    let sorted = names.sorted { $0.suffix(Limits.traceSuffix) < $1.suffix(Limits.traceSuffix) }
    for name in sorted.dropLast(Limits.traceFiles) { unlink("\(directory)/\(name)") }
  }
}

/// Why a trace was not kept.
public struct TraceFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  public var path: String
  /// What stands in the way.
  public var reason: String

  /// What is wrong, with which file, and what to do.
  public var description: String {
    "\(path): the modem's trace cannot be kept: \(reason); correct modem.trace_directory"
  }
}
