extension MakerProfile {
  /// The makers of models that call their maker otherwise (`INCORPORATED`, `QUALCOMM INCORPORATED`, the
  /// name of whoever sells them): how a word of the model begins, and the maker as the table has it.
  private static let makersOfModels: [(maker: String, models: [String])] = [
    ("simcom", ["simcom", "a76", "sim3", "sim5", "sim6", "sim7", "sim8", "sim9"]),
    (
      "quectel",
      [
        "quectel", "ec20", "ec21", "ec25", "ec200", "eg06", "eg12", "eg18", "eg21", "eg25", "eg91",
        "eg95", "eg800", "ep06", "em05", "em06", "em12", "bg77", "bg95", "bg96", "uc15", "uc20",
        "ug95", "ug96", "rm50", "rm52", "rg50",
      ]
    ),
    (
      "huawei",
      [
        "huawei", "mu509", "mu609", "mu709", "me906", "me909", "em660", "em770", "em820", "e153",
        "e156", "e160", "e169", "e171", "e172", "e173", "e176", "e177", "e180", "e220", "e226",
        "e230", "e303", "e352", "e353", "e355", "e367", "e372", "e392", "e398", "e1550", "e1552",
        "e1750", "e1752", "e1756", "e1762", "e1820", "e3131", "e3272", "e3276", "e3372", "e3531",
        "k3520", "k3565", "k3715", "k3765", "k3770", "k3772", "k4505", "k4510", "k4605",
      ]
    ),
    ("zte", ["zte", "mf1", "mf6", "mf7", "mf8", "k3805", "k3806", "k4201", "k5006"]),
    ("telit", ["telit", "le910", "le940", "he910", "ue910", "ge910", "ge864", "gl865", "uc864"]),
    ("ublox", ["ublox", "sara", "lisa", "toby", "lara", "leon"]),
    (
      "sierra",
      [
        "sierra", "wavecom", "wmod2", "em7305", "em7345", "em7355", "em7430", "em7455", "em7511",
        "em7565", "mc7304", "mc7354", "mc7455", "mc8775", "mc8790", "hl76", "hl78", "hl85", "wp76",
      ]
    ),
    (
      "cinterion",
      ["cinterion", "pls6", "pls8", "phs8", "ehs5", "ehs6", "els6", "bgs2", "tc35", "tc63", "tc65"]
    ),
    ("fibocom", ["fibocom", "nl668", "nl678", "l610", "l716", "l850", "l860", "ma510", "fm150"]),
  ]

  /// The maker of a model in the words of the table; empty when it is not known.
  ///
  /// - Parameter model: the answer to `AT+CGMM` in lower case.
  static func maker(ofModel model: String) -> String {
    let words = model.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let known = makersOfModels.first { entry in
      words.contains { word in entry.models.contains { word.hasPrefix($0) } }
    }
    return known?.maker ?? ""
  }
}
