public import Log
public import Time

/// What a role is put together with, beside its settings.
public struct RoleContext: Sendable {
  /// The clocks by which it decides.
  public var clocks: any Clocks
  /// The clocks of its modems: a demo that moves the others forward leaves a modem its deadlines.
  public var modemClocks: any Clocks
  /// Where all that happens is told.
  public var log: ServiceLog

  /// A context; modems have the clocks of the role unless they are given their own.
  public init(clocks: any Clocks, modemClocks: (any Clocks)? = nil, log: ServiceLog) {
    self.clocks = clocks
    self.modemClocks = modemClocks ?? clocks
    self.log = log
  }
}
