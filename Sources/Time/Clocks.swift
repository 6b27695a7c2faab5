/// The two clocks of the system, handed to whatever needs to know the time.
///
/// Layers 1 and 2 never hold one of these: they are told the time with each event. Shells read it,
/// and tests and the simulation hand in clocks that stand still, run fast or jump.
public protocol Clocks: Sendable {
  /// The boot-time clock, which counts suspend and never jumps.
  func boot() -> BootInstant

  /// The wall clock, which may jump either way.
  func wall() -> WallTime
}
