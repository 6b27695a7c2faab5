import EventLoop
import Glibc
import TestSupport
import Testing
import Time

@testable import ModemDriver

/// What is remembered of a modem on disk: tried PINs, and traces.
@Suite struct ModemFilesTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func memory(_ pin: String) -> PINMemory {
    PINMemory(path: directory.file("modem.pins"), pin: pin)
  }

  @Test func aPINIsTriedOnceForACardAndAConfiguration() {
    #expect(memory("4711").claim(card: "8997701", attemptsLeft: nil))
    // Another process with the same configuration.
    #expect(!memory("4711").claim(card: "8997701", attemptsLeft: nil))
    #expect(!memory("4711").claim(card: "8997701", attemptsLeft: 2))
    // A card that lost no try by it, another card, another PIN.
    #expect(memory("4711").claim(card: "8997701", attemptsLeft: 3))
    #expect(memory("4711").claim(card: "8997702", attemptsLeft: nil))
    #expect(memory("1234").claim(card: "8997701", attemptsLeft: nil))
    #expect(memory("4711").claim(card: nil, attemptsLeft: nil))
    #expect(!memory("4711").claim(card: nil, attemptsLeft: nil))
  }

  @Test func aPINThatIsRightIsForgotten() {
    #expect(memory("1234").claim(card: "8997701", attemptsLeft: nil))
    memory("1234").tried(card: "8997701", isRight: true)
    #expect(memory("1234").claim(card: "8997701", attemptsLeft: nil))
    memory("1234").tried(card: "8997701", isRight: false)
    #expect(!memory("1234").claim(card: "8997701", attemptsLeft: nil))
  }

  @Test func aThirdPINIsNotTriedOnACardThatDoesNotTellItsTries() {
    #expect(memory("1111").claim(card: "8997701", attemptsLeft: nil))
    #expect(memory("2222").claim(card: "8997701", attemptsLeft: nil))
    #expect(!memory("3333").claim(card: "8997701", attemptsLeft: nil))
    #expect(memory("3333").claim(card: "8997702", attemptsLeft: nil))
    // One that tells may be believed, and one that was opened has all its tries again.
    #expect(memory("4444").claim(card: "8997701", attemptsLeft: 2))
    memory("4444").tried(card: "8997701", isRight: true)
    #expect(memory("3333").claim(card: "8997701", attemptsLeft: nil))
  }

  @Test func thePINDoesNotStandInTheFileAndOthersMayNotReadIt() throws {
    #expect(memory("4711").claim(card: "8997701", attemptsLeft: nil))
    let content = try SmallFile.read(directory.file("modem.pins"), limit: 4_096)
    let text = String(decoding: content.bytes, as: UTF8.self)
    #expect(text.count == 130)
    #expect(!text.contains("4711") || !text.contains("8997701"))
    #expect(content.permissions == 0o600)
  }

  @Test func aTryThatCannotBeNotedIsNotMade() {
    let memory = PINMemory(path: directory.file("missing/modem.pins"), pin: "4711")
    #expect(!memory.claim(card: "8997701", attemptsLeft: nil))
  }

  @Test func theNewestTracesAreKept() throws {
    let files = TraceFiles(directory: directory.file("traces"))
    let header = "# checkpost modem trace 1"
    var last = ""
    for second in 0..<25 {
      last = try files.keep(
        second.isMultiple(of: 2) ? "node" : "central", text: "\(header)\n0 > \"AT\\r\"\n",
        reason: "mute", at: WallTime(epochSeconds: 1_800_000_000 + Int64(second))
      ).get()
    }
    let content = try SmallFile.read(last, limit: 4_096)
    let lines = String(decoding: content.bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines[0] == header)
    #expect(lines[1].hasSuffix(": mute"))
    #expect(lines[2] == "0 > \"AT\\r\"")
    var count = 0
    let handle = try #require(opendir(directory.file("traces")))
    while let entry = readdir(handle) {
      if withUnsafeBytes(of: &entry.pointee.d_name, { $0[0] }) != 0x2E { count += 1 }
    }
    closedir(handle)
    #expect(count == Limits.traceFiles)
  }
}
