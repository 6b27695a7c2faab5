import CentralCore
import CentralService
import Passages
import Testing
import Time

struct ImporterTests {
  func read(
    _ bench: Bench, _ csv: String, _ kind: CentralImporter.Kind
  ) throws -> CentralImporter.Outcome {
    try CentralImporter(store: bench.store, now: Bench.wall).read(Array(csv.utf8), as: kind)
  }

  @Test func whatTheBenchImportedIsThere() throws {
    let bench = try Bench()
    let posts = try bench.store.posts()
    #expect(posts.map(\.code.code) == ["BNP-A", "BNP-B"])
    #expect(posts.map(\.place?.index) == [0, 1])
    #expect(posts.first?.phone?.digits == "9779801000001")
    #expect(try bench.store.segments().first?.distanceMetres == 30_000)
    #expect(try bench.store.overview().rangers == 1)
  }

  @Test func aBadRowIsReportedAndTheRestIsImported() throws {
    let bench = try Bench()
    let outcome = try read(
      bench,
      """
      name,distance_km,min_speed_kmh,max_speed_kmh
      Good,10,20,40
      # a comment
      No number,ten,20,40
      Wrong way round,10,50,40
      Short,10
      "Never closed,10,20,40
      ,10,20,40
      Also good,5.5,10,30
      """, .segments)
    #expect(outcome.rows == 2)
    #expect(outcome.refused == 5)
    #expect(outcome.problems.map(\.line) == [4, 5, 6, 7, 8])
    #expect(outcome.problems.first?.words == "distance_km is no number")
    #expect(try bench.store.segments().map(\.name) == ["Also good", "Banepa", "Good"])
  }

  @Test func aHeaderWithoutItsColumnsIsAProblemOfItsLine() throws {
    let bench = try Bench()
    let outcome = try read(bench, "name,phone\nSita,+9779841114567\n", .rangers)
    #expect(outcome.rows == 0)
    #expect(outcome.problems.map(\.line) == [1])
    #expect(outcome.problems.first?.words.contains("checkpost") == true)
  }

  @Test func postsSayWhatIsWrongWithThem() throws {
    let bench = try Bench()
    let outcome = try read(
      bench,
      """
      code,name,segment,position_index,phone
      TOO-LONG-CODE,A,,,
      NEW,A,Nowhere,0,
      NEW,A,Banepa,2,
      NEW,A,Banepa,,
      NEW,A,Banepa,1,
      NEW,A,,,NTC-INFO
      new-b,Fine,,,9801234567
      """, .posts)
    #expect(outcome.rows == 1)
    #expect(outcome.problems.map(\.line) == [2, 3, 4, 5, 6, 7])
    #expect(outcome.problems.allSatisfy { !$0.words.isEmpty })
    #expect(outcome.problems[1].words.contains("not known"))
    #expect(outcome.problems[4].words.contains("another post"))
    let post = try #require(try bench.store.posts().last)
    #expect(post.code.code == "NEW-B")
    #expect(post.phone?.digits == "9779801234567")
  }

  @Test func whatAFileDoesNotNameStays() throws {
    let bench = try Bench()
    #expect(try read(bench, "code,name\nBNP-A,North gate\n", .posts).rows == 1)
    var post = try #require(try bench.store.posts().first)
    #expect(post.name == "North gate")
    #expect(post.place == Post.Place(segment: "Banepa", index: 0))
    #expect(post.phone?.digits == "9779801000001")
    #expect(try read(bench, "code,name,phone\nBNP-A,North gate,\n", .posts).rows == 1)
    post = try #require(try bench.store.posts().first)
    #expect(post.phone == nil, "an empty cell says that there is none")
    #expect(post.place?.segment == "Banepa")
    let cleared = "code,name,segment,position_index\nBNP-A,North gate,,\n"
    #expect(try read(bench, cleared, .posts).rows == 1)
    #expect(try bench.store.posts().first?.place == nil)
  }

  @Test func anEndOfNoSegmentIsRefused() throws {
    let bench = try Bench()
    for csv in [
      "code,name,position_index\nBNP-A,North,1\n",
      "code,name,segment,position_index\nBNP-A,North,,1\n",
    ] {
      let outcome = try read(bench, csv, .posts)
      #expect(outcome.problems.first?.words.contains("segment") == true)
      #expect(try bench.store.posts().first?.place?.index == 0)
    }
  }

  @Test func rangersNeedANumberAndAKnownPost() throws {
    let bench = try Bench()
    let outcome = try read(
      bench,
      "name,phone,checkpost\nA,12,BNP-A\nB,+9779800000001,NOWHERE\nC,+9779800000002,BNP-B\n",
      .rangers)
    #expect(outcome.rows == 1)
    #expect(outcome.problems.map(\.line) == [2, 3])
    #expect(try bench.store.overview().rangers == 2)
  }

  @Test func theSameFileTwiceChangesNothing() throws {
    let bench = try Bench()
    let csv = "code,name\nX,Ex\nY,Why\n"
    #expect(try read(bench, csv, .posts).rows == 2)
    #expect(try read(bench, csv, .posts).rows == 2)
    #expect(try bench.store.overview().posts == 4)
  }

  @Test func notAllProblemsOfAHugeFileAreListed() throws {
    let bench = try Bench()
    let rows = String(repeating: "X\n", count: 500)
    let outcome = try read(bench, "code,name\n" + rows, .posts)
    #expect(outcome.refused == 500)
    #expect(outcome.problems.count == Limits.listedProblems)
  }

  @Test func twoPostsChangePlacesInOneFile() throws {
    let bench = try Bench()
    let outcome = try read(
      bench, "code,name,segment,position_index\nBNP-A,North,Banepa,1\nBNP-B,South,Banepa,0\n",
      .posts)
    #expect(outcome.rows == 2)
    #expect(try bench.store.posts().map(\.place?.index) == [1, 0])
    #expect(try bench.store.posts().first?.phone?.digits == "9779801000001")
  }

  @Test func filesThatReferToEachOtherArePutInAtOnceInAnyOrder() throws {
    let bench = try Bench()
    let outcomes = try CentralImporter(store: bench.store, now: Bench.wall).read([
      (Array("name,phone,checkpost\nHari,9841119801,NEW\nLost,9841119802,LOST\n".utf8), .rangers),
      (
        Array("code,name,segment,position_index\nNEW,New,Long,0\nLOST,Lost,Nowhere,1\n".utf8),
        .posts
      ),
      (
        Array("name,distance_km,min_speed_kmh,max_speed_kmh\nLong,10,20,40\nBad,1,5\n".utf8),
        .segments
      ),
    ])
    #expect(outcomes.map(\.rows) == [1, 1, 1])
    #expect(outcomes.map { $0.problems.map(\.line) } == [[3], [3], [3]])
    #expect(try bench.store.posts().map(\.code.code) == ["BNP-A", "BNP-B", "NEW"])
  }

  @Test func numbersHaveDates() throws {
    let bench = try Bench()
    let outcome = try read(
      bench,
      """
      number,checkpost,valid_from,valid_until
      9800000009,BNP-A,,
      +9779800000008,BNP-B,2026-01-01T00:00:00Z,2026-02-01T00:00:00Z
      9800000007,BNP-A,2026-01-01T00:00:00Z,2026-01-01T00:00:00Z
      9800000006,BNP-A,yesterday,
      12,BNP-A,,
      9800000005,NOWHERE,,
      """, .numbers)
    #expect(outcome.rows == 2)
    #expect(outcome.problems.map(\.line) == [4, 5, 6, 7])
    #expect(outcome.problems[2].words.contains("number"))
    let numbers = try bench.store.numbers()
    #expect(numbers.map(\.number.digits) == ["9779800000008", "9779800000009"])
    #expect(numbers.first?.validUntil?.rfc3339 == "2026-02-01T00:00:00Z")
  }

  @Test func sinceWhenARangerServesIsCountedOnce() throws {
    let bench = try Bench()
    let csv = "name,phone,checkpost,since\nSita,+9779841114567,BNP-A,2024-01-01T00:00:00Z\n"
    #expect(try read(bench, csv, .rangers).changed == 1)
    let again = try read(bench, csv, .rangers)
    #expect(again.changed == 0)
    #expect(again.unchanged == 1)
    let other = try read(bench, csv.replacing("2024-01-01", with: "2024-01-02"), .rangers)
    #expect(other.changed == 1)
  }

  /// The post of a ranger counts at once, so that a row of the future would be half true until then.
  @Test func aRangerWhoWillServeIsNotImportedYet() throws {
    let bench = try Bench()
    let outcome = try read(
      bench, "name,phone,checkpost,since\nSita,+9779841114567,BNP-B,2024-03-01T00:00:00Z\n",
      .rangers)
    #expect(outcome.refused == 1)
    #expect(outcome.problems.first?.words.contains("since lies ahead") == true)
    #expect(try bench.store.rangers().map(\.checkpost.code) == ["BNP-A"])
  }

  /// A table that cannot be meant is not guessed at: the lines are named, with what to put right, and nothing of
  /// them is put in.
  @Test(arguments: [
    (CentralImporter.Kind.segments, "New,10,20,40\nNew,10,20,50\n", "with different numbers"),
    (.posts, "NEW-1,North,,\nNEW-1,South,,\n", "with two names, North and South"),
    (
      .posts, "NEW-1,North,Banepa,0\nNEW-1,North,Banepa,1\n",
      "as both ends of the segment Banepa, which lies between two posts"
    ),
    (.posts, "NEW-1,North,,\nNEW-1,North,Banepa,1\n", "with a segment and without one"),
    (.rangers, "Sita,+9779841110000,BNP-A\nRam,+9779841110000,BNP-A\n", "with different names"),
    (.rangers, "Sita,+9779841110000,BNP-A\nSita,+9779841110000,BNP-B\n", "without a day in since"),
    (
      .numbers, "+9779841110000,BNP-A,2026-01-01T00:00:00Z,\n+9779841110000,BNP-A,,\n",
      "with different dates"
    ),
  ])
  func whatCannotBeMeantIsRefused(kind: CentralImporter.Kind, rows: String, words: String) throws {
    let bench = try Bench()
    let header: [CentralImporter.Kind: String] = [
      .segments: "name,distance_km,min_speed_kmh,max_speed_kmh",
      .posts: "code,name,segment,position_index", .rangers: "name,phone,checkpost",
      .numbers: "number,checkpost,valid_from,valid_until",
    ]
    func all() throws -> [Int] {
      [
        try bench.store.segments().count, try bench.store.posts().count,
        try bench.store.rangers().count, try bench.store.numbers().count,
      ]
    }
    let before = try all()
    let outcome = try read(bench, "\(header[kind] ?? "")\n\(rows)", kind)
    #expect(outcome.problems.map(\.line) == [2, 3])
    #expect(outcome.problems.allSatisfy { $0.words.contains(" stands on the lines 2 and 3 ") })
    #expect(outcome.problems.first?.words.contains(words) == true, "\(outcome.problems)")
    #expect(outcome.rows == 0 && outcome.repeated == 0)
    #expect(try all() == before)
  }

  /// What says the same twice is no contradiction, and somebody who served at two posts is none either.
  @Test func whatSaysTheSameIsNoContradiction() throws {
    let bench = try Bench()
    let segments = try read(
      bench, "name,distance_km,min_speed_kmh,max_speed_kmh\nNew,10,20,40\nNew,10.0,20,40\n",
      .segments)
    #expect((segments.rows, segments.repeated, segments.refused) == (2, 1, 0))
    let rangers = try read(
      bench,
      """
      name,phone,checkpost,since
      Sita,+9779841110000,BNP-A,2020-01-01T00:00:00Z
      Sita,+9779841110000,BNP-B,2021-01-01T00:00:00Z
      """, .rangers)
    #expect((rangers.rows, rangers.refused) == (2, 0))
  }

  /// The middle one of three posts on a road ends two segments: it stands on a line for each of them.
  @Test func aPostMayEndSeveralSegments() throws {
    let bench = try Bench()
    _ = try read(
      bench, "name,distance_km,min_speed_kmh,max_speed_kmh\nUpper,10,20,40\n", .segments)
    let table = """
      code,name,segment,position_index
      BNP-B,South,Banepa,1
      BNP-C,End,Upper,1
      BNP-B,South,Upper,0
      BNP-B,South,Upper,0
      """
    let outcome = try read(bench, table, .posts)
    #expect(outcome.problems.isEmpty)
    #expect((outcome.rows, outcome.added, outcome.changed, outcome.repeated) == (4, 1, 1, 1))
    let middle = try #require(try bench.store.posts().first { $0.code.code == "BNP-B" })
    #expect(
      middle.places == [
        Post.Place(segment: "Banepa", index: 1), Post.Place(segment: "Upper", index: 0),
      ])
    #expect(
      try bench.store.routes().map { $0.posts.map(\.code) } == [
        ["BNP-A", "BNP-B"], ["BNP-B", "BNP-C"],
      ])
    #expect(try read(bench, table, .posts).unchanged == 2)
    let taken = try read(
      bench,
      "code,name,segment,position_index\nNEW-1,New,Upper,0\nNEW-1,New,Banepa,0\n", .posts)
    #expect(taken.problems.map(\.line) == [2, 3])
    #expect(taken.problems.allSatisfy { $0.words.contains("BNP-") })
    _ = try read(bench, "code,name,segment,position_index\nBNP-B,South,Banepa,1\n", .posts)
    #expect(try bench.store.routes().count == 1)
    let half = try read(
      bench,
      "code,name,segment,position_index\nNEW-2,New,Nowhere,0\nNEW-2,New,Upper,0\n", .posts)
    #expect(half.problems.map(\.line) == [2, 3])
    #expect(half.problems[0].words == "the segment Nowhere is not known; import it first")
    #expect(half.problems[1].words.hasPrefix("another line of NEW-2 is wrong"))
    #expect(try bench.store.posts().allSatisfy { $0.code.code != "NEW-2" })
  }

  /// A line of a post that cannot be meant leaves the post as it is, whichever of its lines that is.
  @Test(
    arguments: [
      "BNP-B,South,Upper,2", "BNP-B,South,Upper,", "BNP-B,,Upper,0", "BNP-B,South,,0",
      "BNP-B,South,Upper", "\"BNP-B,South,Upper,0", "B|B,South,Upper,0",
    ], [true, false])
  func aPostIsPutInWithAllOfItsSegmentsOrNotAtAll(_ wrong: String, _ isFirst: Bool) throws {
    let bench = try Bench()
    let header = "code,name,segment,position_index\n"
    _ = try read(
      bench, "name,distance_km,min_speed_kmh,max_speed_kmh\nUpper,10,20,40\n", .segments)
    _ = try read(
      bench, header + "BNP-B,South,Banepa,1\nBNP-B,South,Upper,0\nBNP-C,End,Upper,1\n", .posts)
    let before = try bench.store.posts()
    // The file is meant to say the same with another name, and a line of it is wrong.
    let lines = ["BNP-B,Southern,Banepa,1", wrong, "BNP-D,New,,"]
    let rows = isFirst ? [lines[1], lines[0], lines[2]] : lines
    let outcome = try read(bench, header + rows.joined(separator: "\n") + "\n", .posts)
    let after = try bench.store.posts()
    #expect(after.filter { $0.code.code != "BNP-D" } == before, "\(outcome)")
    #expect(outcome.problems.map(\.line).sorted() == [2, 3])
    #expect(outcome.refused == 2)
    // Others go in all the same.
    #expect(after.count == before.count + 1)
    #expect((outcome.rows, outcome.added, outcome.changed) == (1, 1, 0))
    let words = outcome.problems.map(\.words)
    #expect(
      words.contains { $0.hasPrefix("another line of BNP-B is wrong") }
        || words.contains { $0.contains("cannot be read, and BNP-B would lose the segment Upper") },
      "\(words)")
    // Put right, it goes in whole.
    let right = try read(
      bench, header + "BNP-B,Southern,Banepa,1\nBNP-B,Southern,Upper,0\n", .posts)
    #expect((right.rows, right.changed, right.refused) == (2, 1, 0))
    #expect(try bench.store.routes().count == 2)
  }

  private static let segmentColumns = "name,distance_km,min_speed_kmh,max_speed_kmh"

  @Test func numbersOfASegmentHoldFromNowOnOrFromADay() throws {
    let bench = try Bench()
    func segment() throws -> Segment? { try bench.store.segments().first }
    let before = try #require(try segment())
    #expect(before.earlier.isEmpty)
    let now = try read(bench, "\(Self.segmentColumns)\nBanepa,30,20,50\n", .segments)
    #expect(now.changed == 1)
    #expect(try segment()?.maximumMetresPerHour == 50_000)
    #expect(try segment()?.earlier == [EarlierLimits(before, until: Bench.wall.epochSeconds)])
    // The same once more changes nothing, and keeps what held before.
    let same = try read(bench, "\(Self.segmentColumns)\nBanepa,30,20,50\n", .segments)
    #expect(same.unchanged == 1)
    #expect(try segment()?.earlier.count == 1)
    // From a day before that: what held between the two is that, up to then.
    let dated = try read(
      bench, "\(Self.segmentColumns),since\nBanepa,30,20,55,2020-01-01T00:00:00Z\n", .segments)
    #expect(dated.changed == 1)
    #expect(try segment()?.earlier.map(\.maximumMetresPerHour) == [60_000, 55_000])
    #expect(try segment()?.earlier.first?.until == 1_577_836_800)
    let ahead = try read(
      bench, "\(Self.segmentColumns),since\nBanepa,30,20,55,2099-01-01T00:00:00Z\n", .segments)
    #expect(ahead.problems.first?.words == "since lies ahead; import the row again when it is so")
    // It was always wrong.
    let importer = CentralImporter(store: bench.store, now: Bench.wall, isAlways: true)
    let always = try importer.read(
      Array("\(Self.segmentColumns)\nBanepa,30,20,50\n".utf8), as: .segments)
    #expect(always.changed == 1)
    #expect(try segment()?.earlier == [])
    let both = try importer.read(
      Array("\(Self.segmentColumns),since\nBanepa,30,20,50,2020-01-01T00:00:00Z\n".utf8),
      as: .segments)
    #expect(both.refused == 1)
    #expect(both.problems.first?.words.contains("--always") == true)
  }

  @Test func aSegmentMayStandOnALineForEachDay() throws {
    let bench = try Bench()
    let outcome = try read(
      bench,
      """
      \(Self.segmentColumns),since
      New,10,20,40,2021-01-01T00:00:00Z
      New,10,20,50,2020-01-01T00:00:00Z
      New,10,20,60,
      Other,10,20,50,2020-01-01T00:00:00Z
      Other,10,20,60,2020-01-01T00:00:00Z
      """, .segments)
    #expect(outcome.refused == 2)
    let segment = try #require(try bench.store.segments().first { $0.name == "New" })
    #expect(segment.maximumMetresPerHour == 40_000)
    #expect(segment.earlier.map(\.maximumMetresPerHour) == [60_000, 50_000])
  }

  private static let postColumns = "code,name,segment,position_index"

  @Test func aPostStandsElsewhereFromNowOnOrFromADay() throws {
    let bench = try Bench()
    func south() throws -> Post? { try bench.store.posts().first { $0.code.code == "BNP-B" } }
    let end = Post.Place(segment: "Banepa", index: 1)
    #expect(try south()?.places == [end])
    let now = try read(bench, "\(Self.postColumns)\nBNP-B,South,,\n", .posts)
    #expect(now.changed == 1)
    #expect(try south()?.places == [])
    #expect(
      try south()?.earlier == [EarlierPlaces(until: Bench.wall.epochSeconds, places: [end])])
    // The same once more changes nothing; and what has no column for it leaves it.
    #expect(try read(bench, "\(Self.postColumns)\nBNP-B,South,,\n", .posts).unchanged == 1)
    #expect(try read(bench, "code,name\nBNP-B,Southern\n", .posts).changed == 1)
    #expect(try south()?.earlier.count == 1)
    // Another one cannot have stood there meanwhile.
    func north(_ day: String) throws -> CentralImporter.Outcome {
      try read(
        bench,
        "\(Self.postColumns),since\nNEW-1,New,Banepa,1,\(day)\nNEW-1,New,,,2021-01-01T00:00:00Z\n",
        .posts)
    }
    #expect(
      try north("2019-12-31T00:00:00Z").problems.first?.words
        == "another post, BNP-B, stood at that end of the segment then; put since right, or that post first"
    )
    // It stood elsewhere for a while, each on a line of its own.
    let dated = try read(
      bench,
      """
      \(Self.postColumns),since
      BNP-B,Southern,,,2020-01-01T00:00:00Z
      BNP-B,Southern,Banepa,1,2021-01-01T00:00:00Z
      """, .posts)
    #expect(dated.refused == 0)
    #expect(try south()?.earlier.map(\.places) == [[end], []])
    #expect(try south()?.earlier.map(\.until) == [1_577_836_800, 1_609_459_200])
    #expect(try south()?.places == [end])
    // Nobody stood there in that year, and another post may have.
    #expect(try north("2020-01-01T00:00:00Z").refused == 0)
    let ahead = try read(
      bench, "\(Self.postColumns),since\nBNP-B,South,Banepa,1,2099-01-01T00:00:00Z\n", .posts)
    #expect(ahead.problems.first?.words == "since lies ahead; import the row again when it is so")
    let without = try read(bench, "code,name,since\nBNP-B,South,2020-01-01T00:00:00Z\n", .posts)
    #expect(without.problems.first?.words.contains("name the segment too") == true)
    let named = try read(
      bench,
      """
      \(Self.postColumns),since
      BNP-B,South,,,2020-01-01T00:00:00Z
      BNP-B,Other,Banepa,1,2021-01-01T00:00:00Z
      """, .posts)
    #expect(named.refused == 2)
    // It was always wrong.
    let importer = CentralImporter(store: bench.store, now: Bench.wall, isAlways: true)
    let always = try importer.read(
      Array("\(Self.postColumns)\nNEW-1,New,,\nBNP-B,Southern,Banepa,1\n".utf8), as: .posts)
    #expect(always.changed == 2)
    #expect(try south()?.earlier == [])
    #expect(try south()?.places == [end])
    let both = try importer.read(
      Array("\(Self.postColumns),since\nBNP-B,South,Banepa,1,2020-01-01T00:00:00Z\n".utf8),
      as: .posts)
    #expect(both.problems.first?.words.contains("--always") == true)
  }
}
