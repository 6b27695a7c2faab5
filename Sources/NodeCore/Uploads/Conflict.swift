public import Passages

extension ConflictResolution {
  /// What the server has to be told where it has something else under the identity of a passage; nil where
  /// what it has counts, or where a person decides.
  public func correction(of theirs: StoredOnServer, by ours: Passage) -> PlateCorrection? {
    switch self {
    case .serverWins, .manual: return nil
    case .clientWins: return PlateCorrection(plate: ours.plate, vehicleType: ours.vehicleType)
    case .lastWriteWins:
      return ours.recordedAt > theirs.recordedAt
        ? ConflictResolution.clientWins.correction(of: theirs, by: ours) : nil
    case .merge:
      guard theirs.vehicleType == nil, let plate = try? Plate(theirs.plate) else { return nil }
      return PlateCorrection(plate: plate, vehicleType: ours.vehicleType)
    }
  }
}
