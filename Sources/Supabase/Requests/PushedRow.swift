import JSON
import NodeCore
import Passages
import Time

/// A passage as a row of the server's table.
enum PushedRow {
  /// The members of the row; the same for every passage. Its own name there (`id`) and when it arrived are
  /// the server's to give, and where its photograph lies is told once that is there. How far a clock
  /// may have been wrong has no column: that is told beside the rows.
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
