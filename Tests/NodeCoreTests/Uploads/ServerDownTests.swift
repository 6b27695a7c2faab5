import Testing
import Time

@testable import NodeCore

/// What a node still knows after a restart of a server that took nothing.
@Suite struct ServerDownTests {
  @Test func whatAQuestionMetIsRefutedByAQuestionAfterARestart() {
    var bench = UploadBench()
    bench.tell(.linkChanged(.up))
    bench.answer(where: { $0 == .probe }, .failure(.failing))
    #expect(bench.remembered.serverDownSince == bench.now)
    #expect(bench.remembered.pushFailedAt == nil)
    var again = UploadBench(memory: bench.remembered)
    again.goOnline()
    #expect(again.remembered.serverDownSince == nil)
  }

  @Test func whatAPassageMetIsRefutedByAPassageAfterARestart() throws {
    var bench = try UploadBench.online(passages: 1)
    bench.passUntilPush()
    bench.answerPush(.failure(.failing))
    #expect(bench.remembered.serverDownSince == bench.now)
    #expect(bench.remembered.pushFailedAt == bench.now)
    var again = UploadBench(memory: bench.remembered)
    again.goOnline()
    #expect(again.remembered.serverDownSince != nil)
    try again.record()
    again.passUntilPush()
    again.take()
    #expect(again.remembered.serverDownSince == nil)
    #expect(again.remembered.pushFailedAt == nil)
  }

  @Test func aPassageThatFailedLongBeforeARestartHurriesNoText() {
    var memory = NodeMemory()
    memory.serverDownSince = .seconds(100)
    memory.pushFailedAt = .seconds(200)
    var rules = UploadBench.rules
    rules.serverDownAfter = .seconds(600)
    func gate(_ failedAt: BootInstant) -> TextGate {
      var line = Connectivity(rules: rules, seed: 1)
      memory.pushFailedAt = failedAt
      line.start(memory, at: .seconds(5_000))
      line.linkChanged(.down, at: .seconds(5_000))
      return line.textsMayLeave(at: .seconds(5_000))
    }
    #expect(gate(.seconds(1_500)) == .open)
    #expect(gate(.seconds(200)) == .opens(at: .seconds(5_300) + .nanoseconds(1)))
  }
}
