import JSON
import ServerModel
import Testing
import Time

@Suite struct FaultTests {
  private func pushed(_ asking: inout Asking) -> ModelResponse {
    asking.ask("POST", Asking.once, Asking.passage(), prefer: Asking.ignoring)
  }

  @Test(arguments: ModelFault.allCases)
  func everyFaultDoesWhatItSays(_ fault: ModelFault) throws {
    var asking = try Asking.east()
    var well = asking
    let expected = pushed(&well)
    asking.model.inject(InjectedFault(fault))
    let answer = pushed(&asking)
    #expect(answer != expected)
    #expect(asking.model.count(of: "vehicle_passages") == (fault.isDone ? 1 : 0))
    #expect(asking.model.fired == [fault: 1])
    // It is over, and what was done is known.
    let again = pushed(&asking)
    #expect(again.status == 201)
    #expect(again.json?.list?.count == (fault.isDone ? 0 : 1))
    #expect(asking.model.count(of: "vehicle_passages") == 1)
  }

  @Test func aFaultBefallsOnlyWhatItIsFor() throws {
    var asking = try Asking.east()
    asking.model.inject(
      InjectedFault(.internalError, times: nil, areas: [.tables], methods: ["POST"]))
    #expect(asking.ask("GET", Asking.passages).status == 200)
    #expect(asking.ask("POST", "/storage/v1/object/other/a.jpg", [:]).status == 400)
    #expect(pushed(&asking).status == 500)
    #expect(pushed(&asking).status == 500)
    asking.model.heal()
    #expect(pushed(&asking).status == 201)
    #expect(asking.model.fired == [.internalError: 2])
  }

  @Test func faultsCountDown() throws {
    var asking = try Asking.east()
    asking.model.inject(InjectedFault(.noDatabase, times: 2))
    asking.model.inject(InjectedFault(.unpaid))
    #expect((0..<4).map { _ in pushed(&asking).status } == [503, 503, 402, 201])
  }

  @Test(arguments: [
    (ModelFault.busy, "7" as String?), (.busyForever, "1000000000"), (.busyWithoutEnd, nil),
    (.busyUntil, "Thu, 01 Jan 2026 00:01:30 GMT"),
  ])
  func busySaysWhenInItsWays(_ fault: ModelFault, _ retryAfter: String?) throws {
    var asking = try Asking.east()
    asking.model.inject(InjectedFault(fault))
    let answer = pushed(&asking)
    #expect(answer.status == 429)
    #expect(answer.header("Retry-After") == retryAfter)
  }

  @Test func aStaleSchemaKnowsNeitherColumnNorTable() throws {
    var asking = try Asking.east()
    asking.model.inject(InjectedFault(.staleSchema, times: 2))
    #expect(pushed(&asking).json?["code"] == "PGRST204")
    #expect(asking.ask("GET", Asking.passages).json?["code"] == "PGRST205")
  }

  @Test func answersAreDated() throws {
    var asking = try Asking.east()
    #expect(pushed(&asking).header("Date") == "Thu, 01 Jan 2026 00:00:00 GMT")
    asking.now = WallTime(epochSeconds: 951_782_400)
    asking.token = nil
    #expect(asking.ask("GET", Asking.passages).header("Date") == "Tue, 29 Feb 2000 00:00:00 GMT")
  }

  @Test func whatGoesWrongOnTheWayIsTold() throws {
    var asking = try Asking.east()
    for (fault, delivery) in [
      (ModelFault.resetAfter, ModelResponse.Delivery.reset), (.resetBefore, .reset),
      (.silent, .silence), (.silentAfter, .silence), (.slow, .slow(.seconds(10))),
    ] {
      asking.model.inject(InjectedFault(fault))
      #expect(pushed(&asking).delivery == delivery)
    }
    asking.model.inject(InjectedFault(.huge))
    #expect(pushed(&asking).body.count > 10_000_000)
    asking.model.inject(InjectedFault(.truncated))
    let cut = pushed(&asking)
    #expect(cut.delivery == .cut(after: cut.body.count / 2))
  }

  @Test func theSameSeedGivesTheSameServer() throws {
    var one = try Asking.east()
    var other = try Asking.east()
    #expect(pushed(&one) == pushed(&other))
    #expect(one.model.rows(of: "vehicle_passages") == other.model.rows(of: "vehicle_passages"))
    var different = Asking()
    different.model = ServerModel.pilot(seed: 2)
    try different.signIn("sita@bnp.local", "east-gate-1")
    #expect(pushed(&different) != pushed(&one))
  }
}
