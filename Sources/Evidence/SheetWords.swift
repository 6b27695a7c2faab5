/// The languages of the driver's sheet.
public enum SheetLanguage: String, CaseIterable, Hashable, Sendable {
  /// English.
  case english = "en"
  /// Nepali.
  case nepali = "ne"
}

/// Everything that the driver's sheet says of itself, in each language: another language is another column.
public enum SheetLabel: String, CaseIterable, Hashable, Sendable {
  case speeding, overstay
  case provisional, final, retracted
  case number, vehicle, type, segment, entry, exit, travel, averageSpeed, allowed, limit,
    recordedBy, outcome
  case atLeast, atMost, writtenTwice
  case hours, minutes, seconds, kilometres, kilometresPerHour
  case warned, fined, letGo, notFound, other, rupees, byWhom
  case car, jeepSUV, minibus, bus, truck, tanker, motorcycle, autoRickshaw, tractor, otherVehicle,
    pickup, van
  case photographs, noPhotograph, missingPhotograph
  case officer, driver, printedAt, identifier

  /// What it says.
  public func words(_ language: SheetLanguage) -> String {
    let words = SheetLabel.table(self)
    return switch language {
    case .english: words.english
    case .nepali: words.nepali
    }
  }

  /// The table. `{}` stands where something is put in.
  private static func table(_ label: SheetLabel) -> (english: String, nepali: String) {
    switch label {
    case .speeding: ("Speeding", "तीव्र गति")
    case .overstay: ("Overstay", "तोकिएको समय नाघेको")
    case .provisional:
      (
        "Provisional: a record that has not come yet may change it.",
        "अस्थायी: आउन बाँकी अभिलेखले यसलाई बदल्न सक्छ।"
      )
    case .final: ("Final.", "अन्तिम।")
    case .retracted:
      (
        "Retracted: what came later disproved it. Nobody is to be fined for it.",
        "रद्द: पछि आएको अभिलेखले यो गलत देखायो। यसका लागि कसैलाई जरिवाना हुँदैन।"
      )
    case .number: ("Number", "क्रम संख्या")
    case .vehicle: ("Vehicle", "सवारी नम्बर")
    case .type: ("Type", "सवारीको किसिम")
    case .segment: ("Road", "सडक खण्ड")
    case .entry: ("First seen", "पहिलो चेकपोस्ट")
    case .exit: ("Seen again", "दोस्रो चेकपोस्ट")
    case .travel: ("Time taken", "लागेको समय")
    case .averageSpeed: ("Average speed", "औसत गति")
    case .allowed: ("Time allowed", "तोकिएको समय")
    case .limit: ("Speed limit", "गति सीमा")
    case .recordedBy: ("Recorded by", "अभिलेख राख्ने")
    case .outcome: ("Outcome", "कारबाही")
    case .atLeast: ("at least {}", "कम्तीमा {}")
    case .atMost: ("at most {}", "बढीमा {}")
    case .writtenTwice: ("written down again {} later", "{} पछि फेरि अभिलेख")
    case .hours: ("{} h", "{} घण्टा")
    case .minutes: ("{} min", "{} मिनेट")
    case .seconds: ("{} s", "{} सेकेन्ड")
    case .kilometres: ("{} km", "{} कि.मि.")
    case .kilometresPerHour: ("{} km/h", "{} कि.मि. प्रति घण्टा")
    case .warned: ("warned", "सचेत गराइयो")
    case .fined: ("fined", "जरिवाना")
    case .letGo: ("let go", "छोडियो")
    case .notFound: ("not found", "भेटिएन")
    case .other: ("something else", "अन्य")
    case .rupees: ("Rs. {}", "रु. {}")
    case .byWhom: ("{}, recorded by", "{}, अभिलेख राख्ने")
    case .car: ("car", "कार")
    case .jeepSUV: ("jeep, SUV", "जिप")
    case .minibus: ("minibus", "मिनिबस")
    case .bus: ("bus", "बस")
    case .truck: ("truck", "ट्रक")
    case .tanker: ("tanker", "ट्याङ्कर")
    case .motorcycle: ("motorcycle", "मोटरसाइकल")
    case .autoRickshaw: ("auto rickshaw", "अटो रिक्सा")
    case .tractor: ("tractor", "ट्र्याक्टर")
    case .otherVehicle: ("other", "अन्य")
    case .pickup: ("pickup", "पिकअप")
    case .van: ("van", "भ्यान")
    case .photographs: ("Photographs", "तस्बिरहरू")
    case .noPhotograph: ("No photograph was taken.", "तस्बिर खिचिएको छैन।")
    case .missingPhotograph:
      ("The photograph of this is not at central.", "यसको तस्बिर केन्द्रमा छैन।")
    case .officer: ("Officer, date", "अधिकृत, मिति")
    case .driver: ("Driver, date", "चालक, मिति")
    case .printedAt: ("printed on {}", "छापिएको: {}")
    case .identifier: ("Violation {}", "उल्लङ्घन {}")
    }
  }

  /// What it says, with something put in.
  public func filled(_ language: SheetLanguage, _ value: String) -> String {
    words(language, value)
  }

  /// What it says, with something put in.
  func words(_ language: SheetLanguage, _ value: some CustomStringConvertible) -> String {
    words(language).split(separator: "{}", omittingEmptySubsequences: false)
      .joined(separator: value.description)
  }
}
