import Passages
import Time

/// The passage with this number: another plate and another second for each.
func samplePassage(_ number: Int64) -> Passage {
  let digits = String(number)
  let plate = "BA1PA" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  do {
    return Passage(
      clientID: uuid(number + 1_000_000), contentClientID: nil, plate: try Plate(plate),
      vehicleType: .car, checkpost: try CheckpostCode("BNP-A"), segment: "north",
      recordedAt: WallTime(epochSeconds: 1_800_000_000 + number),
      suffix: PhoneSuffix("9801") ?? zeroSuffix, ranger: "ranger-1", photoPath: nil, source: .app,
      v1Body: "V1|BNP-A|\(plate)|CAR|\(1_800_000_000 + number)|9801")
  } catch {
    preconditionFailure("the samples are valid: \(error)")
  }
}

/// The same passage under an identity that does not come from its content.
func withIdentity(_ passage: Passage, _ identity: ClientID) -> Passage {
  Passage(
    clientID: identity, contentClientID: passage.clientID, plate: passage.plate,
    vehicleType: passage.vehicleType, checkpost: passage.checkpost, segment: passage.segment,
    recordedAt: passage.recordedAt, suffix: passage.suffix, ranger: passage.ranger,
    photoPath: passage.photoPath, source: passage.source, v1Body: passage.v1Body)
}

/// A made-up identity.
func uuid(_ number: Int64) -> ClientID {
  let digits = String(number, radix: 16)
  let tail = String(repeating: "0", count: 12 - digits.utf8.count) + digits
  guard let identity = ClientID("00000000-0000-4000-8000-" + tail) else {
    preconditionFailure("\(tail) makes no identity")
  }
  return identity
}

private var zeroSuffix: PhoneSuffix {
  guard let suffix = PhoneSuffix("0000") else { preconditionFailure("four digits are a suffix") }
  return suffix
}
