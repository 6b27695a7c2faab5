import CentralCore
import CentralSQLite
import Passages
import Storage
import Testing
import Time

struct DirectoryTests {
  @Test func whatIsPutInAgainIsChanged() throws {
    let bench = try Bench()
    try bench.store.put(
      try Segment(
        name: "Banepa", distanceKilometres: 31.5, minimumKilometresPerHour: 10,
        maximumKilometresPerHour: 50))
    let segments = try bench.store.segments()
    #expect(segments.count == 1)
    #expect(segments.first?.distanceMetres == 31_500)
    #expect(segments.first?.maximumMetresPerHour == 50_000)
    #expect(segments.first?.minimumMetresPerHour == 10_000)
    try bench.store.put(
      Post(
        code: try CheckpostCode("BNP-A"), name: "Renamed",
        place: Post.Place(segment: "Banepa", index: 0), phone: try number("9801234567")))
    let post = try #require(try bench.store.posts().first)
    #expect(post.name == "Renamed")
    #expect(post.phone?.digits == "9779801234567")
    #expect(try bench.store.overview().posts == 2)
  }

  @Test func twoPostsCannotStandAtOneEnd() throws {
    let bench = try Bench()
    #expect(throws: StorageError.self) {
      try bench.store.put(try post("THIRD", place: Post.Place(segment: "Banepa", index: 1)))
    }
    #expect(try bench.store.posts().count == 2)
  }

  @Test func aPostOfASegmentThatIsNotThereIsRefused() throws {
    let bench = try Bench()
    #expect(throws: StorageError.self) {
      try bench.store.put(try post("NEW", place: Post.Place(segment: "Nowhere", index: 0)))
    }
    #expect(throws: StorageError.self) {
      try bench.store.put(
        Ranger(
          name: "Nobody", phone: try number("+9779800000001"), checkpost: try CheckpostCode("NEW")))
    }
  }

  @Test func aRouteNeedsBothItsPosts() throws {
    let bench = try Bench()
    #expect(try bench.store.routes().map { $0.posts.map(\.code) } == [["BNP-A", "BNP-B"]])
    try bench.store.put(
      try Segment(
        name: "Half", distanceKilometres: 5, minimumKilometresPerHour: 10,
        maximumKilometresPerHour: 50))
    try bench.store.put(try post("HALF-B", place: Post.Place(segment: "Half", index: 1)))
    #expect(try bench.store.routes().map(\.segment.name) == ["Banepa"])
  }

  @Test func aRangerWhoMovesSpeaksForTheNewPost() throws {
    let bench = try Bench()
    try bench.store.put(
      Ranger(
        name: "Sita", phone: try number("9841114567"), checkpost: try CheckpostCode("BNP-B")))
    #expect(try bench.store.overview().rangers == 1)
    try bench.receive(text(0), id: "SM1")
    #expect(try bench.store.inboxItem(1)?.reason == "sender")
    try bench.receive(text(0, post: "BNP-B"), id: "SM2")
    #expect(try bench.store.inboxItem(2)?.state == .decoded)
  }

  @Test func travelsAreFoundAmongWhatIsStored() throws {
    let bench = try Bench()
    bench.rules.ingress = .open
    // The exit comes in before the entry.
    try bench.receive("V1|BNP-B|BA1PA1234|CAR|1709121000|0000", id: "SM1")
    try bench.receive("V1|BNP-A|BA1PA1234|CAR|1709120000|4567", id: "SM2")
    try bench.receive("V1|BNP-A|BA1PA9999|CAR|1709120000|4567", id: "SM3")
    let travels = try bench.store.travels()
    #expect(travels.map(\.seconds) == [1_000])
    #expect(travels.first?.verdict == .speeding(fastestAllowedSeconds: 1_800))
    #expect(try bench.store.travels(since: WallTime(epochSeconds: 1_709_120_500)).isEmpty)
  }

  @Test func passagesAreFoundByPostPlateAndTime() throws {
    let bench = try Bench()
    for index in 0..<6 {
      try bench.receive(text(index), id: "SM\(index)")
    }
    bench.rules.ingress = .open
    try bench.receive("V1|BNP-B|KO2KHA77|BUS|1709121000|0000", id: "SM9")
    var query = PassageQuery()
    query.plate = "KO2KHA77"
    #expect(try bench.store.passages(query).map(\.passage.vehicleType) == [.bus])
    query = PassageQuery()
    query.checkpost = try CheckpostCode("BNP-A")
    #expect(try bench.store.passages(query).count == 6)
    query.since = WallTime(epochSeconds: 1_709_120_004)
    #expect(try bench.store.passages(query).count == 2)
    query = PassageQuery()
    query.limit = 4
    let page = try bench.store.passages(query)
    query.afterID = try #require(page.last?.id)
    #expect(try bench.store.passages(query).count == 3)
  }
}
