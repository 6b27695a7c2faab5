import SimulatedDisk
import TestSupport

/// A disk on which work is done once, and a second one that becomes what a power cut would leave of it at
/// each change.
struct Cuts {
  let disk: SimulatedDisk
  let image: SimulatedDisk
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    disk = SimulatedDisk(path: directory.file("node.db"))
    image = SimulatedDisk(path: directory.file("image.db"))
    disk.remember()
  }

  /// What is left of what was not synced, in each way that is tried.
  static let rests: [(rest: SimulatedDisk.Rest, seed: UInt64)] = [
    (.nothing, 0), (.everything, 0), (.beginning, 1), (.any, 2),
  ]

  /// Cuts the power at each change in each way, or in one way after the other, and hands over how many changes were whole.
  func each(
    from first: Int = 0, inEachWay: Bool = true,
    _ body: (_ changes: Int, _ words: String) throws -> Void
  ) throws {
    for changes in first...disk.changes {
      for (number, (rest, seed)) in Cuts.rests.enumerated()
      where inEachWay || changes % Cuts.rests.count == number {
        disk.goBack(to: changes, in: image)
        image.powerCut(rest, seed: seed &+ UInt64(changes) &* 31)
        try body(changes, "cut at change \(changes), \(rest) \(seed)")
      }
    }
  }
}
