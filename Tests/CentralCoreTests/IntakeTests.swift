import CentralCore
import Passages
import Testing
import Time

struct IntakeTests {
  let body = "V1|BNP-A|BA1PA1234|CAR|1709123456|4567"

  func decide(
    _ text: String, from sender: String = "+9779801000001", rules: CentralRules = CentralRules(),
    waiving waiver: Waiver = [], bindings: [SenderBinding] = []
  ) throws -> Decision {
    Intake.decide(
      text: text, sender: sender, receivedAt: receipt,
      directory: try sampleDirectory(bindings: bindings), rules: rules, waiving: waiver)
  }

  func reason(_ decision: Decision) throws -> Reason {
    guard case .undecodable(let reason) = decision else {
      Issue.record("taken: \(decision)")
      return Reason(code: "", message: "")
    }
    return reason
  }

  @Test func aTextBecomesAPassageWithWhatIsKnownOfIt() throws {
    guard case .passage(let passage, let warnings, _) = try decide(body) else {
      Issue.record("not taken")
      return
    }
    #expect(passage.clientID.description == "dc136851-5076-5884-95f0-9a051d552b52")
    #expect(passage.segment == "Banepa")
    #expect(passage.ranger == "Sita")
    #expect(passage.source == .sms)
    #expect(passage.v1Body == body)
    #expect(warnings.isEmpty)
  }

  @Test func aTextThatCameWornIsTheSamePassage() throws {
    guard
      case .passage(let passage, _, _) = try decide(
        " v1¡bnp-a ¡ba1pa1234¡car¡1709123456¡4567\n")
    else {
      Issue.record("not taken")
      return
    }
    #expect(passage.clientID.description == "dc136851-5076-5884-95f0-9a051d552b52")
  }

  @Test(arguments: [
    ("V1|BNP-A|BA1PA1234|CAR|1709123456", "field_count"),
    ("V1|BNP-A|BA1PA1234|CAR|1709123456|4567|X", "field_count"),
    ("V2|BNP-A|BA1PA1234|CAR|1709123456|4567", "version"),
    ("Your data pack ends today", "version"),
    ("V1|BNP-A|BA 1|CAR|1709123456|4567", "plate"),
    ("V1|BNP-A|BA1PA1234|CAT|1709123456|4567", "vehicle_type"),
    ("V1|BNP-A|BA1PA1234|CAR|1709123456000|4567", "timestamp"),
    ("V1|BNP-A|BA1PA1234|CAR|-709123456|4567", "timestamp"),
    ("V1|BNP-A|BA1PA1234|CAR|1709123456|45x7", "phone_suffix"),
    ("V1|BNP-A-THE-LONG|BA1PA1234|CAR|1709123456|4567", "checkpost"),
    ("", "version"),
  ])
  func whatIsNoPassageSaysWhy(_ text: String, _ code: String) throws {
    let reason = try reason(try decide(text))
    #expect(reason.code == code)
    #expect(!reason.message.isEmpty)
  }

  @Test func theWindowIsCountedFromTheReceipt() throws {
    var rules = CentralRules()
    rules.past = .seconds(100)
    rules.future = .seconds(10)
    let at = { (offset: Int64) in
      "V1|BNP-A|BA1PA1234|CAR|\(receipt.epochSeconds + offset)|4567"
    }
    for offset in [-100, 0, 10] as [Int64] {
      guard case .passage = try decide(at(offset), rules: rules) else {
        Issue.record("\(offset) s is inside the window")
        continue
      }
    }
    for offset in [-101, 11] as [Int64] {
      #expect(try reason(try decide(at(offset), rules: rules)).code == "timestamp")
      guard case .passage = try decide(at(offset), rules: rules, waiving: .anyTime) else {
        Issue.record("an operator may take it whatever its time")
        continue
      }
    }
  }

  @Test func localTimeSentAsUTCIsNamed() throws {
    let text = "V1|BNP-A|BA1PA1234|CAR|\(receipt.epochSeconds + 20_700 - 40)|4567"
    #expect(try reason(try decide(text)).message.contains("local time"))
    let other = "V1|BNP-A|BA1PA1234|CAR|\(receipt.epochSeconds + 30_000)|4567"
    #expect(!(try reason(try decide(other)).message.contains("local time")))
  }

  @Test(arguments: [
    "9801000001",  // the post's modem, in national form
    "+977 9841114567",  // its ranger
  ])
  func whoIsBoundToThePostIsTaken(_ sender: String) throws {
    guard case .passage = try decide(body, from: sender) else {
      Issue.record("\(sender) may speak for BNP-A")
      return
    }
  }

  @Test(arguments: [
    ("+9779841119801", "another post"),  // a ranger of the other post
    ("+9779800000009", "no post"),  // a stranger
    ("BNP-A", "is no number"),  // a name
    ("", "is no number"),
  ])
  func whoIsNotBoundWaits(_ sender: String, _ words: String) throws {
    let reason = try reason(try decide(body, from: sender))
    #expect(reason.code == "sender")
    #expect(reason.message.contains(words))
    guard case .passage = try decide(body, from: sender, waiving: .anySender) else {
      Issue.record("an operator may take it whoever sent it")
      return
    }
    var open = CentralRules()
    open.ingress = .open
    guard case .passage = try decide(body, from: sender, rules: open) else {
      Issue.record("open takes anybody's")
      return
    }
  }

  @Test func aNumberOfTheConfigurationIsBoundToo() throws {
    let number = try #require(PhoneNumber("+9779800000009"))
    let binding = SenderBinding(number: number, post: try CheckpostCode("BNP-A"))
    guard case .passage = try decide(body, from: number.description, bindings: [binding]) else {
      Issue.record("bound by the configuration")
      return
    }
  }

  @Test func aWaiverOfTheSenderIsNoneOfTheTime() throws {
    let old = "V1|BNP-A|BA1PA1234|CAR|1609123456|4567"
    #expect(try reason(try decide(old, waiving: .anySender)).code == "timestamp")
    let strange = try decide(body, from: "X", waiving: .anyTime)
    #expect(try reason(strange).code == "sender")
  }

  @Test(arguments: [
    ("V1|NOWHERE|BA1PA1234|CAR|1709123456|0000", [IntakeWarning.unknownPost]),
    ("V1|NOWHERE|BA1PA1234|CAR|1709123456|1111", [.unknownPost, .unknownRanger]),
    ("V1|BNP-A|BA1PA1234|CAR|1709123456|1111", [.unknownRanger]),
    ("V1|BNP-B|BA1PA1234|CAR|1709123456|9801", [.ambiguousRanger]),
    ("V1|BNP-A|BA1PA1234|CAR|1709123456|0000", []),
    ("V1|LONE|BA1PA1234|CAR|1709123456|0000", []),
  ])
  func whatIsNotKnownIsAWarning(_ text: String, _ expected: [IntakeWarning]) throws {
    var open = CentralRules()
    open.ingress = .open
    guard case .passage(let passage, let warnings, _) = try decide(text, rules: open) else {
      Issue.record("not taken")
      return
    }
    #expect(warnings.filter { $0 != .unboundSender } == expected)
    #expect(warnings.contains(.unboundSender) == !text.contains("BNP-A"))
    #expect(passage.ranger == nil)
  }

  @Test func ofTwoRangersWithOneSuffixItIsTheSender() throws {
    let text = "V1|BNP-B|BA1PA1234|CAR|1709123456|9801"
    guard case .passage(let passage, let warnings, _) = try decide(text, from: "9851119801") else {
      Issue.record("not taken")
      return
    }
    #expect(passage.ranger == "Gita")
    #expect(warnings.isEmpty)
  }

  @Test(
    arguments: [
      (nil, nil, true), (0, nil, true), (1, nil, false), (nil, 1, true), (nil, 0, false),
      (-10, -5, false), (-10, 10, true),
    ] as [(Int64?, Int64?, Bool)])
  func aNumberSpeaksWithinItsDates(_ from: Int64?, _ until: Int64?, _ isTaken: Bool) throws {
    let binding = SenderBinding(
      number: try #require(PhoneNumber("+9779800000009")), post: try CheckpostCode("BNP-A"),
      validFrom: from.map { receipt + .seconds($0) },
      validUntil: until.map { receipt + .seconds($0) })
    let decision = try decide(body, from: "+9779800000009", bindings: [binding])
    if isTaken {
      guard case .passage = decision else {
        Issue.record("it may speak at that time")
        return
      }
    } else {
      #expect(try reason(decision).code == "sender")
      #expect(try reason(decision).message.contains("not at this time"))
    }
  }

  /// Where a line with dates names the number of a ranger or a modem, its dates count.
  @Test(arguments: ["+9779841114567", "9801000001"])
  func theNumberOfARangerOrAModemCanBeEnded(_ sender: String) throws {
    let binding = SenderBinding(
      number: try #require(PhoneNumber(sender)), post: try CheckpostCode("BNP-A"),
      validUntil: receipt)
    let reason = try reason(try decide(body, from: sender, bindings: [binding]))
    #expect(reason.code == "sender")
    #expect(reason.message.contains("not at this time"))
    var rules = CentralRules()
    (rules.trust, rules.ingress) = (.number, .open)
    guard
      case .passage(_, let warnings, let isProven) = try decide(
        body, from: sender, rules: rules, bindings: [binding])
    else {
      Issue.record("open takes it")
      return
    }
    #expect(!isProven && warnings == [.unboundSender])
    // Another line that is valid lets it speak, and one for another post says nothing of this one.
    let again = SenderBinding(
      number: binding.number, post: binding.post, validFrom: receipt - .seconds(1))
    guard case .passage = try decide(body, from: sender, bindings: [binding, again]) else {
      Issue.record("bound anew")
      return
    }
    var other = binding
    other.post = try CheckpostCode("BNP-B")
    guard case .passage = try decide(body, from: sender, bindings: [other]) else {
      Issue.record("ended for another post")
      return
    }
  }

  @Test func aHeartbeatProvesNothingUnlessItsNumberIsTrusted() throws {
    func isProven(_ sender: String, _ rules: CentralRules, _ waiver: Waiver = []) throws -> Bool? {
      if case .heartbeat(_, let isProven) = try decide(
        "H1|BNP-A|1|1709123456|0|1", from: sender, rules: rules, waiving: waiver)
      {
        isProven
      } else {
        nil
      }
    }
    var rules = CentralRules()
    #expect(try isProven("9801000001", rules) == false)
    rules.trust = .number
    #expect(try isProven("9801000001", rules) == true)
    #expect(try isProven("+9779800000009", rules) == nil)
    #expect(try isProven("+9779800000009", rules, .anySender) == false)
    rules.ingress = .open
    #expect(try isProven("+9779800000009", rules) == false)
  }

  @Test func whatAnOperatorSetAsideIsNoted() throws {
    func warnings(_ text: String, _ sender: String, _ waiver: Waiver) throws -> [IntakeWarning] {
      guard case .passage(_, let warnings, _) = try decide(text, from: sender, waiving: waiver)
      else { return [.unknownPost] }
      return warnings
    }
    let old = "V1|BNP-A|BA1PA1234|CAR|1609123456|4567"
    #expect(try warnings(body, "+9779801000001", [.anySender, .anyTime]).isEmpty)
    #expect(try warnings(body, "+9779800000009", .anySender) == [.anySender])
    #expect(try warnings(old, "+9779801000001", .anyTime) == [.anyTime])
  }

  @Test func aNumberProvesNothingUnlessItIsTrusted() throws {
    func isProven(_ sender: String, _ rules: CentralRules, _ waiver: Waiver = []) throws -> Bool? {
      if case .passage(_, _, let isProven) = try decide(
        body, from: sender, rules: rules, waiving: waiver)
      {
        isProven
      } else {
        nil
      }
    }
    var rules = CentralRules()
    #expect(try isProven("9801000001", rules) == false)
    rules.trust = .number
    #expect(try isProven("9801000001", rules) == true)
    #expect(try isProven("+9779800000009", rules, .anySender) == false, "taken by an operator")
    rules.ingress = .open
    #expect(try isProven("+9779800000009", rules) == false, "bound to no post")
    #expect(try isProven("9801000001", rules) == true)
  }
}
