import AT
import ArgumentParser
import Control
import GSM
import Host
import JSON
import ModemSession
import Settings
import Time

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
    let answer: Operations.ModemUSSD.Answer
    if let port = target.port {
      let bench = try await DirectModem.open(
        port, baud: target.baud, settings.load().settings.modem)
      let outcome = await bench.ussd(code)
      await bench.close()
      switch outcome {
      case .answered(let words): answer = Operations.ModemUSSD.Answer(text: words, asks: false)
      case .asked(let words): answer = Operations.ModemUSSD.Answer(text: words, asks: true)
      case .refused(let reason): throw CommandFailure(.unavailable, "\(code): \(reason)")
      }
    } else {
      answer = try target.ask(settings, Operations.ModemUSSD(code), timeout: .seconds(170))
    }
    let out = StandardOutput()
    if output.isJSON {
      try out.json(answer)
    } else {
      try out.lines(ShownText.lines(answer.text))
      if answer.asks { try out.line("(the network asks for an answer; the dialogue was ended)") }
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
      By default the best that this modem has: AT+CFUN=1,1 or its maker's own command; where that \
      does more harm than good, as with Huawei's sticks, or the modem does not answer, the USB \
      device is taken off the bus (see modem.usb_reset) or the power is switched (see \
      modem.power_command). Other steps are resynchronise and reopen. A text that is being sent is \
      not interrupted.
      """)

  @Option(help: ArgumentHelp("The step; by default the best.", valueName: "step"))
  var step: RecoveryStep?

  @OptionGroup var target: ModemTarget
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let taken: String
    if let port = target.port {
      let bench = try await DirectModem.open(
        port, baud: target.baud, settings.load().settings.modem)
      let outcome = await bench.reset(step)
      await bench.close()
      switch outcome {
      case .success(let step): taken = step
      case .failure(let refusal): throw CommandFailure(.tryAgain, refusal.reason)
      }
    } else {
      let answer = try target.ask(
        settings, Operations.ModemReset(step: step?.name), timeout: .seconds(20))
      guard answer.final == "OK" else { throw CommandFailure(.tryAgain, answer.final) }
      taken = answer.lines.first ?? step?.name ?? "reset"
    }
    let out = StandardOutput()
    if output.isJSON {
      try out.json(JSONValue.object(["step": .text(taken), "begun": true]))
    } else {
      try out.line(
        target.port == nil
          ? "begun: \(taken); `checkpost modem info` tells when the modem is back"
          : "done: \(taken); the modem answers again")
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
    let answer: Operations.ModemTrace.Answer
    if let port = target.port {
      let bench = try await DirectModem.open(
        port, baud: target.baud, settings.load().settings.modem)
      answer = Operations.ModemTrace.Answer(trace: await bench.trace(isWhole: whole).text)
      await bench.close()
    } else {
      answer = try target.ask(
        settings, Operations.ModemTrace(isWhole: whole), timeout: .seconds(10))
    }
    let out = StandardOutput()
    if output.isJSON {
      try out.json(answer)
    } else {
      try out.lines(answer.trace.split(separator: "\n").map { ShownText(String($0)) })
    }
    try out.flush()
  }
}
