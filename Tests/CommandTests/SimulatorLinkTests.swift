import Foundation
import Testing

@Suite(.ownThreads) struct SimulatorLinkTests {
  private func target(_ path: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: path)
  }

  @Test func aLinkBelongsToOneSimulator() throws {
    let files = try ProgramFiles()
    let first = try SimulatorProcess("+9779801234567", files)
    let port = try #require(target(first.link))
    let second = try Program.run(["simulate", "--link", first.link])
    #expect(second.status == 64)
    #expect(second.errors.contains("a simulator that runs has this link"))
    #expect(target(first.link) == port)
  }

  @Test func whatAKilledSimulatorLeftIsTaken() throws {
    let files = try ProgramFiles()
    let first = try SimulatorProcess("+9779801234567", files)
    first.kill()
    #expect(target(first.link) != nil)
    let second = try SimulatorProcess("+9779801234567", files)
    // The port behind the link is there.
    #expect(FileManager.default.fileExists(atPath: second.link))
  }

  @Test func oneLinkForTwoModemsIsRefused() throws {
    let files = try ProgramFiles()
    let link = files.path("modem")
    let outcome = try Program.run([
      "simulate", "--number", "+9779801234567", "--number", "+9779801234568", "--link", link,
      "--link", link,
    ])
    #expect(outcome.status == 64)
    #expect(target(link) == nil)
  }
}
