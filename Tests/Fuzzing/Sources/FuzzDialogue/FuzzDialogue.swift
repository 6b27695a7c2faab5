import AT
import FuzzSupport
import ModemMakers
import Time

/// A dialogue with a modem that says anything at any time, while commands are opened, time passes
/// and the line is reset.
@main
struct FuzzDialogue {
  static func main() {
    Fuzzing.run { start, count in
      FuzzDialogue.test(Input(start, count))
      return 0
    }
  }

  static func test(_ given: Input) {
    var input = given
    var whole = Conversation()
    var torn = Conversation()
    while !input.isEmpty {
      let step = input.byte()
      switch step {
      case 0xF0...0xF8:
        let command = commands[Int(step - 0xF0) % commands.count]
        whole.start(command)
        torn.start(command)
      case 0xF9...0xFD:
        let seconds = Int64(input.byte())
        whole.pass(.seconds(seconds))
        torn.pass(.seconds(seconds))
      case 0xFE, 0xFF:
        whole.reset()
        torn.reset()
      default:
        // However the bytes are cut into reads, they mean the same.
        let bytes = input.bytes(Int(step) + 1)
        let events = whole.receive(bytes)
        var pieces: [ATEvent] = []
        for place in bytes.indices {
          pieces += torn.receive([bytes[place]])
        }
        require(events == pieces, "the same bytes in pieces are other events")
      }
    }
  }
}

/// Commands of every kind: basic, with a prefix, with bare text, with headers and PDUs, with a
/// payload.
private let commands: [ATCommand] = [
  ATCommand("ATE0", timeout: .seconds(5)),
  ATCommand("AT+CGMI", information: .bare, timeout: .seconds(5)),
  ATCommand("AT+CREG?", timeout: .seconds(10)),
  ATCommand("AT+CMGL=4", timeout: .seconds(60)),
  ATCommand("AT+CMGR=1", timeout: .seconds(10)),
  ATCommand("AT+CPMS?", timeout: .seconds(10)),
  ATCommand("AT+CSQ", timeout: .seconds(10)),
  ATCommand("AT+CFUN?", timeout: .seconds(10)),
  ATCommand(
    "AT+CMGS=14", timeout: .seconds(10), payload: "0001000B917799080000F100000141",
    payloadTimeout: .seconds(60)),
]

/// A dialogue with what must hold of it.
private struct Conversation {
  private var dialogue = ATDialogue(lines: MakerList.known.lines)
  private var now = BootInstant.seconds(1)
  private var writes = 0

  mutating func start(_ command: ATCommand) {
    let bytes = dialogue.start(command, at: now)
    require(bytes.last == 0x0D, "a command without its end")
    require(dialogue.openCommand == command, "a command that is not open")
    writes = 0
  }

  mutating func pass(_ duration: Duration) {
    now = now + duration
    let deadline = dialogue.deadline
    let ended = dialogue.expire(at: now)
    let isDue = deadline.map { $0 <= now } ?? false
    require((ended != nil) == isDue, "a deadline that is not kept")
    if let ended {
      check(ended, wasOpen: true)
    }
  }

  mutating func reset() {
    dialogue.reset()
    require(
      dialogue.openCommand == nil && dialogue.deadline == nil, "a reset that leaves something")
  }

  mutating func receive(_ bytes: [UInt8]) -> [ATEvent] {
    var isOpen = dialogue.openCommand != nil
    let events = dialogue.receive(bytes, at: now)
    for event in events {
      check(event, wasOpen: isOpen)
      if case .finished = event { isOpen = false }
    }
    require(isOpen == (dialogue.openCommand != nil), "a command that ended unheard")
    require(dialogue.openLines.count <= Limits.answerLines, "an answer without bound")
    return events
  }

  private mutating func check(_ event: ATEvent, wasOpen: Bool) {
    switch event {
    case .write(let bytes):
      writes += 1
      require(wasOpen && writes == 1, "a payload that is written twice")
      require(bytes.last == 0x1A, "a payload without its end")
    case .finished(let answer):
      require(wasOpen, "an answer to nothing")
      require(answer.payloadLeft == (writes > 0), "a payload that is not known to have left")
      require(answer.lines.count <= Limits.answerLines, "an answer without bound")
      // What a session reads from an answer.
      _ = StoredMessage.messages(in: answer)
      _ = answer.value
      _ = answer.text
    case .unsolicited, .echoed, .stray, .overlong:
      break
    }
  }
}
