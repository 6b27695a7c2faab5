public import AT
public import GSM

/// One maker of modems: how its modems are recognised, and what is particular about them.
///
/// Everything about a maker stands in one file of `Makers`; ``MakerList/known`` lists them all.
public struct ModemMaker: Hashable, Sendable {
  /// What is set up for some of a maker's modems.
  public struct Series: Hashable, Sendable {
    /// Words of the model that they have, in lower case; none is all that are left.
    public var models: [String]
    /// What is particular about them.
    public var profile: MakerProfile
  }

  /// A stable name, in lower case.
  public let name: String
  /// Words that the answer to `AT+CGMI` has one of, in lower case.
  public var manufacturers: [String]
  /// How words of the answer to `AT+CGMM` begin, in lower case: for modems that are sold under another
  /// name, or call their maker `INCORPORATED`.
  public var models: [String] = []
  /// What is set up for its modems; of several that fit the first holds.
  public var series: [Series] = []
  /// What its own error codes mean.
  public var errors = ErrorFamily.standard
  /// What its modems tell by themselves, beside what the standards have.
  public var lines = UnsolicitedLines()
  /// How its modems show themselves on USB.
  public var usb = USBNumbers()

  /// A maker.
  ///
  /// - Parameter manufacturers: Words of the answer to `AT+CGMI`; its name when nothing else is given.
  public init(
    _ name: String, manufacturers: [String]? = nil, _ change: (inout ModemMaker) -> Void = { _ in }
  ) {
    self.name = name
    self.manufacturers = manufacturers ?? [name]
    change(&self)
  }

  /// Adds what is set up for modems whose model has one of these words; without words for all others.
  public mutating func addSeries(_ profile: MakerProfile, models: [String] = []) {
    series.append(Series(models: models, profile: profile))
  }

  /// Whether the answer to `AT+CGMI`, in lower case, is this maker's.
  func isNamed(in manufacturer: String) -> Bool {
    manufacturers.contains { manufacturer.contains($0) }
  }

  /// What is set up for a model, in lower case; nil when there is nothing for it.
  func profile(of model: String) -> MakerProfile? {
    series.first { entry in
      entry.models.isEmpty || entry.models.contains { model.contains($0) }
    }?.profile
  }
}
