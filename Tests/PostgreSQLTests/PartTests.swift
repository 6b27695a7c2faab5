import SeededRandom
import Testing
import Time

@testable import PostgreSQL

/// The parts that decide, without a server.
@Suite struct PoolQueueTests {
  private func queue(_ capacity: Int = 3) -> PoolQueue<String> { PoolQueue(capacity: capacity) }

  @Test func whoCameFirstIsServedFirst() {
    var queue = queue()
    for (number, name) in ["a", "b", "c"].enumerated() {
      #expect(queue.add(name, ticket: UInt64(number), deadline: .seconds(9)) == .waits(wake: nil))
    }
    #expect(queue.add("d", ticket: 3, deadline: .seconds(9)) == .overloaded)
    #expect((0..<3).map { queue.take(for: $0) } == ["a", "b", "c"])
    #expect(queue.free == [])
  }

  @Test func whoHasBeenFreeForLongestIsWoken() {
    var queue = queue()
    for owner in [2, 0, 1] { #expect(queue.take(for: owner) == nil) }
    #expect(queue.take(for: 2) == nil, "one that was woken for nothing stands at the end")
    #expect(queue.free == [0, 1, 2])
    #expect(queue.add("a", ticket: 1, deadline: .seconds(9)) == .waits(wake: 0))
    queue.leave(1)
    #expect(queue.add("b", ticket: 2, deadline: .seconds(9)) == .waits(wake: 2))
    #expect(queue.add("c", ticket: 3, deadline: .seconds(9)) == .waits(wake: nil))
    #expect(queue.take(for: 2) == "a")
  }

  @Test func whatIsLateOrNotWantedGoes() {
    var queue = queue()
    _ = queue.add("a", ticket: 1, deadline: .seconds(5))
    _ = queue.add("b", ticket: 2, deadline: .seconds(3))
    _ = queue.add("c", ticket: 3, deadline: .seconds(7))
    #expect(queue.earliest == .seconds(3))
    #expect(queue.expire(at: .seconds(2)) == [])
    #expect(queue.expire(at: .seconds(5)) == ["a", "b"])
    #expect(queue.withdraw(1) == nil)
    #expect(queue.withdraw(3) == "c")
    #expect(queue.earliest == nil)
  }

  @Test func whatEndedTakesNoMore() {
    var queue = queue()
    _ = queue.add("a", ticket: 1, deadline: .seconds(5))
    #expect(queue.end() == ["a"])
    #expect(queue.add("b", ticket: 2, deadline: .seconds(5)) == .ended)
    #expect(queue.take(for: 0) == nil)
  }
}

@Suite struct ReconnectPauseTests {
  @Test func pausesGrowToTheirBoundAndBeginAnew() {
    var pause = ReconnectPause(first: .milliseconds(200), longest: .seconds(30))
    var random = SplitMix64(seed: 5)
    for bound in [200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600]
      + Array(repeating: 30_000, count: 100)
    {
      let next = pause.next(using: &random)
      #expect(next >= .milliseconds(bound / 2) && next <= .milliseconds(bound))
    }
    pause.reset()
    #expect(pause.next(using: &random) <= .milliseconds(200))
  }

  @Test func whoLostAServerTogetherDoesNotComeBackTogether() {
    var random = SplitMix64(seed: 5)
    let pauses = (0..<100).map { _ in
      var pause = ReconnectPause(first: .seconds(1), longest: .seconds(30))
      var own = random.fork()
      return pause.next(using: &own)
    }
    #expect(Set(pauses).count == 100)
  }
}

@Suite struct StatementPlansTests {
  @Test func whatWasNotUsedForLongestGoesFirst() {
    var plans = StatementPlans(capacity: 3)
    for text in ["a", "b", "c"] {
      let name = plans.nextName()
      plans.keep(text, name: name, parameters: [], isBinary: true)
    }
    _ = plans.plan(of: "a")
    #expect(plans.makeRoom(for: 0) == [])
    #expect(plans.makeRoom(for: 2) == ["checkpost_2", "checkpost_3"])
    #expect(plans.count == 1)
    #expect(plans.contains("a") && !plans.contains("b"))
    #expect(plans.forget("a") == "checkpost_1")
    #expect(plans.forget("a") == nil)
    #expect(plans.nextName() == "checkpost_4")
  }
}

@Suite struct ArrayTextTests {
  private func read(_ text: String) -> [String?]? {
    ArrayText.read(Array(text.utf8))?.map { $0.map { String(decoding: $0, as: UTF8.self) } }
  }

  @Test func whatIsWrittenIsRead() {
    var random = SplitMix64(seed: 11)
    let letters = ["a", ",", "\"", "\\", "{", "}", " ", "NULL", "ग", "'", ""]
    for _ in 0..<2_000 {
      let list = (0..<Int.random(in: 0...5, using: &random)).map { _ -> String? in
        if random.happens(onceIn: 5) { return nil }
        return (0..<Int.random(in: 0...4, using: &random)).map { _ in
          letters[Int.random(in: 0..<letters.count, using: &random)]
        }.joined()
      }
      let text = ArrayText.write(list.map { $0.map { Array($0.utf8) } })
      #expect(read(String(decoding: text, as: UTF8.self)) == list)
    }
  }

  @Test func whatTheServerWritesIsRead() {
    #expect(read("{}") == [])
    #expect(read("{a,NULL,\"NULL\",\"b c\",\"\\\"\"}") == ["a", nil, "NULL", "b c", "\""])
  }

  @Test(arguments: [
    "", "{", "}", "a", "{a", "{a,}", "{,}", "{,a}", "{\"a}", "{\"a\"b}", "{{a}}", "{a}}", "{a\\}",
    "[0:1]={a,b}", "{\"\\",
  ])
  func whatIsNoListIsNone(_ text: String) {
    #expect(read(text) == nil)
  }
}

@Suite struct LibraryTests {
  @Test func theCodeIsFoundInEveryLanguage() {
    let text = """
      connection to server at "127.0.0.1", port 5432 failed: ВАЖНО:  28P01: password authentication \
      failed for user "u"
      LOCATION:  auth_failed, auth.c:328
      """
    let words = LibraryWords(text)
    #expect(words.state?.code == "28P01")
    #expect(words.reason == "password authentication failed for user \"u\"")
  }

  @Test func withoutACodeTheFirstLineIsToldInBounds() {
    let none = LibraryWords("connection refused\n\tIs the server running there?\n")
    #expect(none == LibraryWords("connection refused"))
    #expect(none.state == nil)
    #expect(LibraryWords("\n").reason == "the connection ended")
    #expect(LibraryWords(String(repeating: "x", count: 9_999)).reason.count == 500)
  }

  @Test func aLibraryThatIsNotThereIsNamedWithItsPackage() throws {
    let words = try #require(DatabaseLine.fault(ofLibrary: "libpq-nowhere.so.5"))
    #expect(words.description.contains("libpq-nowhere.so.5"))
    #expect(words.description.contains("libpq5"))
    #expect(words.kind == .settings)
    // One that is there and is another.
    let other = try #require(DatabaseLine.fault(ofLibrary: "libc.so.6"))
    #expect(other.description.contains("PQlibVersion"))
  }
}
