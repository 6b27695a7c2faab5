import Control
import Host
import NodeCore
import Passages
import Testing
import Time

/// When the next text of a passage goes: its own time and what the service says, put together.
@Suite struct PassageOutlookTests {
  private let moment = Moment(
    boot: .seconds(1_000), wall: WallTime(epochSeconds: 1_800_000_000))

  private func item(dueIn seconds: Int64) throws -> QueueItem {
    let passage = try Passage(
      recording: Plate("BA1PA1234"), vehicleType: .car, checkpost: CheckpostCode("BNP-A"),
      recordedAt: moment.wall, suffix: try #require(PhoneSuffix("9801")))
    return QueueItem(
      queueID: 1, passage: passage, status: .pending, attempts: 0, requeues: 0,
      createdAt: moment.wall, since: .seconds(900), isTexted: false, isUndelivered: false,
      textAttempts: 0, refusals: 0, textDue: moment.boot + .seconds(seconds), priority: 1,
      isOutdated: false)
  }

  /// The answer of a service whose next text waits for something.
  private func status(_ obstacle: String?, _ reason: String?, in seconds: Int64?) -> ServiceStatus {
    var status = ServiceStatus(service: ServiceReport(startedAt: "", version: ""))
    var queue = QueueReport()
    queue.nextTextWaitsFor = obstacle
    queue.nextTextReason = reason
    queue.nextTextAt = seconds.map { (moment.wall + .seconds($0)).rfc3339 }
    status.queue = queue
    return status
  }

  private func outlook(
    dueIn seconds: Int64, _ status: ServiceStatus, _ texts: [TextRecord] = []
  ) throws -> PassageOutlook? {
    PassageOutlook(try item(dueIn: seconds), texts, status, at: moment)
  }

  @Test func whatIsDueGoesNextUnlessSomethingKeepsAllTexts() throws {
    #expect(try outlook(dueIn: -5, status(nil, nil, in: nil))?.waitsFor == nil)
    let budget = try outlook(
      dueIn: -5, status("budget", "hour budget used (3 of 3)", in: 1_200))
    #expect(budget?.waitsFor == "budget")
    #expect(budget?.reason == "hour budget used (3 of 3)")
    #expect(budget?.at == moment.wall + .seconds(1_200))
    let none = try outlook(dueIn: -5, status("no_gateway", "no number", in: nil))
    #expect(none?.waitsFor == "no_gateway")
    #expect(none?.at == nil)
  }

  @Test func whatIsNotDueWaitsForWhateverEndsLater() throws {
    for (obstacle, end) in [(nil, nil), ("sending", nil), ("budget", 30), ("not_due", 30)]
      as [(String?, Int64?)]
    {
      let own = try outlook(dueIn: 60, status(obstacle, "words", in: end))
      #expect(own?.waitsFor == "not_due")
      #expect(own?.reason == nil)
      #expect(own?.at == moment.wall + .seconds(60))
    }
    let budget = try outlook(dueIn: 60, status("budget", "words", in: 90))
    #expect(budget?.waitsFor == "budget")
    #expect(try outlook(dueIn: 60, status("no_gateway", "words", in: nil))?.at == nil)
  }

  @Test func whatWasRefusedSaysWhyItWaits() throws {
    let refused = TextRecord(
      id: 1, recipient: "+9779800000000", body: "", modem: ModemID(0), begunAt: moment.wall,
      outcome: "refused", error: "CMS 38 network out of order", references: [])
    let own = try outlook(dueIn: 60, status(nil, nil, in: nil), [refused])
    #expect(own?.reason == "CMS 38 network out of order")
  }

  @Test func aServiceThatDoesNotRunIsTheReason() throws {
    let stopped = ServiceStatus(service: ServiceReport(.notRunning(path: "/run/x")))
    #expect(try outlook(dueIn: -5, stopped)?.waitsFor == "service_stopped")
    let mute = ServiceStatus(service: ServiceReport(.busy(path: "/run/x")))
    #expect(try outlook(dueIn: -5, mute)?.waitsFor == PassageOutlook.unknown)
  }

  @Test func whatIsNotToBeTextedHasNoOutlook() throws {
    var item = try item(dueIn: 1)
    item.textDue = nil
    #expect(PassageOutlook(item, [], status(nil, nil, in: nil), at: moment) == nil)
  }
}
