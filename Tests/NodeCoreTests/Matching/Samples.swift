import NodeCore
import Passages
import Time

/// 30 km between 20 and 60 km/h: from half an hour to an hour and a half.
func matchingPlace(ownPost: String? = "BNP-B", oppositePost: String? = "BNP-A") throws
  -> MatchingPlace
{
  MatchingPlace(
    segment: try Segment(
      name: "Banepa", distanceKilometres: 30, minimumKilometresPerHour: 20,
      maximumKilometresPerHour: 60), ownPost: try ownPost.map { try CheckpostCode($0) },
    oppositePost: try oppositePost.map { try CheckpostCode($0) })
}

extension MatchingPlace {
  /// The only travel of a passage, where there is one segment.
  func travel(of client: ClientID, in history: VehicleHistory) -> SpotTravel? {
    travels(of: client, in: history).first
  }
}

/// The middle one of three posts: 30 km between 20 and 60 km/h to BNP-A, 12 km between 20 and 50 km/h to BNP-C.
func middlePlace() throws -> MatchingPlace {
  var place = try matchingPlace()
  place.further = [
    MatchingPlace.Stretch(
      segment: try Segment(
        name: "Upper", distanceKilometres: 12, minimumKilometresPerHour: 20,
        maximumKilometresPerHour: 50), oppositePost: try CheckpostCode("BNP-C"))
  ]
  return place
}

func passage(_ plate: String, _ post: String, _ second: Int64) throws -> Passage {
  try Passage(
    recording: try Plate(plate), vehicleType: .car, checkpost: try CheckpostCode(post),
    recordedAt: WallTime(epochSeconds: second), suffix: .unknown)
}

func remote(
  _ plate: String, _ second: Int64, post: String? = "BNP-A", serverID: String? = nil,
  origin: RemotePassage.Origin = .server
) throws -> RemotePassage {
  let same = try passage(plate, post ?? "BNP-A", second)
  return RemotePassage(
    clientID: same.clientID, serverID: serverID, plate: same.plate.compact, vehicleType: .car,
    checkpost: post == nil ? nil : same.checkpost, recordedAt: same.recordedAt, origin: origin)
}

let morning: Int64 = 1_750_000_000

/// A way, by the identities of its ends and the name of its segment.
struct Way: Hashable {
  var entry: ClientID
  var exit: ClientID
  var segment: String
}

/// What is left when near passages are paired: one at another end and the next one of its vehicle at BNP-B, a day later
/// at most.
func stays(_ all: [Passage], at place: MatchingPlace, near: [Way]) -> [Way] {
  var ways: [Way] = []
  for exit in all where exit.checkpost.code == "BNP-B" {
    let earlier = all.filter { $0.plate == exit.plate && Sighting($0) < Sighting(exit) }
    guard let entry = earlier.max(by: { Sighting($0) < Sighting($1) }),
      let stretch = place.stretches.first(where: { $0.oppositePost == entry.checkpost }),
      exit.recordedAt - entry.recordedAt <= .seconds(86_400)
    else { continue }
    let ends = [entry.clientID, exit.clientID]
    let isTaken = near.contains { way in
      way.segment == stretch.segment.name && (ends.contains(way.entry) || ends.contains(way.exit))
    }
    guard !isTaken else { continue }
    ways.append(Way(entry: ends[0], exit: ends[1], segment: stretch.segment.name))
  }
  return ways
}
