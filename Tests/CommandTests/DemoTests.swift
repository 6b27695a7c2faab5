import Foundation
import TestSupport
import Testing

@Suite(.ownThreads) struct DemoTests {
  @Test(arguments: [SIGINT, SIGTERM])
  func anEndBeforeItsTimeLeavesNothingBehind(signal: Int32) throws {
    let directory = try TemporaryDirectory()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.path)
    process.arguments = ["demo"]
    process.environment = ["TZ": "UTC", "TMPDIR": directory.path]
    let pipe = Spawn.pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.start()
    var lines = SpokenLines(pipe.fileHandleForReading)
    _ = try lines.read(untilEach: [["The modems"]])
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 1)
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == signal)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
  }
}
