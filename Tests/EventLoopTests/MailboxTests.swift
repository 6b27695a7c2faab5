import EventLoop
import Testing
import Time

struct MailboxTests {
  @Test func keepsTheOrder() throws {
    let mailbox = Mailbox<Int>(capacity: 100, wakeup: try Wakeup())
    for number in 0..<100 {
      #expect(mailbox.post(number))
    }
    #expect(mailbox.count == 100)
    #expect(mailbox.drain() == Array(0..<100))
    #expect(mailbox.count == 0)
    #expect(mailbox.drain().isEmpty)
  }

  @Test func takesNoMoreThanItHolds() throws {
    let mailbox = Mailbox<Int>(capacity: 2, wakeup: try Wakeup())
    #expect(mailbox.post(1) && mailbox.post(2))
    #expect(!mailbox.post(3))
    #expect(mailbox.drain() == [1, 2])
    #expect(mailbox.post(4))
    #expect(mailbox.drain() == [4])
    let closed = Mailbox<Int>(capacity: 0, wakeup: try Wakeup())
    #expect(!closed.post(1))
  }

  @Test func takesNothingOnceClosed() throws {
    let wakeup = try Wakeup()
    let mailbox = Mailbox<Int>(capacity: 2, wakeup: wakeup)
    mailbox.post(1)
    mailbox.close()
    mailbox.close()
    #expect(!mailbox.post(2))
    #expect(mailbox.drain() == [1])
    wakeup.clear()
    #expect(!mailbox.post(3))
    #expect(readinessNow(wakeup.descriptor).isEmpty)
  }

  @Test func wakesItsOwnerForWhatItTook() throws {
    let wakeup = try Wakeup()
    let mailbox = Mailbox<Int>(capacity: 2, wakeup: wakeup)
    #expect(readinessNow(wakeup.descriptor).isEmpty)
    mailbox.post(1)
    #expect(readinessNow(wakeup.descriptor) == .readable)
    wakeup.clear()
    #expect(mailbox.drain() == [1])
    // After every drain the next event wakes anew.
    mailbox.post(2)
    #expect(readinessNow(wakeup.descriptor) == .readable)
  }

  @Test func bringsTheEventsOfManyThreadsEachInOrder() async throws {
    let wakeup = try Wakeup()
    let mailbox = Mailbox<(thread: Int, number: Int)>(capacity: 100_000, wakeup: wakeup)
    var threads: [WorkerThread] = []
    for thread in 0..<4 {
      let worker = WorkerThread()
      try worker.start(name: "post-\(thread)") {
        for number in 0..<5_000 {
          mailbox.post((thread, number))
        }
      }
      threads.append(worker)
    }
    var next = [0, 0, 0, 0]
    while next.reduce(0, +) < 20_000 {
      guard readiness(wakeup.descriptor).contains(.readable) else {
        Issue.record("an event came and nobody was woken: \(next)")
        return
      }
      wakeup.clear()
      for event in mailbox.drain() {
        #expect(event.number == next[event.thread])
        next[event.thread] = event.number + 1
      }
    }
    for thread in threads { await thread.finished() }
    #expect(mailbox.drain().isEmpty)
  }
}
