import EventLoop
import Testing
import Time

struct ChildCommandTests {
  @Test func tellsHowAProgramEnded() {
    let clocks = SystemClocks()
    let wait = Duration.seconds(30)
    #expect(ChildCommand(["/bin/true"], timeout: wait).run(clocks: clocks) == .ended(code: 0))
    #expect(
      ChildCommand(["/bin/sh", "-c", "exit 7"], timeout: wait).run(clocks: clocks)
        == .ended(code: 7))
    #expect(
      ChildCommand(["/bin/sh", "-c", "kill -9 $$"], timeout: wait).run(clocks: clocks)
        == .killed(signal: 9))
  }

  @Test func argumentsAreNoShellText() {
    // A shell would end with 3.
    #expect(
      ChildCommand(["/bin/true", "; exit 3"], timeout: .seconds(30)).run(clocks: SystemClocks())
        == .ended(code: 0))
  }

  @Test func aProgramThatIsNotThereIsToldAndOneThatHangsIsEnded() {
    let clocks = SystemClocks()
    let missing = ChildCommand(["/no/such/program"], timeout: .seconds(30)).run(clocks: clocks)
    #expect(missing == .notStarted(reason: "/no/such/program: No such file or directory"))
    #expect(ChildCommand([], timeout: .seconds(1)).run(clocks: clocks) != .ended(code: 0))
    let hanging = ChildCommand(["/bin/sleep", "600"], timeout: .milliseconds(50))
    #expect(hanging.run(clocks: clocks) == .timedOut)
  }
}
