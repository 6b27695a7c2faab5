import CentralCore
import Passages
import SeededRandom
import Testing
import Time

/// Posts that stood elsewhere before, held against directories in which none ever moved.
struct MovedPostTests {
  private let date = judgedMorning + 20_000

  private struct Found: Hashable {
    var entry: ContentKey
    var exit: ContentKey
    var segment: String
    var verdict: SpeedVerdict
    var doubts: [TravelDoubt]
  }

  private func post(_ code: String, _ places: (String, Int)...) throws -> Post {
    Post(
      code: try CheckpostCode(code), name: code,
      places: places.map { Post.Place(segment: $0.0, index: $0.1) })
  }

  private func segments() throws -> [Segment] {
    [
      try sampleRoute().segment, try sampleRoute("Upper", kilometres: 12, fastest: 50).segment,
    ]
  }

  private func judge(
    _ records: [PassageRecord], _ posts: [Post]
  ) throws -> (found: Set<Found>, waiting: Set<WaitingEntry>) {
    let judged = TravelJudgement(
      all: records,
      places: JudgedPlaces(Route.between(posts, on: try segments()), rules: JudgingRules()))
    return (
      Set(
        (judged.travels + judged.turns).map {
          Found(
            entry: $0.entry.place, exit: $0.exit.place, segment: $0.segment.name,
            verdict: $0.verdict, doubts: $0.doubts)
        }), Set(judged.waiting)
    )
  }

  private func records(_ arrivals: [JudgingWorld.Arrival]) -> [PassageRecord] {
    var records: [ContentKey: PassageRecord] = [:]
    for case .observation(let observation) in arrivals where observation.clock != .unset {
      if records[observation.key]?.add(observation) == nil {
        records[observation.key] = PassageRecord(
          number: Int64(records.count) + 1, first: observation)
      }
    }
    return Array(records.values)
  }

  private func crowd(_ seed: UInt64) throws -> [PassageRecord] {
    records(
      try JudgingWorld.crowd(
        passages: 50, step: [400, 1_400, 4_000][Int(seed % 3)], seed: seed, corrections: false,
        posts: ["BNP-A", "BNP-B", "BNP-C", "BNP-B", "LONE"]
      ).arrivals)
  }

  /// Directories before and after a move: the middle post leaves a road, comes to it, changes roads, or is replaced.
  private func moves() throws -> [(before: [Post], after: [Post])] {
    let (a, b) = (try post("BNP-A", ("Banepa", 0)), try post("BNP-B", ("Banepa", 1)))
    let far = [try post("LONE", ("Upper", 0)), try post("BNP-C", ("Upper", 1))]
    let middle = try post("BNP-B", ("Banepa", 1), ("Upper", 0))
    let lone = try post("LONE")
    return [
      ([a, b] + far, [a, middle, far[1], lone]), ([a, middle, far[1], lone], [a, b] + far),
      ([a, b] + far, [a, try post("BNP-B", ("Upper", 0)), far[1], lone]),
      ([a, b] + far, [a, try post("BNP-B"), try post("LONE", ("Banepa", 1)), far[1]]),
      ([a, b] + far, [try post("BNP-A"), b] + far), ([a, try post("BNP-B")] + far, [a, b] + far),
    ]
  }

  private func dated(_ before: [Post], _ after: [Post]) -> [Post] {
    before.map { known in
      known.changed(
        to: after.first { $0.code == known.code }?.places ?? [], since: date)
    }
  }

  /// What lies before the date is judged as if nobody had moved, and what lies behind it as if all always stood there.
  @Test(arguments: 0..<30 as Range<UInt64>)
  func eachSideIsJudgedByWhatHeldThere(seed: UInt64) throws {
    let all = try crowd(seed)
    for (index, move) in try moves().enumerated() {
      let posts = dated(move.before, move.after)
      let early = all.filter { $0.place.second < date }
      let late = all.filter { $0.place.second >= date }
      #expect(
        try judge(early, posts).found == judge(early, move.before).found, "seed \(seed), \(index)")
      let (found, waiting) = try judge(late, posts)
      let plain = try judge(late, move.after)
      #expect(found == plain.found, "seed \(seed), \(index)")
      #expect(waiting == plain.waiting, "seed \(seed), \(index)")
    }
  }

  /// A post that takes another one's place is as one that was always called so: also for who is inside at the date.
  @Test(arguments: 0..<30 as Range<UInt64>)
  func aPostThatReplacesAnotherIsTheSame(seed: UInt64) throws {
    let plain = [
      try post("BNP-A", ("Banepa", 0)), try post("BNP-B", ("Banepa", 1), ("Upper", 0)),
      try post("BNP-C", ("Upper", 1)), try post("LONE"),
    ]
    let next = try CheckpostCode("BNP-B2")
    let later = [
      plain[0], try post("BNP-B"), try post("BNP-B2", ("Banepa", 1), ("Upper", 0)), plain[2],
    ]
    let posts = dated(plain + [Post(code: next, name: "next")], later)
    var arrivals = try JudgingWorld.crowd(
      passages: 50, step: [400, 1_400, 4_000][Int(seed % 3)], seed: seed, corrections: false,
      posts: ["BNP-A", "BNP-B", "BNP-C", "BNP-B", "BNP-C"]
    ).arrivals
    // What two rangers wrote down on both sides of the moment is one passage where the post is one alone.
    arrivals = arrivals.filter { arrival in
      guard case .observation(let one) = arrival else { return false }
      return abs(one.key.second - date) > 150
    }
    let renamed = arrivals.map { arrival in
      guard case .observation(var one) = arrival, one.key.second >= date, one.post.code == "BNP-B"
      else { return arrival }
      one.post = next
      return .observation(one)
    }
    func called(_ key: ContentKey) -> ContentKey {
      ContentKey(
        post: key.post == next ? plain[1].code : key.post, plate: key.plate, second: key.second)
    }
    let told = try judge(records(renamed), posts)
    let expected = try judge(records(arrivals), plain)
    #expect(
      Set(
        told.found.map {
          var found = $0
          (found.entry, found.exit) = (called($0.entry), called($0.exit))
          return found
        }) == expected.found, "seed \(seed)")
    #expect(
      Set(told.waiting.map { called($0.place) }) == Set(expected.waiting.map(\.place)),
      "seed \(seed)")
  }

  /// Judging what a change asks for gives what judging everything gives.
  @Test(arguments: 0..<30 as Range<UInt64>)
  func whatIsJudgedAgainIsTheWhole(seed: UInt64) throws {
    let all = try crowd(seed).sorted { $0.place < $1.place }
    for move in try moves() {
      let posts = dated(move.before, move.after)
      let places = JudgedPlaces(
        Route.between(posts, on: try segments()), rules: JudgingRules())
      let whole = TravelJudgement(all: all, places: places)
      for record in all where record.number % 7 == 0 {
        var plan = RejudgingPlan(places: places)
        plan.change(from: nil, to: record.place)
        let vehicles = plan.vehicles.map { vehicle -> VehicleRecords in
          let place = vehicle.span.place
          var range = vehicle.span.first
          while true {
            let read = all.filter {
              $0.place.plate == vehicle.plate && place.posts.contains($0.place.post)
                && range.contains($0.place.second)
            }
            switch vehicle.span.look(at: read, read: range) {
            case .more(let wider): range = wider
            case .enough(let seconds, let endsInGap):
              return VehicleRecords(
                place: place, read: read, within: seconds, endsInGap: endsInGap)
            }
          }
        }
        let part = TravelJudgement(again: vehicles, rules: places.rules)
        #expect(Set(part.travels).isSubset(of: Set(whole.travels)), "seed \(seed)")
        let rows = Set(part.passages.map(\.row))
        #expect(
          Set(part.travels) == Set(whole.travels.filter { rows.contains($0.entry.row) }),
          "seed \(seed)")
        #expect(
          Set(part.waiting) == Set(whole.waiting.filter { rows.contains($0.row) }), "seed \(seed)")
      }
    }
  }

  @Test func aMoveHoldsUpToTheNextOne() throws {
    let here = Post.Place(segment: "Banepa", index: 1)
    let there = Post.Place(segment: "Upper", index: 0)
    let plain = Post(code: try CheckpostCode("BNP-B"), name: "B", place: here)
    let moved = plain.changed(to: [there], since: 200)
    #expect(moved.places == [there])
    #expect(moved.places(at: 199) == [here])
    #expect(moved.places(at: 200) == [there])
    let both = moved.changed(to: [here, there], since: 100)
    #expect(both.earlier.map(\.until) == [100, 200])
    #expect(both.places == [there])
    #expect(
      both.stays.map(\.seconds).sorted { $0.lowerBound < $1.lowerBound } == [
        Int64.min..<200, 100..<Int64.max,
      ])
    #expect(both.changed(to: [here], since: 100) == moved)
    #expect(moved.changed(to: [here], since: 200) == plain)
    // Which end is called the first is a name.
    let other = plain.changed(to: [Post.Place(segment: "Banepa", index: 0)], since: 50)
    #expect(other.earlier == [])
  }
}
