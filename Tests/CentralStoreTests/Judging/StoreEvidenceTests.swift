import CentralCore
import Passages
import Testing
import Time

/// What a store keeps of what came, and tells of it.
struct StoreEvidenceTests {
  private func time(_ second: Int64) -> WallTime { WallTime(epochSeconds: judgedMorning + second) }

  /// The deployed way to a false overstay: a text and its upload, which is not the same to the letter.
  @Test(arguments: StoreKind.all) func aTextAndItsUploadAreOnePassage(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let text = try sighting(0, type: .other, channel: .text, received: 60)
    let row = ClientID(random: 5, 6)
    let upload = try sighting(
      0, plate: "ba 1 pa 1234", type: .pickup, identity: ClientID(random: 1, 2), ranger: "Sita",
      photo: "a.jpg", received: 900, clock: .within(seconds: 2), milliseconds: 412)
    let first = try bench.store.take(
      [PassageArrival(text, from: PassageArrival.Origin(uuid: row))], at: time(60))
    let second = try bench.store.take([PassageArrival(upload)], at: time(900))
    let again = try bench.store.take([PassageArrival(upload)], at: time(950))
    let name = PassageName(row: 1, uuid: row, clientID: text.clientID)
    #expect(
      first.receipts == [
        ArrivalReceipt(.report(.new), record: 1, passage: name, isNews: true)
      ])
    #expect(
      second.receipts == [
        ArrivalReceipt(.report(.alias(of: 1)), record: 1, passage: name, isNews: true)
      ])
    #expect(
      again.receipts == [
        ArrivalReceipt(.report(.known(1)), record: 1, passage: name, isNews: false)
      ])
    #expect(first.receipts.map(\.isFirst) + second.receipts.map(\.isFirst) == [true, false])
    let stored = try #require(try bench.store.passages(PassageQuery()).first)
    #expect(stored.uuid == row)
    #expect(stored.passage.clientID == text.clientID)
    #expect(stored.passage.plate.raw == "ba 1 pa 1234")
    #expect(stored.passage.vehicleType == .pickup)
    #expect(stored.passage.recordedAt == time(0) + .milliseconds(412))
    #expect(stored.passage.photoPath == "a.jpg")
    #expect(stored.passage.ranger == "Sita")
    #expect(stored.channels == [.upload, .text])
    #expect(stored.isProven)
    #expect(stored.firstReceivedAt == time(60))
    #expect(stored.insertedAt == time(60))
    let found = try bench.store.passages(
      identifiedBy: [text.clientID, upload.clientID, ClientID(random: 9, 9)])
    #expect(found == [text.clientID: stored, upload.clientID: stored])
  }

  /// Somebody uses an identity for something else: nothing is changed, and it is told.
  @Test(arguments: StoreKind.all) func whatContradictsChangesNothing(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let upload = try sighting(0, identity: ClientID(random: 1, 2))
    try bench.store.take([PassageArrival(upload)], at: time(1))
    let other = try sighting(500, plate: "BA1PA9999", identity: ClientID(random: 1, 2))
    let taken = try bench.store.take([PassageArrival(other)], at: time(501))
    #expect(taken.receipts.map(\.outcome) == [.report(.contradiction(of: 1))])
    let all = try bench.store.passages(PassageQuery())
    #expect(all.map(\.passage.plate.compact) == ["BA1PA1234"])
    #expect(all.map(\.contradictions) == [[.identity]])
  }

  /// A row that somebody names as another is named gets a name of its own.
  @Test(arguments: StoreKind.all) func noTwoRowsHaveOneName(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let first = try sighting(0)
    let taken = try bench.store.take(
      [
        PassageArrival(first),
        PassageArrival(
          try sighting(5_000), from: PassageArrival.Origin(uuid: first.clientID)),
        PassageArrival(
          try sighting(9_000), from: PassageArrival.Origin(uuid: ClientID(random: 3, 3))),
        PassageArrival(
          try sighting(20_000), from: PassageArrival.Origin(uuid: ClientID(random: 3, 3))),
        PassageArrival(try sighting(30_000, identity: ClientID(random: 3, 3))),
      ], at: time(30_000))
    let names = taken.receipts.compactMap(\.passage?.uuid)
    #expect(names.count == 5)
    #expect(Set(names).count == 5)
    #expect(names[2] == ClientID(random: 3, 3))
  }

  @Test(arguments: StoreKind.all) func aViolationTellsAllThatItRestsOn(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    try bench.receive("V1|BNP-A|BA1PA1234|CAR|1709120000|4567", id: "SM1")
    bench.rules.ingress = .open
    try bench.receive("V1|BNP-B|BA1PA1234|CAR|1709121000|0000", id: "SM2", from: "Spice")
    let found = try #require(try bench.store.violations(ViolationQuery()).first)
    #expect(found.vehicleType == .car)
    #expect(found.violation.finding.entry.row == 1)
    var upload = Observation(
      of: try Passage(
        recording: try Plate("BA 1 PA 1234"), vehicleType: .car,
        checkpost: try CheckpostCode("BNP-A"),
        recordedAt: WallTime(milliseconds: 1_709_120_000_250),
        suffix: try #require(PhoneSuffix("4567")), identity: ClientID(random: 7, 7)),
      channel: .upload, isProven: true, receivedAt: bench.wall + .seconds(60))
    try bench.store.take([PassageArrival(upload)], at: bench.wall + .seconds(60))
    var right = ReceivedCorrection(
      of: upload.clientID, madeAt: bench.wall + .seconds(90), author: "Sita")
    right.recordedAt = WallTime(epochSeconds: 1_709_119_900)
    try bench.store.take([PassageArrival(right)], at: bench.wall + .seconds(100))
    try bench.reopen()
    let evidence = try #require(try bench.store.violation(found.uuid))
    #expect(evidence.violation.violation.finding.seconds == 1_100)
    #expect(evidence.segment == (try banepa()))
    #expect(evidence.revisions.map(\.change) == [.made, .changed])
    #expect(evidence.revisions.map(\.cause) == [.arrival, .correction])
    #expect(evidence.revisions.map(\.number) == [1, 2])
    #expect(evidence.revisions.map(\.before?.seconds) == [nil, 1_000])
    #expect(evidence.revisions.map(\.after?.seconds) == [1_000, 1_100])
    #expect(evidence.entry.passage?.partner?.row == 2)
    #expect(evidence.entry.passage?.isCorrected == true)
    let record = try #require(evidence.entry.records.first)
    #expect(record.record.corrections == [right])
    #expect(record.times == 2)
    #expect(record.lastAt == bench.wall + .seconds(60))
    #expect(record.reports.map(\.observation.channel) == [.upload, .text])
    #expect(record.reports.map(\.sender) == [nil, "+9779841114567"])
    #expect(record.reports.map(\.origin.inboxID) == [nil, 1])
    #expect(record.reports.map(\.provider) == [nil, "twilio"])
    #expect(evidence.exit.records.flatMap(\.reports).map(\.sender) == ["Spice"])
    // A second receipt of the same, which was earlier, counts.
    upload.receivedAt = bench.wall + .seconds(30)
    try bench.store.take([PassageArrival(upload)], at: bench.wall + .seconds(200))
    let reports = try #require(try bench.store.violation(found.uuid)).entry.records[0].reports
    #expect(reports.map(\.observation.receivedAt) == [bench.wall + .seconds(30), bench.wall])
    #expect(try bench.store.violation(ClientID(random: 1, 1)) == nil)
  }

  @Test(arguments: StoreKind.all) func violationsAreFoundByWhatTheyAre(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    var arrivals: [PassageArrival] = []
    for index in 0..<9 as Range<Int64> {
      let plate = "BA1PA\(1_000 + index)"
      let (first, second) = index % 2 == 0 ? ("BNP-A", "BNP-B") : ("BNP-B", "BNP-A")
      arrivals.append(PassageArrival(try sighting(index * 100, first, plate: plate)))
      arrivals.append(
        PassageArrival(
          try sighting(index * 100 + (index < 3 ? 9_000 : 1_000), second, plate: plate)))
    }
    try bench.store.take(arrivals, at: time(20_000))
    func count(_ change: (inout ViolationQuery) throws -> Void) throws -> Int {
      var query = ViolationQuery()
      try change(&query)
      return try bench.store.violations(query).count
    }
    #expect(try count { _ in } == 9)
    #expect(try count { $0.kind = .overstay } == 3)
    #expect(try count { $0.plate = "BA1PA1004" } == 1)
    #expect(try count { $0.segment = "Banepa" } == 9)
    #expect(try count { $0.segment = "Nowhere" } == 0)
    #expect(try count { $0.post = try CheckpostCode("BNP-A") } == 9)
    #expect(try count { $0.post = try CheckpostCode("LONE") } == 0)
    #expect(try count { $0.since = time(9_000) } == 3)
    #expect(try count { $0.until = time(1_400) } == 1)
    #expect(try count { $0.finality = .reported } == 0)
    #expect(try count { $0.entries = [3] } == 1)
    #expect(try count { $0.standing = .retracted } == 0)
    // What later data disproves is told as such, and stays.
    try bench.store.take(
      [PassageArrival(try sighting(500, "BNP-A", plate: "BA1PA1000"))], at: time(21_000))
    #expect(try count { $0.plate = "BA1PA1000" } == 1)
    try bench.store.take(
      [PassageArrival(try sighting(2_000, "BNP-B", plate: "BA1PA1000"))], at: time(22_000))
    #expect(try count { $0.standing = .all } == 10)
    #expect(try bench.store.overview().violations == (try count { _ in }))
    var query = ViolationQuery()
    (query.standing, query.limit) = (.all, 4)
    var places: [ListPlace] = []
    while let last = try bench.store.violations(query).last {
      places += try bench.store.violations(query).map(\.place)
      query.after = last.place
    }
    #expect(places.count == 10)
    #expect(places == places.sorted(by: >))
  }

  /// Nobody makes a record grow without end.
  @Test(arguments: StoreKind.all) func ofManyReportsTheNumberIsKept(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let count = CentralCore.Limits.reportsOfRecord + 30
    for index in 0..<count {
      let report = try sighting(
        0, suffix: String(1_000 + index), channel: .text, received: Int64(index))
      try bench.store.take([PassageArrival(report)], at: time(Int64(index)))
    }
    try bench.store.take([PassageArrival(try sighting(1_000, "BNP-B"))], at: time(1_000))
    let found = try #require(try bench.store.violations(ViolationQuery()).first)
    let record = try #require(try bench.store.violation(found.uuid)).entry.records[0]
    #expect(record.reports.count == CentralCore.Limits.reportsOfRecord)
    #expect(record.times == Int64(count))
    #expect(record.lastAt == time(Int64(count) - 1))
    #expect(try bench.store.passages(PassageQuery()).count == 2)
  }

  /// Corrections of what did not come yet are kept, and no more of them than a bound.
  @Test(arguments: StoreKind.all) func correctionsThatComeEarlyWait(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let upload = try sighting(0)
    let bound = CentralCore.Limits.earlyCorrections
    for index in 0..<(bound + 5) {
      var early = ReceivedCorrection(
        of: upload.clientID, madeAt: time(Int64(index)), author: "Sita")
      early.plate = try Plate("BA1PA\(2_000 + index)")
      let taken = try bench.store.take([PassageArrival(early)], at: time(10))
      #expect(taken.receipts.map(\.outcome) == [.early])
      #expect(taken.receipts.map(\.isNews) == [index < bound])
    }
    try bench.reopen()
    try bench.store.take([PassageArrival(upload)], at: time(100))
    #expect(
      try bench.store.passages(PassageQuery()).map(\.passage.plate.compact)
        == ["BA1PA\(2_000 + bound - 1)"])
  }

  /// Of a text only the last digits are known: whoever is imported later has written it.
  @Test(arguments: StoreKind.all) func aRangerWhoIsImportedLaterAppears(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    bench.rules.ingress = .open
    try bench.receive("V1|BNP-A|BA1PA1|CAR|1709120000|9801", id: "SM1", from: "+9779800009801")
    #expect(try bench.store.passages(PassageQuery()).map(\.passage.ranger) == [nil])
    try bench.put(.ranger(try ranger("Hari", "+9779811119801", "BNP-A")))
    #expect(try bench.store.passages(PassageQuery()).map(\.passage.ranger) == ["Hari"])
    // Of two with the same digits it is the one whose number sent it.
    try bench.put(.ranger(try ranger("Gita", "+9779800009801", "BNP-A")))
    #expect(try bench.store.passages(PassageQuery()).map(\.passage.ranger) == ["Gita"])
  }

  /// A post counts what each of its rangers wrote down; nothing of that is missing here.
  @Test(arguments: StoreKind.all) func whatTwoRangersWroteIsNotMissing(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    try bench.receive("H1|BNP-A|10|1709120000|0|10", id: "H1")
    try bench.receive("V1|BNP-A|BA1PA1234|CAR|1709120100|4567", id: "SM1")
    try bench.receive("V1|BNP-A|BA1PA1234|CAR|1709120100|9801", id: "SM2")
    try bench.receive("V1|BNP-A|BA1PA1234|CAR|1709120130|0000", id: "SM3")
    try bench.receive("H1|BNP-A|13|1709120200|0|13", id: "H2")
    let heard = try #require(try bench.store.overview().heard.first { $0.code == "BNP-A" })
    #expect(heard.passages == 1)
    #expect(heard.recorded == 3)
    #expect(heard.missing == 0)
    let items = try bench.store.inbox(limit: 10).sorted { $0.id < $1.id }
    #expect(items.map(\.state) == [.heartbeat, .decoded, .duplicate, .duplicate, .heartbeat])
  }

  /// A trusted number makes a text proven, and its violation final by the heartbeats that tell of it.
  @Test(arguments: StoreKind.all) func heartbeatsMakeViolationsFinal(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    bench.rules.trust = .number
    try bench.put(.ranger(try ranger("Hari", "+9779811119801", "BNP-B")))
    try bench.receive("V1|BNP-A|BA1PA1234|CAR|1709120000|4567", id: "SM1")
    try bench.receive(
      "V1|BNP-B|BA1PA1234|CAR|1709121000|9801", id: "SM2", from: "+9779811119801")
    try bench.receive("H1|BNP-A|1|1709121001|0|1", id: "SM3")
    #expect(
      try bench.store.violations(ViolationQuery()).map(\.violation.finality) == [.provisional])
    try bench.receive("H1|BNP-B|1|1709121061|0|1", id: "SM4", from: "+9779811119801")
    let found = try bench.store.violations(ViolationQuery())
    #expect(found.map(\.violation.finality) == [.reported])
    #expect(found.map(\.violation.finding.doubts) == [[]])
  }
}
