import CentralCore
import NIOCore
import Synchronization
import Testing
import Time

@testable import HTTPServer

/// Whoever asks is answered before they have gone, however long the store takes.
@Suite struct StorePatienceTests {
  private final class Held: Sendable {
    let waiting = Mutex<StorePatience.Waiting<Int>?>(nil)
  }

  @Test func whatTakesTooLongIsNotWaitedFor() async {
    let held = Held()
    let answer: Int? = await StorePatience.$ofRequest.withValue(.init(.zero)) {
      await StorePatience.wait { waiting in
        held.waiting.withLock { $0 = waiting }
      }
    }
    #expect(answer == nil)
    let waiting = held.waiting.withLock { $0 }
    #expect(waiting?.isOver == true)
    // Too late, and nobody minds.
    waiting?.end(with: 7)
  }

  @Test func whatIsThereInTimeIsAnswered() async {
    let answer: Int? = await StorePatience.wait { $0.end(with: 7) }
    #expect(answer == 7)
    let none: Int? = await StorePatience.wait { $0.end(with: nil) }
    #expect(none == nil)
  }

  /// A request asks who makes it, and then what it is asked for: it waits for both together as long as for one.
  @Test func whatIsWaitedForSeveralTimesIsOneBudget() async {
    let budget = StorePatience.Budget()
    #expect(budget.left == .seconds(Limits.storeSeconds))
    #expect(Limits.storeSeconds < Limits.answerSeconds)
    let held = Held()
    await StorePatience.$ofRequest.withValue(budget) {
      let answer: Int? = await StorePatience.wait { $0.end(with: 7) }
      #expect(answer == 7)
      #expect(budget.left < .seconds(Limits.storeSeconds))
      budget.spend(.hours(1))
      #expect(budget.left == .zero)
      let none: Int? = await StorePatience.wait { waiting in
        held.waiting.withLock { $0 = waiting }
      }
      #expect(none == nil)
    }
  }

  /// Each request has one of its own, whatever its route.
  @Test func everyRequestHasABudget() async throws {
    let provider = LookingProvider()
    try await Bench().route([provider]) { client in
      for _ in 0..<2 {
        let answer = try await client.send(provider.path, [])
        #expect(answer.status == 403)
      }
    }
    let seen = provider.budgets.withLock { $0 }.compactMap { $0 }
    #expect(seen.count == 2)
    #expect(seen.allSatisfy { $0.left == .seconds(Limits.storeSeconds) })
    #expect(Set(seen.map { ObjectIdentifier($0) }).count == 2)
  }
}

/// A provider of which nothing is taken, and that looks how long each request may wait.
private final class LookingProvider: WebhookProvider {
  let budgets = Mutex<[StorePatience.Budget?]>([])
  let path = "/look"
  let methods: Set<WebhookMethod> = [.post]
  var provider: Provider { .twilio }

  func check(_ head: WebhookHead) {
    budgets.withLock { $0.append(StorePatience.ofRequest) }
  }

  func message(
    of request: WebhookRequest, at wall: WallTime
  ) throws(WebhookRefusal) -> InboundMessage {
    throw WebhookRefusal(.signature, "nothing is")
  }

  func answer(to outcome: WebhookOutcome) -> WebhookAnswer {
    TwilioProvider(nil).answer(to: outcome)
  }
}
