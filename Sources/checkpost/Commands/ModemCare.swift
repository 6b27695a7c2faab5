import AT
import ArgumentParser
import GSM
import ModemSession
import Operations
import Timing

/// `modem ussd`.
struct ModemUSSD: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ussd",
    abstract: "Ask the network by USSD: what a prepaid SIM still has, mostly.",
    discussion: "The code is the network's own, such as *123#. An answer may take two minutes.")

  @Argument(help: "The code: digits, * and #.")
  var code: String

  @OptionGroup var target: ModemTarget
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard USSDText.isCode(code) else {
      throw ValidationError("\(code): a USSD code has digits, * and #, such as *123#")
    }
  }

  func run() async throws {
    let text: String
    let asks: Bool
    if let port = target.port {
      let bench = try await ModemBench.open(port, baud: target.baud, settings)
      let outcome = await bench.ussd(code)
      await bench.close()
      switch outcome {
      case .answered(let words): (text, asks) = (words, false)
      case .asked(let words): (text, asks) = (words, true)
      case .refused(let reason): throw CommandFailure(.unavailable, "\(code): \(reason)")
      }
    } else {
      let answer = try target.ask(
        settings, "modem_ussd", ["code": .text(code)], timeout: .seconds(170))
      text = answer["text"]?.text ?? ""
      asks = answer["asks"]?.flag ?? false
    }
    let out = StandardOutput()
    if output.isJSON {
      try out.json(JSONValue.object(["text": .text(text), "asks": .flag(asks)]))
    } else {
      try out.lines(ShownText.lines(text))
      if asks { try out.line("(the network asks for an answer; the dialogue was ended)") }
    }
    try out.flush()
  }
}

/// `modem reset`.
struct ModemReset: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Have a modem that misbehaves start anew.",
    discussion: """
      By default AT+CFUN=1,1, or what its maker has for it. The running service knows the other \
      steps too: resynchronise, reopen, reset_usb (see modem.usb_reset) and power_cycle (see \
      modem.power_command). A text that is being sent is not interrupted.
      """)

  @Option(
    help: ArgumentHelp(
      "The step: \(RecoveryStep.allCases.map(\.name).joined(separator: ", ")).",
      valueName: "step"))
  var step = RecoveryStep.restart.name

  @OptionGroup var target: ModemTarget
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard ModemFields.step(step) != nil else {
      throw ValidationError(
        "--step \(step): there are \(RecoveryStep.allCases.map(\.name).joined(separator: ", "))")
    }
  }

  func run() async throws {
    let refusal: String?
    if let port = target.port, let step = ModemFields.step(step) {
      let bench = try await ModemBench.open(port, baud: target.baud, settings)
      refusal = await bench.reset(step)
      await bench.close()
    } else {
      let answer = try target.ask(
        settings, "modem_reset", ["step": .text(step)], timeout: .seconds(20))
      refusal = answer["final"]?.text.flatMap { $0 == "OK" ? nil : $0 }
    }
    if let refusal { throw CommandFailure(.tryAgain, refusal) }
    let out = StandardOutput()
    if output.isJSON {
      try out.json(JSONValue.object(["step": .text(step), "begun": true]))
    } else {
      try out.line(
        target.port == nil
          ? "begun: \(step); `checkpost modem info` tells when the modem is back"
          : "done: \(step); the modem answers again")
    }
    try out.flush()
  }
}

/// `modem trace`.
struct ModemTraceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trace",
    abstract: "Show what was last said between the modem and the service, both ways, with times.",
    discussion: """
      Phone numbers, PINs, the numbers of modem and card, and the texts in PDUs are masked unless \
      --whole is given. `checkpost simulate --script FILE` replays what is written to a file. With \
      --port the modem is opened and made ready, and that dialogue is shown.
      """)

  @Flag(help: "Show numbers and texts whole.")
  var whole = false

  @OptionGroup var target: ModemTarget
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let text: String
    if let port = target.port {
      let bench = try await ModemBench.open(port, baud: target.baud, settings)
      text = await bench.trace(isWhole: whole).text
      await bench.close()
    } else {
      let answer = try target.ask(
        settings, "modem_trace", ["whole": .flag(whole)], timeout: .seconds(10))
      text = answer["trace"]?.text ?? ""
    }
    let out = StandardOutput()
    if output.isJSON {
      try out.json(JSONValue.object(["trace": .text(text)]))
    } else {
      try out.lines(text.split(separator: "\n").map { ShownText(String($0)) })
    }
    try out.flush()
  }
}
