public import Time

/// A clock for tests, standing still.
public struct StoppedClocks: Clocks {
  /// What the boot clock says.
  public var bootTime: BootInstant
  /// What the wall clock says.
  public var wallTime: WallTime

  /// A clock that says midnight of the boot clock, unless told otherwise.
  public init(
    bootTime: BootInstant = .zero, wallTime: WallTime = WallTime(epochSeconds: 1_795_263_731)
  ) {
    self.bootTime = bootTime
    self.wallTime = wallTime
  }

  /// What the boot clock says.
  public func boot() -> BootInstant { bootTime }
  /// What the wall clock says.
  public func wall() -> WallTime { wallTime }
}
