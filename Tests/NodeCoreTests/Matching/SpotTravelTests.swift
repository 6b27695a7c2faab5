import NodeCore
import Passages
import SeededRandom
import Testing
import Time

/// What is found on the spot, in what is known of a vehicle.
struct SpotTravelTests {
  @Test(
    arguments: [
      (1_798, .speeding), (1_799, nil), (3_000, nil), (5_401, nil), (5_402, .overstay),
    ] as [(Int64, TravelAlert.Kind?)])
  func aVehicleIsJudgedAsAtTheOffice(_ seconds: Int64, _ kind: TravelAlert.Kind?) throws {
    let place = try matchingPlace()
    let own = try passage("BA1PA1234", "BNP-B", morning + seconds)
    let history = VehicleHistory(remote: [try remote("BA1PA1234", morning)], own: [own])
    let travel = try #require(place.travel(of: own.clientID, in: history))
    #expect(travel.seconds == seconds)
    let alert = travel.alert(at: own.recordedAt, doubt: 0)
    #expect(alert?.kind == kind)
    #expect(alert?.exit?.origin == (kind == nil ? nil : .here))
    #expect(alert?.entry.origin == (kind == nil ? nil : .server))
    #expect(alert.map { $0.limitSeconds == ($0.kind == .speeding ? 1_800 : 5_400) } ?? true)
  }

  /// Who stayed over night is warned of when it leaves, and not after more than a day; nor where it came in here, as
  /// the way before may be forgotten.
  @Test(
    arguments: [(18_001, true), (50_400, true), (86_400, true), (86_401, false)] as [(Int64, Bool)])
  func whoStaysOverNightIsSeenAtTheEnd(_ seconds: Int64, _ isFound: Bool) throws {
    let place = try matchingPlace()
    let own = try passage("BA1PA1234", "BNP-B", morning + seconds)
    let entry = try remote("BA1PA1234", morning)
    let travel = place.travel(of: own.clientID, in: VehicleHistory(remote: [entry], own: [own]))
    #expect(travel?.seconds == (isFound ? seconds : nil))
    let back = try remote("BA1PA1234", morning + seconds + 18_001)
    #expect(
      place.travel(of: back.clientID, in: VehicleHistory(remote: [back], own: [own])) == nil)
    // One that was seen in between is another way.
    let between = try passage("BA1PA1234", "BNP-B", morning + 18_000)
    let two = VehicleHistory(remote: [entry], own: [between, own])
    #expect(place.travel(of: own.clientID, in: two) == nil)
  }

  /// A clock that may be wrong by more than what is too much makes a warning that is not sure.
  @Test func howSureAWarningIsFollowsFromTheClocks() throws {
    let place = try matchingPlace()
    let own = try passage("BA1PA1234", "BNP-B", morning + 1_700)
    let history = VehicleHistory(remote: [try remote("BA1PA1234", morning)], own: [own])
    let travel = try #require(place.travel(of: own.clientID, in: history))
    #expect(travel.alert(at: own.recordedAt, doubt: 98)?.isSure == true)
    #expect(travel.alert(at: own.recordedAt, doubt: 99)?.isSure == false)
    #expect(travel.alert(at: own.recordedAt, doubt: nil)?.isSure == false)
    let late = try passage("BA1PA1234", "BNP-B", morning + 5_500)
    let slow = try #require(
      place.travel(
        of: late.clientID,
        in: VehicleHistory(remote: [try remote("BA1PA1234", morning)], own: [late])))
    #expect(slow.alert(at: late.recordedAt, doubt: 98)?.isSure == true)
    #expect(slow.alert(at: late.recordedAt, doubt: 99)?.isSure == false)
  }

  /// The vehicle came in here and was seen at the other end; a text told of it.
  @Test func theWayOutMayBeTheOppositePost() throws {
    let place = try matchingPlace()
    let own = try passage("BA1PA1234", "BNP-B", morning)
    let exit = try remote("BA1PA1234", morning + 600, origin: .text)
    let travel = try #require(
      place.travel(of: exit.clientID, in: VehicleHistory(remote: [exit], own: [own])))
    #expect(travel.entry.origin == .here)
    #expect(travel.exit.origin == .text)
    #expect(travel.alert(at: exit.recordedAt, doubt: 0)?.kind == .speeding)
  }

  /// Neither a passage without a time nor one of a third post makes a travel.
  @Test func whatSaysNothingIsLeftOut() throws {
    let place = try matchingPlace()
    let own = try passage("BA1PA1234", "BNP-B", morning + 600)
    var undated = own
    undated.isUndated = true
    let entry = try remote("BA1PA1234", morning)
    #expect(
      place.travel(of: undated.clientID, in: VehicleHistory(remote: [entry], own: [undated]))
        == nil)
    let elsewhere = try passage("BA1PA1234", "LONE", morning + 600)
    #expect(
      place.travel(of: elsewhere.clientID, in: VehicleHistory(remote: [entry], own: [elsewhere]))
        == nil)
    let echo = try remote("BA1PA1234", morning, post: "BNP-B")
    #expect(
      place.travel(of: own.clientID, in: VehicleHistory(remote: [echo], own: [own])) == nil)
  }

  /// A server that tells only its own name of the opposite post is enough.
  @Test func theCodeOfTheOppositePostNeedNotBeKnown() throws {
    let place = try matchingPlace(ownPost: nil, oppositePost: nil)
    let own = try passage("BA1PA1234", "BNP-B", morning + 600)
    let history = VehicleHistory(remote: [try remote("BA1PA1234", morning, post: nil)], own: [own])
    #expect(place.travel(of: own.clientID, in: history)?.seconds == 600)
  }

  /// Whatever the order in which passages become known: what is found for each is what the office finds
  /// in the whole set, once all of it is known.
  @Test(arguments: 0..<300 as Range<UInt64>)
  func theOfficeFindsTheSame(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let place = try matchingPlace()
    var all: [Passage] = []
    var known: Set<ClientID> = []
    for _ in 0..<Int.random(in: 0...60, using: &random) {
      let passage = try passage(
        ["BA1PA1", "BA1PA2", "BA1PA3"].randomElement(using: &random) ?? "BA1PA1",
        ["BNP-A", "BNP-B", "LONE"].randomElement(using: &random) ?? "LONE",
        morning + Int64.random(in: 0...100_000, using: &random))
      if known.insert(passage.clientID).inserted { all.append(passage) }
    }
    let route = Route(
      segment: place.segment, posts: [try CheckpostCode("BNP-A"), try CheckpostCode("BNP-B")])
    let near = Pairing.pairs(passages: all, segments: [route]).map {
      Way(entry: $0.entry.clientID, exit: $0.exit.clientID, segment: $0.segment.name)
    }
    // A passage at a third post says nothing of the way.
    let atEnds = all.filter { $0.checkpost.code != "LONE" }
    let expected = near + stays(atEnds, at: place, near: near)
    all.shuffle(using: &random)
    for passage in all where passage.checkpost.code != "LONE" {
      let since = passage.recordedAt - place.reach
      let until = passage.recordedAt + place.reach
      let near = all.filter {
        $0.plate == passage.plate && $0.recordedAt >= since && $0.recordedAt <= until
      }
      let history = VehicleHistory(
        remote: near.filter { $0.checkpost.code == "BNP-A" }.map {
          RemotePassage(
            clientID: $0.clientID, serverID: nil, plate: $0.plate.compact,
            vehicleType: $0.vehicleType, checkpost: $0.checkpost, recordedAt: $0.recordedAt,
            origin: .text)
        }, own: near.filter { $0.checkpost.code != "BNP-A" })
      let travel = place.travel(of: passage.clientID, in: history)
      let office = expected.first { $0.entry == passage.clientID || $0.exit == passage.clientID }
      #expect(travel?.entry.clientID == office?.entry, "seed \(seed)")
      #expect(travel?.exit.clientID == office?.exit, "seed \(seed)")
    }
  }
}
