import Foundation
import NodeCore
import Passages
import SeededRandom
import Testing
import Time

/// The middle one of three posts on a road ends two segments.
struct MiddlePostTests {
  private func history(
    remote: [RemotePassage], own: [Passage]
  ) -> VehicleHistory { VehicleHistory(remote: remote, own: own) }

  /// A passage in the middle ends one travel and begins the next, each judged by its own segment.
  @Test(
    arguments: [
      // From 30 to 90 minutes to BNP-A, from 14:24 to 36 minutes to BNP-C.
      (1_700, 1_000, [.speeding, nil]), (1_900, 800, [nil, .speeding]),
      (2_500, 2_300, [nil, .overstay]), (5_500, 2_100, [.overstay, nil]),
      (1_000, 700, [.speeding, .speeding]),
    ] as [(Int64, Int64, [TravelAlert.Kind?])])
  func eachTravelIsJudgedByItsSegment(
    _ first: Int64, _ second: Int64, _ kinds: [TravelAlert.Kind?]
  ) throws {
    let place = try middlePlace()
    for isForth in [true, false] {
      let own = try passage("BA1PA1234", "BNP-B", morning)
      let (a, c) =
        isForth
        ? (
          try remote("BA1PA1234", morning - first),
          try remote("BA1PA1234", morning + second, post: "BNP-C")
        )
        : (
          try remote("BA1PA1234", morning + first),
          try remote("BA1PA1234", morning - second, post: "BNP-C")
        )
      let travels = place.travels(
        of: own.clientID, in: history(remote: [a, c], own: [own]))
      #expect(
        travels.map(\.segment.name) == (isForth ? ["Banepa", "Upper"] : ["Upper", "Banepa"]))
      let told = travels.map { $0.alert(at: own.recordedAt, doubt: 0) }
      #expect(told.map { $0?.kind } == (isForth ? kinds : kinds.reversed()))
      for case let alert? in told {
        let isFast = alert.kind == .speeding
        #expect(
          alert.limitSeconds
            == (alert.segment == "Banepa" ? (isFast ? 1_800 : 5_400) : (isFast ? 864 : 2_160)))
      }
      #expect(place.travels(of: a.clientID, in: history(remote: [a, c], own: [own])).count == 1)
    }
  }

  /// Who was not written down in the middle has no travel there, and who comes back by the same segment has one.
  @Test func whatLeadsNowhereIsNoTravel() throws {
    let place = try middlePlace()
    let entry = try remote("BA1PA1234", morning)
    let exit = try remote("BA1PA1234", morning + 3_000, post: "BNP-C")
    #expect(place.travels(of: exit.clientID, in: history(remote: [entry, exit], own: [])).isEmpty)
    let own = try passage("BA1PA1234", "BNP-B", morning + 2_000)
    let back = try remote("BA1PA1234", morning + 4_000)
    let travels = place.travels(of: own.clientID, in: history(remote: [entry, back], own: [own]))
    #expect(travels.map(\.entry.clientID) == [entry.clientID])
    // Of a passage nobody says where it was.
    let nowhere = try remote("BA1PA1234", morning, post: nil)
    #expect(place.travels(of: own.clientID, in: history(remote: [nowhere], own: [own])).isEmpty)
    let elsewhere = try remote("BA1PA1234", morning, post: "LONE")
    #expect(place.travels(of: own.clientID, in: history(remote: [elsewhere], own: [own])).isEmpty)
  }

  /// Vehicles are overdue from both ends, each by its own segment.
  @Test func vehiclesAreOverdueFromBothEnds() throws {
    let place = try middlePlace()
    let known = [
      try remote("BA1PA1", morning), try remote("BA1PA2", morning, post: "BNP-C"),
      try remote("BA1PA3", morning), try remote("BA1PA3", morning + 100, post: "BNP-C"),
    ]
    func look(_ seconds: Int64, told: Set<ClientID> = []) -> OverdueLook {
      OverdueLook(known, told: told, at: place, now: WallTime(epochSeconds: morning + seconds))
    }
    #expect(look(2_161).candidates.isEmpty)
    #expect(look(0).next == WallTime(epochSeconds: morning + 2_162))
    #expect(look(2_162).candidates.map(\.plate) == ["BA1PA2"])
    #expect(look(2_262).candidates.map(\.plate) == ["BA1PA2", "BA1PA3"])
    #expect(Set(look(5_402).candidates.map(\.plate)) == ["BA1PA1", "BA1PA2", "BA1PA3"])
    let now = WallTime(epochSeconds: morning + 5_402)
    let alerts = look(5_402).candidates.map { place.overdue($0, at: now, doubt: 0) }
      .sorted { $0.plate < $1.plate }
    #expect(alerts.map(\.segment) == ["Banepa", "Upper", "Upper"])
    #expect(alerts.map(\.limitSeconds) == [5_400, 2_160, 2_160])
    #expect(alerts.map(\.entry.checkpost) == ["BNP-A", "BNP-C", "BNP-C"])
    var book = AlertBook()
    for alert in alerts {
      let isNew = book.add(alert)
      #expect(isNew)
    }
    // None is waited for longer than a day.
    let ended = book.expire(at: place, now: WallTime(epochSeconds: morning + 86_401))
    #expect(ended.map(\.plate) == ["BA1PA1", "BA1PA2"])
  }

  @Test func textsOfBothPostsAreTaken() throws {
    var rules = MatchingRules()
    rules.oppositeNumbers = ["+9779841114567", "+9779841117777"]
    let place = try middlePlace()
    let now = WallTime(epochSeconds: morning + 60)
    for (post, number) in [("BNP-A", "+9779841114567"), ("BNP-C", "+9779841117777")] {
      let text = try passage("BA1PA1234", post, morning).v1Body
      let told = RemotePassage(text: text, from: number, rules: rules, place: place, now: now)
      #expect(told?.checkpost?.code == post)
    }
    let other = try passage("BA1PA1234", "LONE", morning).v1Body
    #expect(
      RemotePassage(text: other, from: "+9779841114567", rules: rules, place: place, now: now)
        == nil)
  }

  /// What a version kept that knew of one segment alone is read, and what this one keeps by that one.
  @Test func whatWasKeptBeforeIsRead() throws {
    let old = """
      {"profile":{"userID":"u","fullName":"S","role":"ranger","isActive":true,
      "post":{"id":"b","code":"BNP-B","name":"South","position":1},
      "segment":{"id":"s","name":"Banepa","distanceKilometres":30,"minimumKilometresPerHour":20,
      "maximumKilometresPerHour":60}},"opposite":{"id":"a","code":"BNP-A","name":"","position":0}}
      """
    var directory = try JSONDecoder().decode(PostDirectory.self, from: Data(old.utf8))
    #expect(directory.further.isEmpty)
    #expect(MatchingPlace(directory, rules: MatchingRules()) == (try matchingPlace()))
    directory.further = [
      PostDirectory.FurtherSegment(
        segment: ServerSegment(
          id: "t", name: "Upper", distanceKilometres: 12, minimumKilometresPerHour: 20,
          maximumKilometresPerHour: 50),
        opposite: ServerPost(id: "c", code: "BNP-C", name: "", position: 1)),
      PostDirectory.FurtherSegment(
        segment: ServerSegment(
          id: "v", name: "Void", distanceKilometres: 0, minimumKilometresPerHour: 20,
          maximumKilometresPerHour: 50), opposite: nil),
    ]
    let kept = try JSONEncoder().encode(directory)
    #expect(try JSONDecoder().decode(PostDirectory.self, from: kept) == directory)
    #expect(MatchingPlace(directory, rules: MatchingRules()) == (try middlePlace()))
  }

  /// Whatever the order in which passages become known: what is found for each is what is found in the whole set.
  @Test(arguments: 0..<100 as Range<UInt64>)
  func theWholeSetSaysTheSame(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let place = try middlePlace()
    var all: [Passage] = []
    var known: Set<ClientID> = []
    for _ in 0..<Int.random(in: 0...60, using: &random) {
      let passage = try passage(
        ["BA1PA1", "BA1PA2"].randomElement(using: &random) ?? "BA1PA1",
        ["BNP-A", "BNP-B", "BNP-C", "BNP-B"].randomElement(using: &random) ?? "BNP-B",
        morning + Int64.random(in: 0...100_000, using: &random))
      if known.insert(passage.clientID).inserted { all.append(passage) }
    }
    let pairs = Pairing.pairs(of: all.map { Sighting($0) }, within: \.longest) { one, other in
      let far = one == "BNP-B" ? other : other == "BNP-B" ? one : ""
      return place.stretches.first { $0.oppositePost?.code == far }
    }
    let near = pairs.map {
      Way(
        entry: all[$0.pair.entry].clientID, exit: all[$0.pair.exit].clientID,
        segment: $0.stretch.segment.name)
    }
    let expected = near + stays(all, at: place, near: near)
    all.shuffle(using: &random)
    for passage in all {
      let near = all.filter {
        $0.plate == passage.plate && $0.recordedAt >= passage.recordedAt - place.reach
          && $0.recordedAt <= passage.recordedAt + place.reach
      }
      let history = VehicleHistory(
        remote: near.filter { $0.checkpost.code != "BNP-B" }.map {
          RemotePassage(
            clientID: $0.clientID, serverID: nil, plate: $0.plate.compact,
            vehicleType: $0.vehicleType, checkpost: $0.checkpost, recordedAt: $0.recordedAt,
            origin: .server)
        }, own: near.filter { $0.checkpost.code == "BNP-B" })
      let travels = place.travels(of: passage.clientID, in: history)
      let found = Set(
        travels.map {
          Way(entry: $0.entry.clientID, exit: $0.exit.clientID, segment: $0.segment.name)
        })
      let whole = expected.filter { $0.entry == passage.clientID || $0.exit == passage.clientID }
      #expect(found == Set(whole), "seed \(seed)")
      #expect(travels.count <= 2)
    }
  }
}
