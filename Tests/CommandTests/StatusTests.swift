import Control
import Testing

@testable import checkpost

/// What a status says to people.
@Suite struct StatusTests {
  @Test func aServiceThatDoesNotAnswerIsNotCalledGone() {
    for error in [
      ControlError.busy(path: "/run/s"), .noPermission(path: "/run/s"),
      .timedOut(path: "/run/s", after: .seconds(10)),
    ] {
      let lines = StatusText.lines(ServiceStatus(service: ServiceReport(error)), colour: false)
      #expect(lines.first?.contains("not running") == false, "\(error)")
      #expect(lines.first?.contains(error.description) == true, "the reason is shown")
    }
    let gone = ServiceReport(.notRunning(path: "/run/s"))
    #expect(gone.isRunning == false)
    #expect(
      StatusText.lines(ServiceStatus(service: gone), colour: false).first?.contains("not running")
        == true)
  }

  @Test func textsThatAreLostAreShown() {
    var status = ServiceStatus()
    var queue = QueueReport()
    (queue.undelivered, queue.unknownTexts, queue.texted) = (2, 1, 5)
    status.queue = queue
    let lines = StatusText.lines(status, colour: false)
    #expect(lines.contains { $0.contains("5 texted, 2 undelivered, 1 unknown") })
  }

  @Test func theSizeOfTheStoreIsShown() {
    var status = ServiceStatus()
    var queue = QueueReport()
    (queue.freeBytes, queue.databaseBytes) = (5 << 30, 3_145_728)
    status.queue = queue
    let lines = StatusText.lines(status, colour: false)
    #expect(lines.contains("storage       database of 3 MiB, 5 GiB free"))
  }
}
