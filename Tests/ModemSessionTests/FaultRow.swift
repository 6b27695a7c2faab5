import ModemModel
import Time

/// A named fault as a row of the table: what is injected, and when it is over.
struct FaultRow: Sendable {
  /// When a fault is over.
  enum End: Hashable, Sendable {
    /// So long after it began.
    case after(Duration)
    /// When it is healed.
    case healed
    /// Never: only a person ends it, at the modem.
    case never
  }

  var name: String
  var fault: ModemFault
  var end: End
  /// The state that the session has to be in while only a person can help, and a word of its reason.
  var needsPerson: (state: String, word: String)?
  /// Whether texts go out as ever while it lasts.
  var isHarmless = false
  /// Whether the modem can tell nothing but a lie: what it refuses is on air all the same.
  var lies = false
  /// Whether the SIM asks for a PIN.
  var wantsPIN = false

  /// The number whose texts a network refuses.
  static let refusedNumber = "+9779801000404"

  /// How long a fault lasts that does not end by itself.
  static let hold = Duration.seconds(100)

  /// The rows of a name that the command line takes: `mute[:SECONDS]`.
  static func rows(of name: String) -> [FaultRow] {
    let short = String(name.prefix { $0 != "[" && $0 != ":" })
    let texts: [String] =
      switch short {
      case "mute": ["mute:60", "mute"]
      case "unplug": ["unplug:5", "unplug"]
      case "unplug_renamed": ["unplug_renamed:5"]
      case "sim_removed": ["sim_removed:30", "sim_removed"]
      case "sim_busy": ["sim_busy:10", "sim_busy:90"]
      case "pin_tries": ["pin_tries:0", "pin_tries:2"]
      case "unregistered": ["unregistered:90", "unregistered"]
      case "denied": ["denied:90", "denied"]
      case "refuse":
        ["refuse:38:3", "refuse:500:6", "refuse:320:3", "refuse:304:3", "refuse:42:2"]
      case "false_error": ["false_error:38", "false_error:500"]
      case "late_answer": ["late_answer:5", "late_answer:200"]
      case "refuse_number", "busy_number": ["\(short):\(refusedNumber)"]
      case "refuse_list": ["refuse_list:305:2", "refuse_list:314:3", "refuse_list:0:2"]
      // A SIM that is full of them takes in nothing until somebody says that they may be deleted.
      case "leftovers": ["leftovers:4"]
      // A modem in text mode sends what is no text of ours; how it is brought back is tested alone.
      case "healed", "sim_inserted", "text_mode": []
      default: [short]
      }
    return texts.compactMap { text in ModemFault(text).map { FaultRow(text, $0) } }
  }

  static let all = ModemFault.names.flatMap { rows(of: $0) }

  private init(_ name: String, _ fault: ModemFault) {
    self.name = name
    self.fault = fault
    end = FaultRow.end(of: fault)
    switch fault {
    case .handsetLock: needsPerson = ("sim_locked", "PH-SIM")
    case .pinTries(0):
      needsPerson = ("sim_locked", "PUK")
      wantsPIN = true
    case .pinTries: wantsPIN = true
    case .simRemoved(nil): needsPerson = ("sim_locked", "no SIM")
    case .denied(nil): needsPerson = ("registering", "denied")
    // A code that names no refusal is no word on it.
    case .falseError(let code): lies = code != 500
    case .trickle, .noise, .echo, .endlessEcho, .nulBytes, .badText, .errorWords, .bareErrors,
      .swappedErrors,
      .roaming, .epsOnly, .reportFirst, .shortPrompt, .promptLine, .promptEcho, .silentReception,
      .forgetIndication, .loseIndication, .lateIndication, .wrongStorage, .indicationElsewhere,
      .doubleReport, .wrongReference, .unreadableReport, .storageFull, .storageLimit,
      .storageWithoutOK, .storagesTogether, .storedInModem, .refuseList, .slowList, .leftovers,
      .hugeLine, .refuseNumber, .numberBusy, .slowNetwork:
      isHarmless = true
    default: break
    }
  }

  private static func end(of fault: ModemFault) -> End {
    switch fault {
    case .mute(let time?), .unregistered(let time?), .denied(let time?), .simRemoved(let time?),
      .unplug(let time?, _), .brownOut(let time), .simBusy(let time), .lateServiceCentre(let time),
      .quietRestart(let time), .lateMessages(let time),
      .numberBusy(_, let time):
      .after(time)
    case .pinTries(0): .never
    case .hugeLine, .badText, .garbage, .restart, .noPrompt, .latePrompt, .loseAnswer, .lateAnswer,
      .falseError,
      .refuse, .echo, .forgetIndication, .loseIndication:
      .after(.zero)
    case .pinTries: .after(.zero)
    default: .healed
    }
  }
}

/// What a modem and its network do not do, whatever is asked of them.
struct Surroundings: Hashable, Sendable {
  /// Whether the network reports what became of a text.
  var reports = true
  /// Whether the modem tells by itself how it stands with the network.
  var tellsRegistration = true

  /// All there are, the usual one first.
  static let all = [true, false].flatMap { reports in
    [true, false].map { Surroundings(reports: reports, tellsRegistration: $0) }
  }
}

/// When a fault comes.
enum FaultMoment: Int, CaseIterable, Sendable {
  case beforeTheStart, inTheSetup, beforeThePrompt, beforeTheAnswer, whileIdle, whileAMessageComes
}
