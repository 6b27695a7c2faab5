import JSON
import NodeCore
import Passages
import Time

/// A passage as a row of the server's table.
enum PushedRow {
  /// The columns that the deployed table takes a row's members for. What is told beside them is read by a server
  /// that keeps it, and passed over by any other.
  static let columns =
    "client_id,plate_number,plate_number_raw,vehicle_type,checkpost_id,segment_id,ranger_id,"
    + "recorded_at,source"

  /// The members of the row; the same for every passage. Its own name there (`id`) and when it arrived are
  /// the server's to give, and where its photograph lies is told once that is there. How far a clock was
  /// wrong has no column, and who recorded it, where that is another one than whose account it is, none in the
  /// deployed table.
  static func row(of push: PassagePush) -> JSONValue {
    let passage = push.passage
    return [
      "client_id": .text(passage.clientID.description),
      "plate_number": .text(passage.plate.compact),
      "plate_number_raw": .text(passage.plate.raw),
      "vehicle_type": .text(passage.vehicleType.inDatabase),
      "checkpost_id": .text(push.place.checkpostID),
      "segment_id": .text(push.place.segmentID),
      "ranger_id": .text(push.place.rangerID),
      "recorded_at": .text(passage.recordedAt.rfc3339),
      "source": .text(passage.source.rawValue),
      "ranger_phone_suffix": .text(passage.suffix.digits),
    ]
  }
}

extension VehicleType {
  /// The word of the server's database; it has none for three-wheelers and tractors.
  var inDatabase: String {
    switch self {
    case .jeepSUV: "jeep"
    case .autoRickshaw, .tractor: "other"
    case .car, .minibus, .bus, .truck, .tanker, .motorcycle, .other, .pickup, .van: rawValue
    }
  }
}
