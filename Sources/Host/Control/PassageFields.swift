public import Control
public import NodeCore
public import NodeSQLite
import NodeService
import Passages
public import Storage
import Time

extension AlertReport {
  /// A warning as those at the post see it.
  public init(_ alert: TravelAlert) {
    self.init(
      kind: alert.kind.rawValue, plate: alert.plate,
      plateDisplay: (try? Plate(alert.plate))?.display ?? alert.plate, segment: alert.segment,
      entryAt: alert.entry.recordedAt.rfc3339, entryFrom: alert.entry.origin.rawValue,
      clientID: (alert.exit?.clientID ?? alert.entry.clientID).description,
      travelSeconds: alert.seconds, limitSeconds: alert.limitSeconds, isSure: alert.isSure,
      raisedAt: alert.raisedAt.rfc3339)
    vehicleType = alert.vehicleType?.rawValue
    entryCheckpost = alert.entry.checkpost
    exitCheckpost = alert.exit?.checkpost
    exitAt = alert.exit?.recordedAt.rfc3339
    doubtSeconds = alert.doubtSeconds
    ending = alert.ending?.rawValue
    if let speed = alert.kilometresPerHour {
      speedKMH = (speed * 10).rounded() / 10
      // Over the same distance.
      if alert.limitSeconds > 0 {
        let limit = speed * Double(alert.seconds) / Double(alert.limitSeconds)
        limitKMH = (limit * 10).rounded() / 10
      }
    }
    if alert.kind == .overdue {
      dueAt = (alert.entry.recordedAt + .seconds(alert.limitSeconds)).rfc3339
    }
  }
}

extension SQLiteNodeStore {
  /// A passage as its last correction has it; the passage itself where there is none.
  public func corrected(_ item: QueueItem) throws(StorageError) -> QueueItem {
    var item = item
    for correction in try uploads(of: item.queueID).compactMap(\.correction) {
      item.passage.plate = correction.plate
      item.passage.vehicleType = correction.vehicleType ?? item.passage.vehicleType
    }
    return item
  }
}

extension RecentPassage {
  /// A passage as those at the post see it, without what happens to it next: nobody who could say that runs.
  public init(_ item: QueueItem) {
    let passage = item.passage
    self.init(
      queueID: item.queueID, clientID: passage.clientID.description, plate: passage.plate.compact,
      plateDisplay: passage.plate.display, plateRaw: passage.plate.raw,
      vehicleType: passage.vehicleType.rawValue, checkpost: passage.checkpost.code,
      recordedAt: passage.recordedAt.rfc3339, isUndated: passage.isUndated, next: "none")
    nextReason = "the service does not run"
  }

  /// A passage with what happens to it next.
  ///
  /// - Parameters:
  ///   - texts: Its texts, oldest first.
  ///   - status: How the service stands.
  ///   - moment: Now, by the clocks of its store.
  init(
    _ item: QueueItem, _ texts: [TextRecord], _ status: ServiceStatus, hasServer: Bool,
    at moment: Moment
  ) {
    self.init(item)
    nextReason = nil
    if item.withdrawnAt != nil {
      next = "withdrawn"
    } else if item.handedOnAt != nil || item.status == .synced || (!hasServer && item.isTexted) {
      next = "done"
    } else if item.passage.isUndated {
      next = "time"
    } else if hasServer, status.connectivity?.state == "online", item.status != .failed {
      next = "server"
    } else if let outlook = PassageOutlook(item, texts, status, at: moment) {
      next = "text"
      nextAt = outlook.at?.rfc3339
      nextReason = outlook.reason
    } else if hasServer {
      next = "server"
      nextReason = item.status == .failed ? item.lastError : status.connectivity?.words
    } else if item.hasOpenText {
      next = "text"
    } else {
      nextReason = item.parkedReason.map { "on hold: \($0)" }
    }
  }
}

extension ExpectedReport {
  /// A vehicle on its way to this end of a segment.
  init(_ remote: RemotePassage, at place: MatchingPlace) {
    let segment = place.stretch(to: remote.checkpost).segment
    let metres = segment.distanceMetres
    // Whole minutes, and never to the harm of a driver who goes by them.
    let fastest = (metres * 3_600 + segment.maximumMetresPerHour - 1) / segment.maximumMetresPerHour
    let slowest = metres * 3_600 / segment.minimumMetresPerHour
    let entry = remote.recordedAt.epochSeconds
    self.init(
      plate: remote.plate, plateDisplay: (try? Plate(remote.plate))?.display ?? remote.plate,
      vehicleType: remote.vehicleType?.rawValue,
      entryCheckpost: (remote.checkpost ?? place.oppositePost)?.code,
      entryAt: remote.recordedAt.rfc3339, entryFrom: remote.origin.rawValue,
      notBefore: WallTime(epochSeconds: (entry + fastest + 59) / 60 * 60).rfc3339,
      notAfter: WallTime(epochSeconds: (entry + slowest) / 60 * 60).rfc3339)
  }
}
