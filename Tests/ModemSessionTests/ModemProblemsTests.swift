import Events
import ModemSession
import Testing
import Time

/// What is told of a modem: what is wrong, what helps, since when.
@Suite struct ModemProblemsTests {
  private let start = WallTime(epochSeconds: 1_795_000_000)

  private func status(_ error: String?, isDeaf: Bool = false) -> ModemStatus {
    var status = ModemStatus(port: "/dev/ttyUSB0", lastError: error)
    status.isDeaf = isDeaf
    return status
  }

  @Test func theActBehindTheReasonIsTheRemedy() {
    var problems = ModemProblems()
    #expect(problems.failing("modem") == nil)
    problems.take(status("the SIM wants its PIN; set modem.pin_file, or switch it off"), at: start)
    let problem = problems.failing("modem roof")
    #expect(problem?.name == "modem_failing")
    #expect(problem?.severity == .critical)
    #expect(problem?.subject == "modem roof")
    #expect(problem?.what == "modem roof: the SIM wants its PIN")
    #expect(problem?.remedy == "set modem.pin_file, or switch it off")
  }

  @Test func aReasonWithoutAnActHasARemedyAllTheSame() {
    var problems = ModemProblems()
    problems.take(status("/dev/ttyUSB0: open failed: Input/output error"), at: start)
    #expect(problems.failing("modem")?.remedy?.contains("checkpost modem reset") == true)
  }

  @Test func itStandsSinceItBeganAndEndsWithIt() {
    var problems = ModemProblems()
    problems.take(status("one"), at: start)
    problems.take(status("another", isDeaf: true), at: start + .seconds(60))
    #expect(problems.failing("modem")?.since == start)
    #expect(problems.failing("modem")?.what == "modem: another")
    #expect(problems.deaf("modem")?.since == start + .seconds(60))
    #expect(problems.deaf("modem")?.severity == .warning)
    #expect(problems.deaf("modem")?.remedy?.contains("ports") == true)
    problems.take(status(nil), at: start + .seconds(120))
    #expect(problems.failing("modem") == nil)
    #expect(problems.deaf("modem") == nil)
    problems.take(status("one"), at: start + .seconds(180))
    #expect(problems.failing("modem")?.since == start + .seconds(180), "it was over meanwhile")
  }

  @Test func aModemWithoutANetworkIsAWarningFirstAndThenCritical() {
    var problems = ModemProblems()
    var looking = ModemStatus(state: .registering, port: "/dev/ttyUSB0")
    looking.registration = "searching"
    problems.take(looking, at: start)
    let first = problems.unregistered("modem", at: start + .seconds(60))
    #expect(first?.severity == .warning)
    #expect(first?.what == "modem: not registered in the network (searching)")
    looking.registration = "denied"
    problems.take(looking, at: start + .seconds(100))
    let later = problems.unregistered("modem", at: start + .seconds(120))
    #expect(later?.severity == .critical)
    #expect(later?.since == start)
    #expect(later?.remedy?.contains("paid for") == true)
    problems.take(ModemStatus(state: .ready, port: "/dev/ttyUSB0"), at: start + .seconds(130))
    #expect(problems.unregistered("modem", at: start + .seconds(130)) == nil)
  }

  @Test func aStorageThatFillsIsToldFromFourFifthsOn() {
    func told(_ used: Int, leftovers: Int = 0, deletes: Bool = false) -> Problem? {
      var status = ModemStatus(state: .ready, port: "/dev/ttyUSB0")
      (status.storageUsed, status.storageSize, status.storageLeftovers) = (used, 10, leftovers)
      var problems = ModemProblems()
      problems.take(status, at: start)
      return problems.all("central modem", deletesLeftovers: deletes, at: start).first
    }
    #expect(told(7) == nil)
    #expect(told(8)?.name == "modem_storage_filling")
    #expect(told(8)?.severity == .warning)
    #expect(told(10)?.severity == .critical)
    #expect(told(10)?.what.contains("so no text comes in") == true)
    #expect(told(10, leftovers: 9)?.remedy?.contains("modem.delete_leftovers") == true)
    #expect(told(10, leftovers: 9, deletes: true)?.remedy?.contains("delete_leftovers") == false)
  }

  @Test func messagesThatStayAreTold() {
    var status = ModemStatus(state: .ready, port: "/dev/ttyUSB0")
    status.undeletable = 2
    var problems = ModemProblems()
    problems.take(status, at: start)
    let problem = problems.all("modem", deletesLeftovers: false, at: start).first
    #expect(problem?.name == "modem_deletes_failing")
    #expect(problem?.count == 2)
    status.undeletable = 0
    problems.take(status, at: start)
    #expect(problems.all("modem", deletesLeftovers: false, at: start).isEmpty)
  }
}
