/// How received messages are told: `+CNMI` (3GPP TS 27.005 3.4.1).
struct Indication: Hashable, Sendable {
  /// `<mode>`: 0 holds everything back.
  var mode = 0
  /// `<mt>`: 0 stores in silence, 1 tells the place, 2 hands over, 3 hands over class 3.
  var messages = 0
  /// `<bm>`: cell broadcasts, of which there are none here.
  var broadcasts = 0
  /// `<ds>`: 0 drops status reports, 1 hands over, 2 stores and tells the place.
  var reports = 0
  /// `<bfr>`: whether what was held back is thrown away when the mode changes.
  var discards = 0

  init() {}

  /// Five values; those left out are 0. Nil when one is out of its bounds.
  init?(_ values: [String?], _ profile: ModemProfile) {
    let bounds = [profile.indicationModes, 0...3, 0...2, profile.reportModes, 0...1]
    guard values.count <= bounds.count else { return nil }
    var numbers = [0, 0, 0, 0, 0]
    for (place, value) in values.enumerated() {
      guard let value else { continue }
      guard let number = Int(value), bounds[place].contains(number) else { return nil }
      numbers[place] = number
    }
    guard profile.broadcastModes.contains(numbers[2]),
      !profile.refusedReportModes.contains(numbers[3])
    else { return nil }
    mode = numbers[0]
    messages = numbers[1]
    broadcasts = numbers[2]
    reports = numbers[3]
    discards = numbers[4]
  }

  var text: String { "\(mode),\(messages),\(broadcasts),\(reports),\(discards)" }
}

/// What a message in text mode is sent with: `+CSMP` (3GPP TS 27.005 3.1.2).
struct TextParameters: Hashable, Sendable {
  /// `<fo>`: the first octet of SMS-SUBMIT.
  var firstOctet: UInt8 = 17
  /// `<vp>`: the validity period, relative.
  var validity: UInt8 = 167
  /// `<pid>`.
  var protocolIdentifier: UInt8 = 0
  /// `<dcs>`.
  var coding: UInt8 = 0

  /// Takes the values that are given; false when one is none, and then nothing is taken.
  mutating func take(_ values: [String?]) -> Bool {
    var octets = [firstOctet, validity, protocolIdentifier, coding]
    guard values.count <= octets.count else { return false }
    for (place, value) in values.enumerated() {
      guard let value else { continue }
      guard let octet = UInt8(value) else { return false }
      octets[place] = octet
    }
    // Only SMS-SUBMIT, and no validity period but a relative one.
    guard octets[0] & 0x03 == 0x01, octets[0] & 0x08 == 0 else { return false }
    firstOctet = octets[0]
    validity = octets[1]
    protocolIdentifier = octets[2]
    coding = octets[3]
    return true
  }

  var text: String { "\(firstOctet),\(validity),\(protocolIdentifier),\(coding)" }
}
