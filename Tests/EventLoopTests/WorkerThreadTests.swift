import EventLoop
import Synchronization
import Testing

struct WorkerThreadTests {
  @Test func joiningBlocksUntilTheBodyHasReturned() throws {
    let (thread, joining) = (WorkerThread(), WorkerThread())
    let gate = try Wakeup()
    let steps = Mutex<[String]>([])
    try thread.start(name: "worker") {
      _ = readiness(gate.descriptor)
      steps.withLock { $0.append("body") }
    }
    try joining.start(name: "joining") {
      thread.join()
      steps.withLock { $0.append("joined") }
    }
    gate.signal()
    joining.join()
    // A second wait finds it ended.
    thread.join()
    #expect(steps.withLock { $0 } == ["body", "joined"])
  }

  @Test func isFinishedWhenItsBodyHasReturned() async throws {
    let ran = Mutex(false)
    let gate = try Wakeup()
    let thread = WorkerThread()
    #expect(!thread.isFinished)
    try thread.start(name: "worker") {
      _ = readiness(gate.descriptor)
      ran.withLock { $0 = true }
    }
    #expect(!thread.isFinished)
    gate.signal()
    await thread.finished()
    #expect(thread.isFinished)
    #expect(ran.withLock { $0 })
    // Who asks late has nothing to wait for.
    await thread.finished()
  }

  @Test func tellsEverybodyWhoWaits() async throws {
    let gate = try Wakeup()
    let thread = WorkerThread()
    try thread.start(name: "worker") { _ = readiness(gate.descriptor) }
    let told = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          await thread.finished()
          return thread.isFinished
        }
      }
      gate.signal()
      var told = 0
      for await isFinished in group where isFinished { told += 1 }
      return told
    }
    #expect(told == 8)
  }

  @Test(arguments: [
    ("serial-ttyUSB0", "serial-ttyUSB0"),
    ("a name longer than the system takes", "a name longer t"),
    ("ööööööööö", "ööööööö"), ("", ""),
  ])
  func carriesItsName(_ name: String, _ shown: String) async throws {
    let found = Mutex<String?>(nil)
    let before = SystemFile.firstLine("/proc/self/comm")
    let thread = WorkerThread()
    try thread.start(name: name) {
      let comm = SystemFile.firstLine("/proc/thread-self/comm")
      found.withLock { $0 = comm }
    }
    await thread.finished()
    #expect(found.withLock { $0 } == shown)
    #expect(SystemFile.firstLine("/proc/self/comm") == before)
  }
}
