public import AT
public import GSM

/// The makers that are known, and what a modem is recognised as among them.
public struct MakerList: Sendable {
  /// What a modem turned out to be.
  public struct Recognition: Hashable, Sendable {
    /// What is set up for it.
    public var profile: MakerProfile
    /// What its own error codes mean.
    public var errors: ErrorFamily

    /// A modem of which nothing is known.
    public static let unknown = Recognition(profile: .generic, errors: .standard)
  }

  /// The makers; of several that fit the first holds.
  public let makers: [ModemMaker]
  /// What modems of all of them tell by themselves.
  public let lines: UnsolicitedLines

  /// A list of these makers.
  public init(_ makers: [ModemMaker]) {
    self.makers = makers
    lines = makers.reduce(.common) { $0.merged(with: $1.lines) }
  }

  /// The makers that this program knows.
  public static let known = MakerList([
    .huawei, .zte, .simcom, .quectel, .ublox, .sierra, .telit, .cinterion, .fibocom, .qualcomm,
    .others,
  ])

  /// What the modem is that answers this to `AT+CGMI` and `AT+CGMM`. A maker that calls itself
  /// otherwise is known by its model; one that is not known keeps to the standards.
  public func recognise(manufacturer: String?, model: String?) -> Recognition {
    let manufacturer = (manufacturer ?? "").lowercased()
    let model = (model ?? "").lowercased()
    let named = makers.filter { $0.isNamed(in: manufacturer) }
    let byModel = maker(ofModel: model)
    let profiled = (named + (byModel.map { [$0] } ?? [])).first { $0.profile(of: model) != nil }
    let ownErrors = named.first { $0.errors != .standard } ?? profiled
    return Recognition(
      profile: profiled?.profile(of: model) ?? .generic, errors: ownErrors?.errors ?? .standard)
  }

  /// The maker of a model, in lower case.
  private func maker(ofModel model: String) -> ModemMaker? {
    let words = model.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return makers.first { maker in
      words.contains { word in maker.models.contains { word.hasPrefix($0) } }
    }
  }

  /// What chooses the access technology of any modem: no other command is ever put back.
  public var accessSwitches: [AccessSwitch] {
    makers.flatMap { $0.series.flatMap(\.profile.accessSwitches) } + [.standard]
  }
}
