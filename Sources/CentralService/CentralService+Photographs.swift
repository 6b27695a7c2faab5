public import CentralCore
import Passages
public import Storage
import Time

/// Photographs that belong to nothing.
extension CentralService {
  /// Looks for photographs that no passage names, of which it is told, and returns how many it removed.
  public typealias Sweeping =
    @Sendable (
      _ sweep: inout PhotographSweep, _ named: ([PhotoName]) throws(StorageError) -> Set<PhotoName>
    ) throws(StorageError) -> Int

  /// Removes photographs that belong to nothing any more, and forgets those that are gone.
  func removeDroppedPhotographs() throws(StorageError) {
    guard let keeping = store as? any KeepingStore else { return }
    let names = try keeping.droppedPhotographs(limit: Limits.removedPhotographs)
    guard !names.isEmpty else { return }
    let gone = removePhotographs(names)
    if !gone.isEmpty { try keeping.forget(photographs: gone) }
  }

  /// Where it is time to, looks at some more photographs for those that no passage ever named, and counts what goes.
  func sweep(
    writtenBefore moment: WallTime, _ agenda: inout CentralAgenda
  ) throws(StorageError) {
    let now = clocks.boot()
    guard agenda.sweepAt <= now, let keeping = store as? any KeepingStore else { return }
    // A service that is started often begins somewhere else each time, so that it comes to all of them.
    var random = SystemRandomNumberGenerator()
    let start = PhotoName(ClientID(random: random.next(), random.next()).description)
    var sweep = PhotographSweep(
      after: agenda.sweptThrough ?? start, writtenBefore: moment, limit: Limits.sweptPhotographs)
    agenda.dropped.photographs += try sweepPhotographs(&sweep) { names throws(StorageError) in
      try keeping.namedPhotographs(among: names)
    }
    agenda.sweptThrough = sweep.names.last ?? agenda.sweptThrough
    agenda.sweepAt = now + CentralCore.Limits.expiredEvery
  }
}
