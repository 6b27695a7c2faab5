import AT
import ArgumentParser
import Control
import EventLoop
import GSM
import Glibc
import JSON
import ModemModel
import ModemSimulator
import PassageFiles
import Synchronization
import Time

/// `checkpost simulate`: modems on pseudo-terminals, on a mobile network of their own.
struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Put simulated modems on pseudo-terminals, joined by a simulated mobile network.",
    discussion: """
      One modem, or as many as --number is given; the first --link belongs to the first --number. \
      Each line of standard output is one event as JSON, the first of each modem "ready" with its \
      port. Each line of standard input is a request as JSON: {"sms":{"from":"+977…","text":"…"}}, \
      {"pdu":"…"}, {"fault":"mute:30"}, {"urc":"RING"}, {"unplug":{"seconds":3,"rename":true}}; \
      "modem":1 names the second modem. Ends on SIGTERM and SIGINT.

      With --network several of these processes share a network: the first that finds nobody at the \
      path is the network, with its own --latency, --loss, --duplication, --reordering and --seed, \
      and sees everything that happens; the others join it. When it ends, the modems of the others \
      lose the network, what was on its way is lost, and one of the others becomes the network. A \
      text to a modem whose process has ended waits for it.

      With --script the first modem says what was recorded of another one, in the form that \
      `# checkpost modem trace 1` names: each line has milliseconds since the beginning, > for what \
      was written to the modem or < for what came from it, and the bytes between quotes. It waits \
      for what was written, where * stands for any digit, and tells where something else comes.
      """)

  @Option(help: ArgumentHelp("The number of a modem's SIM.", valueName: "number"))
  var number: [String] = []

  @Option(
    help: ArgumentHelp("A link to a modem's port, under a name that stays.", valueName: "path"),
    completion: .file())
  var link: [String] = []

  @Option(
    help: ArgumentHelp(
      "What the modems are: \(ModemProfile.named.map(\.name).joined(separator: ", ")).",
      valueName: "name"))
  var profile = "generic"

  @Option(help: ArgumentHelp("The PIN that the SIMs ask for.", valueName: "digits"))
  var pin: String?

  @Option(
    help: ArgumentHelp(
      "Milliseconds from a text to the network's answer.", valueName: "milliseconds"))
  var latency = 0

  @Option(
    help: ArgumentHelp(
      "Faults of the first modem from the start, separated by commas: "
        + ModemFault.names.joined(separator: ", ") + ".", valueName: "faults"))
  var faults: String?

  @Option(
    help: ArgumentHelp("The share of texts that the network loses, 0 to 1.", valueName: "share"))
  var loss = 0.0

  @Option(
    help: ArgumentHelp(
      "A code that asks for the balance; may be given several times.", valueName: "code"))
  var balanceCode: [String] = ["*100#", "*901#"]

  @Option(help: ArgumentHelp("The share that arrives twice.", valueName: "share"))
  var duplication = 0.0

  @Option(help: ArgumentHelp("The share that others overtake.", valueName: "share"))
  var reordering = 0.0

  @Flag(help: "The network never reports what became of a text.")
  var noReports = false

  @Flag(help: "The modems never tell by themselves how they stand with the network.")
  var silentRegistration = false

  @Option(
    help: ArgumentHelp(
      "The socket of a network that several processes share; without it these modems are alone.",
      valueName: "path"), completion: .file())
  var network: String?

  @Option(help: ArgumentHelp("The seed of all that is random.", valueName: "seed"))
  var seed: UInt64 = 0

  @Option(
    help: ArgumentHelp(
      "A recording of a modem's dialogue, which the first modem replays.", valueName: "file"),
    completion: .file())
  var script: String?

  @Flag(help: "Tell each command line too.")
  var trace = false

  func validate() throws {
    if link.count > max(1, number.count) {
      throw ValidationError("there are more links than modems; give each modem a --number")
    }
    for number in number where (try? Address(number)) == nil {
      throw ValidationError("--number \(number): is no telephone number, such as +9779801234567")
    }
    guard Set(number).count == number.count else {
      throw ValidationError("two modems have the same --number; give each its own")
    }
    guard ModemProfile.named.contains(where: { $0.name == profile }) else {
      throw ValidationError(
        "--profile \(profile): there are \(ModemProfile.named.map(\.name).joined(separator: ", "))")
    }
    for share in [loss, duplication, reordering] where !(0...1).contains(share) {
      throw ValidationError("a share lies between 0 and 1")
    }
    if let pin,
      !((4...8).contains(pin.utf8.count) && pin.utf8.allSatisfy { (0x30...0x39).contains($0) })
    {
      throw ValidationError("--pin: a PIN has 4 to 8 digits")
    }
    guard (0...600_000).contains(latency) else {
      throw ValidationError("--latency is 0 to 600000 milliseconds")
    }
    _ = try injected()
  }

  func run() async throws {
    let numbers = number.isEmpty ? ["+9779800000001"] : number
    var settings = SimulatorSettings(
      modems: numbers.map { number in
        var modem = ModemSettings(number: number).withOwnIdentity
        modem.profile = ModemProfile.named.first { $0.name == profile }?.profile ?? .generic
        modem.pin = pin
        modem.sendDelay = .milliseconds(latency)
        modem.balanceCodes = balanceCode
        modem.tellsRegistration = !silentRegistration
        return modem
      })
    for (place, path) in link.enumerated() { settings.links[place] = path }
    settings.behaviour.loss = loss
    settings.behaviour.reports = !noReports
    settings.behaviour.duplication = duplication
    settings.behaviour.reordering = reordering
    settings.seed = seed
    settings.network = network
    settings.script = try script.map { try SimulateCommand.trace($0) }
    let clocks = SystemClocks()
    let printer = EventPrinter(trace: trace, start: clocks.boot(), clocks: clocks)
    // Before the first port is told: whoever reads that may end this at once.
    let ending = await Signals.caught([SIGTERM, SIGINT])
    let simulator = try ModemSimulator(
      settings: settings, clocks: clocks, onEvent: { printer.show($0) })
    try simulator.start()
    for fault in try injected() { simulator.post(.fault(fault, modem: 0)) }
    let requests = WorkerThread()
    // Reading blocks, so it has a thread of its own, which ends with the process.
    try requests.start(name: "requests") { SimulatorRequests.read(into: simulator) }
    await ending.wait()
    simulator.stop()
    await simulator.finished()
  }

  /// Reads a recording.
  private static func trace(_ path: String) throws -> ModemTrace {
    let file = try InputFile(path)
    var bytes: [UInt8] = []
    while bytes.count <= AT.Limits.traceBytes, let block = try file.next() { bytes += block }
    do throws(ModemTraceError) {
      return try ModemTrace(text: bytes)
    } catch {
      throw CommandFailure(.badData, "\(path), \(error)")
    }
  }

  private func injected() throws -> [ModemFault] {
    try (faults ?? "").split(separator: ",").map { text in
      guard let fault = ModemFault(text) else {
        throw ValidationError(
          "--faults \(text): there are \(ModemFault.names.joined(separator: ", "))")
      }
      return fault
    }
  }
}

/// Shows events as JSON Lines.
private final class EventPrinter: Sendable {
  private let trace: Bool
  private let start: BootInstant
  private let clocks: SystemClocks
  private let out = Mutex(StandardOutput(isImmediate: true))

  init(trace: Bool, start: BootInstant, clocks: SystemClocks) {
    self.trace = trace
    self.start = start
    self.clocks = clocks
  }

  func show(_ event: SimulatorEvent) {
    guard var object = EventPrinter.object(event, trace: trace) else { return }
    object["at_ms"] = .integer((clocks.boot() - start).wholeMilliseconds)
    // Somebody who no longer reads is no reason to end: the modem goes on.
    out.withLock { try? $0.json(JSONValue.object(object)) }
  }

  private static func object(_ event: SimulatorEvent, trace: Bool) -> [String: JSONValue]? {
    switch event {
    case .ready(let modem, let port):
      return ["event": "ready", "modem": .integer(Int64(modem)), "port": .text(port)]
    case .closed(let modem): return ["event": "closed", "modem": .integer(Int64(modem))]
    case .network(let event): return object(event)
    case .place(let place):
      let words: String =
        switch place {
        case .here: "here"
        case .elsewhere: "elsewhere"
        case .nowhere: "nowhere"
        }
      return ["event": "network", "place": .text(words)]
    case .storeChanged(let modem, let change):
      return [
        "event": .text(change.kind.rawValue), "modem": .integer(Int64(modem)),
        "storage": .text(change.storage), "index": .integer(Int64(change.index)),
      ]
    case .command(let modem, let text):
      guard trace else { return nil }
      return ["event": "command", "modem": .integer(Int64(modem)), "command": .text(text)]
    case .fault(let modem, let fault):
      return [
        "event": fault == .restart ? "reset" : "fault", "modem": .integer(Int64(modem)),
        "fault": .text(fault.words),
      ]
    case .scriptDiffers(let modem, let entry, let expected, let written):
      return [
        "event": "script_differs", "modem": .integer(Int64(modem)),
        "entry": .integer(Int64(entry)), "expected": .text(ModemTrace.escaped(expected)),
        "written": .text(ModemTrace.escaped(written)),
      ]
    case .scriptDone(let modem):
      return ["event": "script_done", "modem": .integer(Int64(modem))]
    case .refused(let words): return ["event": "refused", "message": .text(words)]
    }
  }

  private static func object(_ event: NetworkEvent) -> [String: JSONValue] {
    func fields(_ name: String, _ message: NetworkMessage) -> [String: JSONValue] {
      var object: [String: JSONValue] = [
        "event": .text(name), "from": .text(message.from), "to": .text(message.to),
        "message_reference": .integer(Int64(message.reference)),
        "message_id": .integer(Int64(message.id)),
      ]
      object["text"] = message.text.map { .text($0) }
      object["pdu"] = message.pdu.map { .text($0) }
      return object
    }
    switch event {
    case .submitted(let message): return fields("submitted", message)
    case .refused(let message, let code):
      var object = fields("network_refused", message)
      object["code"] = .integer(Int64(code))
      return object
    case .delivered(let message): return fields("delivered", message)
    case .left(let message): return fields("left", message)
    case .lost(let message): return fields("lost", message)
    case .expired(let message): return fields("expired", message)
    case .waiting(let message): return fields("waiting", message)
    case .duplicated(let message): return fields("duplicated", message)
    case .reported(let message, let status):
      var object = fields("reported", message)
      object["status"] = .integer(Int64(status))
      return object
    }
  }
}

/// Requests on standard input, one a line.
private enum SimulatorRequests {
  static func read(into simulator: ModemSimulator) {
    var reader = LineReader()
    while let line = try? reader.next() {
      guard case .text(let text) = line, !text.allSatisfy(\.isWhitespace) else { continue }
      guard let object = JSONText.decode(Array(text.utf8))?.object, post(object, simulator) else {
        Diagnostics.say(problem(with: text))
        continue
      }
    }
  }

  /// What is wrong with a line that asks for nothing.
  private static func problem(with text: String) -> String {
    if let fault = JSONText.decode(Array(text.utf8))?.object?["fault"]?.text {
      return
        "\(fault.prefix(80)): there is no such fault; --faults in `checkpost simulate --help` has"
        + " them all"
    }
    return "\(text.prefix(80)): is no request; see `checkpost simulate --help`"
  }

  private static func post(_ object: [String: JSONValue], _ simulator: ModemSimulator) -> Bool {
    let modem = Int(object["modem"]?.integer ?? 0)
    if let message = object["sms"], let from = message["from"]?.text,
      let text = message["text"]?.text
    {
      simulator.post(.send(from: from, text: text, modem: modem))
    } else if let hex = object["pdu"]?.text {
      simulator.post(.pdu(hex, modem: modem))
    } else if let fault = object["fault"]?.text.flatMap({ ModemFault($0) }) {
      simulator.post(.fault(fault, modem: modem))
    } else if let text = object["urc"]?.text {
      simulator.post(.unsolicited(text, modem: modem))
    } else if let unplug = object["unplug"] {
      let seconds = unplug["seconds"]
      // More than a year is longer than anybody waits, and more than a clock may hold.
      guard seconds?.number.map({ (0...31_536_000).contains($0) }) ?? (seconds == nil) else {
        return false
      }
      simulator.post(
        .unplug(
          modem: modem, duration: seconds?.number.map { .seconds($0) },
          renames: unplug["rename"]?.flag ?? false))
    } else if object["plug"] != nil {
      simulator.post(.plug(modem: modem))
    } else {
      return false
    }
    return true
  }
}
