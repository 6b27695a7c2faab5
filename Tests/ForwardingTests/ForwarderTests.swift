import CentralCore
import CentralSQLite
import EventLoop
import Events
import JSON
import NodeCore
import Passages
import SeededRandom
import ServerHTTP
import ServerModel
import ServerSimulator
import TestSupport
import Testing
import Time

@testable import Forwarding

/// Passages of a central that go to another server over its REST.
@Suite struct ForwarderTests {
  @Test func whatIsRecognisedGoesOnceUnderItsIdentity() throws {
    let bench = try ForwardBench()
    try bench.take(1)
    try bench.take(2, at: 60 * 20, post: "BNP-B", suffix: "4321")
    // The same by a second ranger is no passage of its own.
    try bench.take(3, at: 30)
    bench.go()
    #expect(bench.stored == 2)
    let identity = ClientID(random: 1, 1).description
    let row = try #require(bench.server.withModel { $0.passage(clientID: identity) })
    #expect(row["plate_number"]?.text == "BA1PA1234")
    #expect(row["vehicle_type"]?.text == "other")
    #expect(row["source"]?.text == "sms")
    #expect(row["checkpost_id"]?.text == ServerModel.Pilot.east)
    #expect(row["ranger_id"]?.text == ServerModel.Pilot.eastRanger)
    #expect(bench.server.withModel { $0.count(of: "violations") } == 1)
    let before = bench.server.withModel(\.requests)
    bench.go()
    #expect(bench.server.withModel(\.requests) == before)
    let standing = try bench.store.forwardStanding()
    #expect(standing == ForwardStanding(forwarded: 2, waiting: 0, hindered: [:], setAside: 0))
    #expect(bench.events.names == ["passages_forwarded"])
  }

  @Test func aFailureHoldsAllForAWhileAndLosesNothing() throws {
    let bench = try ForwardBench()
    try bench.take(1)
    bench.server.inject(InjectedFault(.internalError, times: 2))
    let next = bench.go()
    #expect(next > bench.clocks.boot())
    // Whoever tells of another passage meanwhile changes nothing.
    let before = bench.server.withModel(\.requests)
    try bench.take(2, "BA1PA2")
    #expect(bench.go() == next)
    #expect(bench.server.withModel(\.requests) == before)
    bench.clocks.pass(next - bench.clocks.boot())
    bench.go()
    #expect(bench.stored == 0)
    bench.clocks.pass(.seconds(30))
    bench.go()
    #expect(bench.stored == 2)
    #expect(bench.events.names == ["forward_failed", "passages_forwarded", "forward_works"])
  }

  /// One passage at which the server fails keeps no other waiting, wherever among them it is.
  @Test(arguments: [0, 7, 19]) func oneThatTheServerFailsAtHoldsUpNobody(_ place: Int) throws {
    let bench = try ForwardBench()
    for number in 0..<20 { try bench.take(number + 1, "BA1PA\(1_000 + number)") }
    bench.server.inject(
      InjectedFault(.internalError, times: nil, methods: ["POST"], body: "BA1PA\(1_000 + place)"))
    bench.go()
    #expect(bench.stored == 0)
    #expect(bench.line.failing != nil)
    bench.clocks.pass(.seconds(30))
    bench.go()
    #expect(bench.stored == 19)
    #expect(bench.line.failing == nil)
    #expect(try bench.store.forwardStanding().hindered == [.serverFails: 1])
    #expect(try bench.store.forwards(limit: 9).map(\.hindrance) == [.serverFails])
    bench.server.withModel { $0.heal() }
    bench.clocks.pass(.seconds(700))
    bench.go()
    #expect(bench.stored == 20)
  }

  /// A server that fails at all is not asked for each passage.
  @Test func aServerThatFailsAtAllIsAskedLittle() throws {
    let bench = try ForwardBench()
    for number in 0..<80 { try bench.take(number + 1, "BA1PA\(1_000 + number)") }
    bench.server.inject(InjectedFault(.internalError, times: nil, methods: ["POST"]))
    bench.go()
    bench.clocks.pass(.seconds(30))
    let before = bench.server.withModel(\.requests)
    bench.go()
    #expect(bench.server.withModel(\.requests) - before <= 6)
    #expect(bench.stored == 0)
    #expect(try bench.store.forwardStanding().hindered == [:])
  }

  @Test(arguments: [ModelFault.resetAfter, .truncated, .brokenJSON])
  func whatWasDoneWithoutAnAnswerIsNotDoneTwice(fault: ModelFault) throws {
    let bench = try ForwardBench()
    try bench.take(1)
    try bench.take(2, "BA1PA2")
    bench.server.inject(InjectedFault(fault, methods: ["POST"]))
    bench.go()
    bench.clocks.pass(.seconds(30))
    bench.go()
    #expect(bench.stored == 2)
    #expect(try bench.store.forwardStanding().forwarded == 2)
  }

  @Test func whatTheServerDroppedInSilenceGoesAgain() throws {
    let bench = try ForwardBench()
    try bench.take(1)
    bench.server.inject(InjectedFault(.dropped, methods: ["POST"]))
    bench.go()
    #expect(bench.stored == 0)
    #expect(try bench.store.forwardStanding().hindered == [.notStored: 1])
    bench.clocks.pass(.seconds(601))
    bench.go()
    #expect(bench.stored == 1)
    #expect(try bench.store.forwardStanding().hindered == [:])
  }

  @Test func oneThatHasNoPlaceHoldsUpNoOther() throws {
    let bench = try ForwardBench()
    try bench.take(1, suffix: "9999")
    try bench.take(2, "BA1PA2", post: "XYZ-1")
    try bench.take(3, "BA1PA3", isUndated: true)
    try bench.take(4, "BA1PA4")
    bench.go()
    #expect(bench.stored == 1)
    let standing = try bench.store.forwardStanding()
    #expect(standing.waiting == 2 && standing.setAside == 1)
    #expect(standing.hindered == [.unknownRanger: 1, .unknownPost: 1, .undated: 1])
    #expect(bench.events.names.filter { $0 == "forward_held" }.count == 3)
    let held = try bench.store.forwards(limit: 10)
    #expect(held.map(\.hindrance) == [.unknownRanger, .unknownPost, .undated])
    bench.server.withModel {
      $0.addUser(
        id: "0d000000-0000-4000-8000-0000000000ff", email: "hari@bnp.local", password: "x",
        name: "Hari", post: ServerModel.Pilot.east)
      $0.change(
        "0d000000-0000-4000-8000-0000000000ff", of: "user_profiles",
        to: ["phone_number": "+9779800009999"])
    }
    bench.clocks.pass(.seconds(601))
    bench.go()
    #expect(bench.stored == 2)
    // It is told once that one waits.
    #expect(bench.events.names.filter { $0 == "forward_held" }.count == 3)
    #expect(try bench.store.retryForwards(at: bench.clocks.wall()) == 2)
    #expect(try bench.store.forwardStanding().setAside == 0)
  }

  @Test func oneThatIsRefusedIsSetAsideByItself() throws {
    let bench = try ForwardBench()
    for number in 1...3 { try bench.take(number, "BA1PA\(number)") }
    // The batch, and the first of it by itself.
    bench.server.inject(InjectedFault(.tooLarge, times: 2, methods: ["POST"]))
    bench.go()
    #expect(bench.stored == 2)
    #expect(try bench.store.forwardStanding().hindered == [.refused: 1])
    #expect(try bench.store.forwardStanding().setAside == 1)
    #expect(try bench.store.retryForwards(at: bench.clocks.wall()) == 1)
    bench.go()
    #expect(bench.stored == 3)
  }

  @Test func aPassageThatACorrectionMakesOfAnOlderRecordGoesToo() throws {
    let bench = try ForwardBench()
    try bench.take(1)
    try bench.take(2, at: 30)
    try bench.take(3, "BA1PA9")
    bench.go()
    #expect(bench.stored == 2)
    var correction = ReceivedCorrection(
      of: ClientID(random: 2, 2), madeAt: bench.clocks.wall(), author: nil)
    correction.plate = try Plate("BA1PA7")
    try bench.take([PassageArrival(correction)])
    #expect(try bench.store.forwardStanding().waiting == 1)
    bench.go()
    #expect(bench.stored == 3)
  }

  /// Whoever handed a passage in said that nobody vouches for its clock: the other server is told so as well.
  @Test func theDoubtOfAClockGoesWithThePassage() throws {
    let bench = try ForwardBench()
    try bench.take(1)
    let passage = Observation(
      clientID: ClientID(random: 2, 2), post: try CheckpostCode("BNP-A"),
      plate: try Plate("BA1PA2"), vehicleType: .car, recordedAt: bench.clocks.wall(), ranger: nil,
      suffix: try #require(PhoneSuffix("4567")), photoPath: nil, channel: .upload, isProven: true,
      receivedAt: bench.clocks.wall(), clock: .within(seconds: ClockQuality.anySeconds))
    try bench.take([PassageArrival(passage)])
    bench.go()
    #expect(bench.stored == 2)
    let pushes = bench.asked.requests.filter { $0.method == .post }
    let doubts = pushes.flatMap(\.headers).filter { $0.name == "Checkpost-Clock" }
    #expect(doubts.map(\.value) == ["\(passage.clientID)=\(ClockQuality.anySeconds)"])
  }

  private func withdraw(_ number: Int, _ bench: ForwardBench) throws {
    var withdrawal = ReceivedCorrection(
      of: ClientID(random: UInt64(number), UInt64(number)), madeAt: bench.clocks.wall(),
      author: "Maya")
    withdrawal.withdrawal = "wrong key"
    try bench.take([PassageArrival(withdrawal)])
  }

  /// What was withdrawn before it went never goes; what the server has already is withdrawn there.
  @Test(arguments: [false, true]) func aWithdrawalIsHandedOn(_ fails: Bool) throws {
    let bench = try ForwardBench()
    try bench.take(1)
    try bench.take(2, "BA1PA2")
    try withdraw(2, bench)
    try bench.take(3, "BA1PA3", suffix: "0000")
    bench.go()
    #expect(bench.stored == 1, "2 never was, and of 3 nobody is known who recorded it")
    try withdraw(1, bench)
    try withdraw(3, bench)
    #expect(try bench.store.forwardStanding().waiting == 2)
    if fails { bench.server.inject(InjectedFault(.internalError, times: 1, methods: ["PATCH"])) }
    bench.go()
    bench.clocks.pass(.seconds(30))
    bench.go()
    #expect(bench.stored == 1, "a state, not a deletion")
    let row = try #require(
      bench.server.withModel { $0.passage(clientID: ClientID(random: 1, 1).description) })
    #expect(row["matched_passage_id"] == row["id"], "which is how such a server can say it")
    let told = try #require(bench.asked.requests.last { $0.method == .patch })
    if case .bytes(let body, _) = told.body {
      #expect(String(decoding: body, as: UTF8.self).contains("wrong key"))
    }
    let standing = try bench.store.forwardStanding()
    #expect(standing == ForwardStanding(forwarded: 1, waiting: 0, hindered: [:], setAside: 0))
    let before = bench.asked.requests.count
    bench.go()
    #expect(bench.asked.requests.count == before, "once")
  }

  @Test func itRunsOnAThreadUntilItIsEnded() async throws {
    let bench = try ForwardBench()
    try bench.take(1)
    let key = ServerModel.Settings().serviceKey
    let (told, telling) = AsyncStream.makeStream(of: String.self)
    let forwarder = try Forwarder(
      bench.store,
      to: CurlServerClient(
        ServerEndpoint(url: bench.server.url, apiKey: key, token: key, timeout: .seconds(20))),
      clocks: SystemClocks(), chance: SplitMix64(seed: 2)
    ) { telling.yield($0.name) }
    try forwarder.start { telling.finish() }
    var names = told.makeAsyncIterator()
    #expect(await names.next() == "passages_forwarded")
    try bench.take(2, "BA1PA2")
    forwarder.wake()
    #expect(await names.next() == "passages_forwarded")
    #expect(bench.stored == 2)
    forwarder.stop()
    #expect(await names.next() == nil)
  }
}
