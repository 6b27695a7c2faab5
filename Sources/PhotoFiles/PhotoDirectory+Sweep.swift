import EventLoop
import Glibc

extension PhotoDirectory {
  /// That photographs are being kept whose passages are still to be recorded: while it lasts, nobody
  /// sweeps. It ends with the process, however that ends.
  public struct Hold: Sendable {
    private let descriptor: Descriptor

    fileprivate init(_ number: Int32) {
      descriptor = Descriptor(owning: number, isLocked: true)
    }

    /// Ends it.
    public func end() { descriptor.close() }
  }

  /// Keeps sweeps away, from other processes too; waits for one that is under way.
  public func hold() throws(PhotoStorageError) -> Hold {
    try makeForHolding()
    let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw PhotoStorageError(path, errno) }
    let hold = Hold(number)
    while flock(number, LOCK_SH) != 0 {
      guard errno == EINTR else { throw PhotoStorageError(path, errno) }
    }
    return hold
  }

  /// Removes photographs that belong to no passage, and what was begun and never finished. Does nothing
  /// while somebody holds the directory.
  ///
  /// - Parameter isKnown: Which of these names belong to passages.
  /// - Returns: How many were removed; nil when it was not the moment.
  public func sweep<Failure: Error>(
    _ isKnown: ([String]) throws(Failure) -> Set<String>
  ) throws(Failure) -> Int? {
    let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    let lock = Descriptor(owning: number, isLocked: true)
    defer { lock.close() }
    guard flock(number, LOCK_EX | LOCK_NB) == 0 else { return nil }
    // Listed before it is asked which are known: what is kept after that is not among them.
    let drafts = SystemFile.names(in: path) { PhotoDirectory.isDraft($0) }
    let names = content().names
    let known = names.isEmpty ? [] : try isKnown(names)
    let orphans = names.filter { !known.contains($0) }
    return (drafts + orphans).count { unlink("\(path)/\($0)") == 0 }
  }

  private func makeForHolding() throws(PhotoStorageError) {
    guard mkdir(path, 0o750) != 0, errno != EEXIST else { return }
    throw PhotoStorageError(path, errno)
  }
}
