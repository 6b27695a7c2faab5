import CDispatch
public import CentralCore
import EventLoop
import Glibc
import Time

extension ObjectDirectory {
  /// Removes photographs that no passage names and that were written before the moment of the look, of those that
  /// it is about; and what was begun before that and never finished. One that is back after a loss of power is
  /// removed another time.
  ///
  /// - Parameter named: Which of these photographs belong to something.
  /// - Returns: How many photographs were removed.
  public func sweep<Failure: Error>(
    _ sweep: inout PhotographSweep, _ named: ([PhotoName]) throws(Failure) -> Set<PhotoName>
  ) throws(Failure) -> Int {
    var drafts: [String] = []
    // None is wanted as a list, which may be long: each is offered as it is read.
    _ = SystemFile.names(in: path) { name in
      if name.hasPrefix(ObjectDirectory.draftStart) {
        drafts.append(name)
      } else if let photograph = PhotoName(name) {
        sweep.offer(photograph)
      }
      return false
    }
    let moment = sweep.moment
    for draft in drafts where isFile(draft, writtenBefore: moment) { unlink("\(path)/\(draft)") }
    let old = sweep.names.filter { isFile($0.text, writtenBefore: moment) }
    let known = old.isEmpty ? [] : try named(old)
    // What was replaced while it was asked is young, and what is no photograph was put there by somebody else.
    return old.count { name in
      !known.contains(name) && isPhotograph(name) && isFile(name.text, writtenBefore: moment)
        && unlink("\(path)/\(name.text)") == 0
    }
  }

  private func isFile(_ name: String, writtenBefore moment: WallTime) -> Bool {
    var status = stat()
    return lstat("\(path)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && Int64(status.st_mtim.tv_sec) < moment.epochSeconds
  }

  private func isPhotograph(_ name: PhotoName) -> Bool {
    SystemFile.bytes("\(path)/\(name.text)", limit: 8).flatMap { ObjectKind($0) } != nil
  }
}
