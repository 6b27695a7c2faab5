public import EventLoop
import JSON
import NodeCore
import Passages
import Time

/// Where members of the service's group put down passages while the service does not run, and from where it
/// takes them when it does: a file for each batch.
///
/// Each passage has its identity before it is written, so that one which is taken in twice is one all the same.
struct Spool: Hashable, Sendable {
  /// Its bounds.
  enum Limits {
    /// Files that wait at most, and the bytes that they have together.
    static let most = (files: 2_000, bytes: 16 << 20)
    /// Bytes of one of them at most.
    static let fileBytes = 2 << 20
  }

  /// Stands for the post of a passage where no settings could be read that name it: the service knows it.
  static let unknownPost = "-"

  private static let ending = ".passages"
  /// The ending of a file that could not be taken in, and is left for a person.
  static let badEnding = ".unreadable"

  private let place: DropDirectory

  /// The spool in that directory.
  init(_ directory: String) {
    place = DropDirectory(directory)
  }

  /// Where it lies.
  var directory: String { place.path }

  /// Whether this user may put something down there.
  var isUsable: Bool { place.isUsable }

  /// When passages were put down.
  struct Moment: Hashable {
    /// What names the start of the machine.
    var bootID: String
    /// What the machine's boot clock showed.
    var boot: BootInstant
    /// What the wall clock showed.
    var wall: WallTime
  }

  /// What a file holds.
  struct Batch {
    var moment: Moment
    var requests: [RecordRequest]
  }

  /// Puts passages down; when this returns they are on disk.
  ///
  /// - Parameter token: What tells this file from every other.
  /// - Throws: ``SpoolError``; then none of them is.
  func put(_ requests: [RecordRequest], at moment: Moment, token: UInt64) throws(SpoolError) {
    var text = JSONText.line(
      .object([
        "spool": 1, "boot_id": .text(moment.bootID), "boot_ns": .integer(moment.boot.nanoseconds),
        "wall_ms": .integer(moment.wall.milliseconds),
      ]))
    for request in requests {
      text += "\n" + JSONText.line(.object(RecordMessage.object(request)))
    }
    let bytes = Array((text + "\n").utf8)
    guard bytes.count <= Limits.fileBytes else {
      throw SpoolError(.full, directory: directory)
    }
    // Names sort by time, as far as the clock is right.
    let digits = String(max(moment.wall.milliseconds, 0))
    let zeros = String(repeating: "0", count: max(0, 15 - digits.utf8.count))
    do throws(DropDirectory.Failure) {
      try place.put(
        bytes, as: "\(zeros)\(digits)-\(String(token, radix: 16))\(Spool.ending)",
        most: Limits.most)
    } catch {
      throw SpoolError(error, directory: directory)
    }
  }

  /// Makes the directory where the group may pass to it, and removes what was never finished there.
  func prepare(at now: WallTime) {
    place.make()
    place.tidy(at: now)
  }

  /// The names of the files that wait, in the order in which they were written.
  func waiting() -> [String] { place.names(ending: Spool.ending) }

  /// The names of the files that could not be taken in.
  func unreadable() -> [String] { place.names(ending: Spool.badEnding) }

  /// Reads a file; nil for one that is no batch of passages.
  func batch(_ name: String) throws(SpoolError) -> Batch? {
    let bytes: [UInt8]
    do throws(DropDirectory.Failure) {
      bytes = try place.read(name, limit: Limits.fileBytes)
    } catch .unreadable {
      return nil
    } catch {
      throw SpoolError(error, directory: directory)
    }
    let lines = bytes.split(separator: 0x0A)
    guard let head = lines.first.flatMap({ JSONText.decode($0)?.object }),
      head["spool"]?.integer == 1, let boot = head["boot_ns"]?.integer,
      let wall = head["wall_ms"]?.integer, let bootID = head["boot_id"]?.text
    else { return nil }
    let requests = lines.dropFirst().compactMap {
      JSONText.decode($0)?.object.flatMap(RecordMessage.request)
    }
    guard !requests.isEmpty, requests.count == lines.count - 1 else { return nil }
    return Batch(
      moment: Moment(
        bootID: bootID, boot: BootInstant(nanoseconds: boot), wall: WallTime(milliseconds: wall)),
      requests: requests)
  }

  /// Removes a file whose passages are in the queue.
  func remove(_ name: String) { place.remove(name) }

  /// Leaves a file for a person to look at.
  func setAside(_ name: String) { place.rename(name, to: name + Spool.badEnding) }
}

/// Why passages cannot be put down, or taken in.
public struct SpoolError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What stands in the way.
  public let failure: DropDirectory.Failure
  /// Where they would lie.
  public let directory: String

  init(_ failure: DropDirectory.Failure, directory: String) {
    self.failure = failure
    self.directory = directory
  }

  /// What is wrong, in words.
  public var description: String {
    switch failure {
    case .missing: "there is no directory \(directory)"
    case .denied: "this user may not write to \(directory)"
    case .full: "\(directory) is full: the service has not taken in what waits there"
    case .unreadable: "\(directory) holds something that is not a file of passages"
    case .system(let reason): "\(directory): \(reason)"
    }
  }
}
