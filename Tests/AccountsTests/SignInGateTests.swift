import Testing
import Time

@testable import Accounts

@Suite("The gate before sign-ins")
struct SignInGateTests {
  private func attempts(
    _ gate: inout SignInGate, name: String? = "sita@bnp.local", address: String? = "10.0.0.1",
    _ count: Int, at now: BootInstant = .zero
  ) -> [Duration?] {
    (0..<count).map { _ in
      if case .wait(let time) = gate.begin(name: name, address: address, at: now) {
        time
      } else {
        nil
      }
    }
  }

  @Test(
    "lets a few mistakes pass, and then makes each wait twice as long, up to a minute")
  func name() {
    var gate = SignInGate()
    #expect(attempts(&gate, 5) == [nil, nil, nil, nil, nil])
    var now = BootInstant.zero
    var waits: [Int64] = []
    for _ in 0..<12 {
      guard case .wait(let wait) = gate.begin(name: "sita@bnp.local", address: nil, at: now) else {
        Issue.record("it was open")
        return
      }
      waits.append(wait.wholeSeconds)
      now = now + wait
      #expect(attempts(&gate, address: nil, 1, at: now) == [nil])
    }
    #expect(waits == [2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60, 60])
  }

  @Test("makes those wait who try at once: an attempt counts before it is known to be wrong")
  func atOnce() {
    var gate = SignInGate()
    let answers = attempts(&gate, 1_000)
    #expect(answers.filter { $0 == nil }.count == 5)
  }

  @Test("treats a name that nobody has as any other")
  func noOracle() {
    var gate = SignInGate()
    let known = attempts(&gate, address: nil, 8)
    let unknown = attempts(&gate, name: "nobody@bnp.local", address: nil, 8)
    #expect(known == unknown)
  }

  @Test("counts an address over all names")
  func address() {
    var gate = SignInGate()
    var taken = 0
    for number in 0..<200 {
      if case .goOn = gate.begin(name: "r\(number)@bnp.local", address: "10.0.0.1", at: .zero) {
        taken += 1
      }
    }
    #expect(taken == 50)
    #expect(attempts(&gate, name: "x@bnp.local", address: "10.0.0.2", 1) == [nil])
  }

  @Test("forgets a name's mistakes once somebody signs in, and does not charge the address")
  func success() {
    var gate = SignInGate()
    for _ in 0..<500 {
      #expect(attempts(&gate, 2) == [nil, nil])
      guard case .goOn(let attempt) = gate.begin(name: "sita@bnp.local", address: nil, at: .zero)
      else {
        Issue.record("it was closed")
        return
      }
      gate.succeeded(attempt, at: .zero)
      // The two mistakes are of the address.
      guard case .goOn(let again) = gate.begin(name: nil, address: "10.0.0.1", at: .zero) else {
        break
      }
      gate.succeeded(again, at: .zero)
    }
    #expect(attempts(&gate, name: nil, 1).first != .some(nil))
    #expect(attempts(&gate, address: nil, 1) == [nil])
  }

  @Test("holds nothing against whom the store could not be asked for")
  func abandoned() {
    var gate = SignInGate()
    for _ in 0..<100 {
      guard case .goOn(let attempt) = gate.begin(name: "sita@bnp.local", address: "1", at: .zero)
      else {
        Issue.record("it was closed")
        return
      }
      gate.abandoned(attempt)
    }
    #expect(gate.count == 0)
  }

  @Test("is not opened by a guess that succeeds beside others that fail")
  func beside() {
    var gate = SignInGate()
    guard case .goOn(let own) = gate.begin(name: "own@bnp.local", address: "1", at: .zero) else {
      Issue.record("it was closed")
      return
    }
    for number in 0..<60 { _ = gate.begin(name: "r\(number)@bnp.local", address: "1", at: .zero) }
    gate.succeeded(own, at: .zero)
    var taken = 0
    for number in 0..<60 {
      if case .goOn = gate.begin(name: "s\(number)@bnp.local", address: "1", at: .zero) {
        taken += 1
      }
    }
    #expect(taken <= 1)
  }

  /// Somebody guesses a name from many addresses for as long as they like.
  private func besiege(_ gate: inout SignInGate, _ name: String, at now: BootInstant) {
    for number in 0..<40 {
      _ = gate.begin(name: name, address: "203.0.113.\(number)", at: now)
    }
  }

  private func isOpen(_ answer: SignInGate.Answer) -> Bool {
    if case .goOn = answer { true } else { false }
  }

  @Test("lets somebody pass where they signed in lately, whatever others try elsewhere")
  func home() {
    var gate = SignInGate()
    guard case .goOn(let attempt) = gate.begin(name: "sita", address: "10.0.0.1", at: .zero) else {
      Issue.record("it was closed")
      return
    }
    gate.succeeded(attempt, at: .zero)
    for hour in 1...20 as ClosedRange<Int64> {
      let now = BootInstant.seconds(hour * 3_600)
      besiege(&gate, "sita", at: now)
      let own = gate.begin(name: "sita", address: "10.0.0.1", at: now)
      guard case .goOn(let again) = own else {
        Issue.record("it was closed after \(hour) hours")
        return
      }
      if hour % 2 == 0 { gate.succeeded(again, at: now) }
    }
    // It is no way in for others, nor for another name from there.
    besiege(&gate, "sita", at: .seconds(80_000))
    #expect(!isOpen(gate.begin(name: "sita", address: "203.0.113.7", at: .seconds(80_000))))
    #expect(attempts(&gate, name: "sita", 30, at: .seconds(80_001)).contains { $0 != nil })
    #expect(isOpen(gate.begin(name: "sita", address: "10.0.0.1", at: .seconds(90_000))))
    let late = BootInstant.seconds(120 * 86_400)
    besiege(&gate, "sita", at: late)
    #expect(!isOpen(gate.begin(name: "sita", address: "10.0.0.1", at: late)))
  }

  @Test("lets an address that has tried nothing yet try a name that is shut, now and then")
  func stranger() {
    var gate = SignInGate()
    _ = attempts(&gate, name: "sita", address: "203.0.113.1", 40)
    #expect(attempts(&gate, name: "sita", address: "203.0.113.1", 1) != [nil])
    guard case .goOn(let own) = gate.begin(name: "sita", address: "198.51.100.9", at: .zero) else {
      Issue.record("it was closed")
      return
    }
    // One of all of them: many addresses are no way round.
    #expect(!isOpen(gate.begin(name: "sita", address: "198.51.100.10", at: .zero)))
    var taken = 0
    for second in 1...600 as ClosedRange<Int64> {
      for number in 0..<20 {
        let address = "192.0.2.\(second * 20 + Int64(number))"
        if isOpen(gate.begin(name: "sita", address: address, at: .seconds(second))) { taken += 1 }
      }
    }
    #expect((15...40).contains(taken), "\(taken)")
    gate.succeeded(own, at: .seconds(601))
    #expect(isOpen(gate.begin(name: "sita", address: "203.0.113.1", at: .seconds(601))))
  }

  @Test("forgets after an hour without mistakes")
  func forgets() {
    var gate = SignInGate()
    _ = attempts(&gate, 30)
    #expect(attempts(&gate, 5, at: .seconds(3_601)) == [nil, nil, nil, nil, nil])
  }

  @Test("remembers no more than it has room for, and the newest")
  func room() {
    var gate = SignInGate(rules: SignInGate.Rules(), most: 100)
    for number in 0..<10_000 {
      _ = gate.begin(name: "r\(number)@bnp.local", address: nil, at: .seconds(Int64(number / 10)))
      #expect(gate.count <= 100)
    }
    #expect(gate.count >= 50)
    _ = attempts(&gate, address: nil, 10, at: .seconds(1_001))
    #expect(attempts(&gate, address: nil, 1, at: .seconds(1_001)).first != .some(nil))
  }
}
