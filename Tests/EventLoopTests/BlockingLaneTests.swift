import Dispatch
import EventLoop
import Synchronization
import Testing

struct BlockingLaneTests {
  /// What the work of a lane tells.
  private final class Told: Sendable {
    let running = Mutex((now: 0, most: 0))
    let begun = Mutex(0)
  }

  @Test func itDoesSoMuchAtOnceAndAllOfIt() async {
    let lane = BlockingLane(name: "lane", atOnce: 3, waiting: 1_000)
    let told = Told()
    let sum = await withTaskGroup(of: Int?.self) { group in
      for number in 0..<500 {
        group.addTask {
          await lane.run {
            told.running.withLock {
              $0.now += 1
              $0.most = max($0.most, $0.now)
            }
            defer { told.running.withLock { $0.now -= 1 } }
            return number
          }
        }
      }
      return await group.reduce(0) { $0 + ($1 ?? -1_000_000) }
    }
    #expect(sum == 500 * 499 / 2)
    #expect(told.running.withLock { $0.most } <= 3)
  }

  /// Whose work was done, in order.
  private final class Order: Sendable {
    let names = Mutex<[String]>([])
    let refused = Mutex(0)
  }

  /// Who asks much keeps nobody waiting for longer than one turn, and takes no more than half of the room.
  @Test func everybodyHasTheirTurn() {
    let lane = BlockingLane(name: "lane", atOnce: 1, waiting: 40)
    let door = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    let order = Order()
    func begin(_ name: String) {
      lane.begin(for: name) {
        // Whoever comes through leaves it open for the next.
        door.wait()
        door.signal()
        order.names.withLock { $0.append(name) }
      } then: { answer in
        if answer == nil { order.refused.withLock { $0 += 1 } } else { done.signal() }
      }
    }
    // One is begun, twenty wait, and the others find no room.
    for _ in 0..<60 { begin("many") }
    #expect(order.refused.withLock { $0 } == 39)
    begin("one")
    begin("another")
    #expect(lane.waiting == 22)
    door.signal()
    for _ in 0..<23 { done.wait() }
    let names = order.names.withLock { $0 }
    #expect(names.count == 23)
    #expect(Set(names.prefix(3)) == ["many", "one", "another"], "\(names)")
  }

  /// However much of one is under way, there is a thread for somebody else.
  @Test func nobodyHasAllThreads() {
    let lane = BlockingLane(name: "lane", atOnce: 4, waiting: 40)
    let door = DispatchSemaphore(value: 0)
    let done = DispatchSemaphore(value: 0)
    let order = Order()
    func begin(_ name: String) {
      lane.begin(for: name) {
        if name == "many" {
          door.wait()
          door.signal()
        }
        order.names.withLock { $0.append(name) }
      } then: { _ in
        done.signal()
      }
    }
    for _ in 0..<10 { begin("many") }
    #expect(lane.waiting == 8)
    if lane.waiting == 8 {
      for _ in 0..<5 {
        begin("one")
        done.wait()
      }
      #expect(order.names.withLock { $0 } == Array(repeating: "one", count: 5))
      #expect(lane.waiting == 8)
    }
    door.signal()
    for _ in 0..<10 { done.wait() }
    #expect(order.names.withLock { $0.count { $0 == "many" } } == 10)
    #expect(lane.waiting == 0)
  }

  @Test func whatFindsNoRoomIsNotBegun() async {
    let lane = BlockingLane(name: "lane", atOnce: 1, waiting: 1)
    let told = Told()
    let door = DispatchSemaphore(value: 0)
    let answers = await withTaskGroup(of: Int?.self) { group in
      for number in 0..<10 {
        group.addTask {
          await lane.run {
            told.begun.withLock { $0 += 1 }
            // Whoever comes through leaves it open for the next.
            door.wait()
            door.signal()
            return number
          }
        }
      }
      var answers: [Int?] = []
      for await answer in group {
        answers.append(answer)
        // Eight find no room and are told at once; then the first may end.
        if answers.count == 8 { door.signal() }
      }
      return answers
    }
    #expect(answers.prefix(8).allSatisfy { $0 == nil })
    #expect(answers.suffix(2).allSatisfy { $0 != nil })
    #expect(told.begun.withLock { $0 } == 2)
    #expect(await lane.run { 7 } == 7)
  }
}
