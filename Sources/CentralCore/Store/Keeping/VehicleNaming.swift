import GSM
public import Passages

/// Finds out whether a message names a vehicle.
public struct VehicleNaming: Hashable, Sendable {
  /// The plate in the compact form.
  public let plate: String
  /// The identities of its passages.
  public let identities: Set<ClientID>

  /// Looks for a vehicle.
  public init(plate: String, identities: Set<ClientID>) {
    self.plate = plate
    self.identities = identities
  }

  /// Whether a message became a passage of the vehicle, is a text of one, or has its plate in it however it is
  /// spelled.
  public func isNamed(in item: InboxItem) -> Bool {
    if let identity = item.clientID.flatMap({ ClientID($0) }), identities.contains(identity) {
      return true
    }
    guard let text = item.text else { return false }
    if let message = try? V1Message.decode(text, window: nil) {
      return message.plate.compact == plate
    }
    // A plate of a few characters stands in many texts by chance: there it has to be a word.
    if plate.utf8.count < VehicleNaming.shortest {
      return text.split { !VehicleNaming.isOfPlate($0) }
        .contains { $0.uppercased() == plate }
    }
    return String(text.filter(VehicleNaming.isOfPlate)).uppercased().contains(plate)
  }

  /// A pattern of `LIKE` that the capital letters of each text in ASCII fulfil that names it: the plate's characters in
  /// their order, with anything between them. It tells which of very many messages need not be looked at.
  public var pattern: String {
    guard plate.allSatisfy({ VehicleNaming.isOfPlate($0) && !$0.isLowercase }) else { return "%" }
    // What stands before the last digits of a plate of a province may be written in other words.
    let isOfProvince = plate.first == "P" && plate.dropFirst().first?.isNumber == true
    let part =
      isOfProvince ? String(plate.reversed().prefix(while: \.isNumber).reversed()) : plate
    return "%" + part.map { "\($0)%" }.joined()
  }

  private static let shortest = 5

  private static func isOfPlate(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber)
  }
}

extension InboxItem {
  /// What it says; nil of a PDU that holds no text.
  public var text: String? {
    isPDU ? ReceivedPDU(hex: body).message?.userData.text : body
  }
}
