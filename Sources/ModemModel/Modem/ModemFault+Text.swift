import Time

/// Faults as a command line names them: a name, and what belongs to it after colons. Durations are in
/// seconds.
extension ModemFault {
  /// One name, what may stand after it, and the fault that it means.
  private struct Form: Sendable {
    var name: String
    var rest: String
    var make: @Sendable (Values) -> ModemFault?

    init(
      _ name: String, _ rest: String = "", _ make: @escaping @Sendable (Values) -> ModemFault?
    ) {
      self.name = name
      self.rest = rest
      self.make = make
    }

    init(_ name: String, _ fault: ModemFault) {
      self.init(name) { _ in fault }
    }

    /// The most values that may stand after the name.
    var most: Int { rest.count { $0 == ":" } }
  }

  /// What stands after a name.
  private struct Values: Sendable {
    var texts: [String]

    /// The number at a place; the usual one when nothing stands there, nil when what does is none.
    func number(_ place: Int, or usual: Int) -> Int? {
      place < texts.count ? Values.number(texts[place]) : usual
    }

    func seconds(_ place: Int, or usual: Int) -> Duration? {
      number(place, or: usual).map { .seconds($0) }
    }

    /// A duration; nil in it when nothing stands there.
    func anyDuration(_ make: (Duration?) -> ModemFault) -> ModemFault? {
      guard let text = texts.first else { return make(nil) }
      return Values.number(text).map { make(.seconds($0)) }
    }

    /// A telephone number.
    func telephone() -> String? {
      guard let text = texts.first else { return nil }
      let digits = text.hasPrefix("+") ? text.dropFirst() : text[...]
      return (1...20).contains(digits.count)
        && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
        ? text : nil
    }

    private static func number(_ text: String) -> Int? {
      Int(text).flatMap { (0...10_000_000).contains($0) && text.first != "+" ? $0 : nil }
    }
  }

  private static let forms: [Form] = lineForms + simForms + sendingForms + receivingForms

  private static let lineForms: [Form] = [
    Form("mute", "[:SECONDS]") { $0.anyDuration { .mute($0) } },
    Form("deaf_after", "[:COMMANDS]") { $0.number(0, or: 10).map { .deafAfter($0) } },
    Form("needs_power", .needsPower),
    Form("slow", "[:SECONDS]") { $0.seconds(0, or: 3).map { .slow($0) } },
    Form("trickle", .trickle), Form("noise", .noise), Form("echo", .echo), Form("nul", .nulBytes),
    Form("huge_line", "[:BYTES]") { $0.number(0, or: 1 << 20).map { .hugeLine($0) } },
    Form("bad_text", .badText),
    Form("garbage", "[:BYTES]") { $0.number(0, or: 64).map { .garbage($0) } },
    Form("error_words", .errorWords), Form("bare_errors", .bareErrors),
    Form("swapped_errors", .swappedErrors), Form("restart", .restart),
    Form("endless_echo", .endlessEcho),
    Form("quiet_restart", "[:SECONDS]") { $0.seconds(0, or: 3).map { .quietRestart($0) } },
    Form("late_messages", "[:SECONDS]") { $0.seconds(0, or: 20).map { .lateMessages($0) } },
    Form("late_start", "[:SECONDS[:ERROR[:COMMANDS]]]") { values in
      guard let time = values.seconds(0, or: 20),
        let refusal = StartRefusal(values.texts.count > 1 ? values.texts[1] : "error")
      else { return nil }
      let names =
        values.texts.count > 2 ? values.texts[2].split(separator: ",").map(String.init) : []
      guard names.count <= Limits.lateCommands else { return nil }
      return .lateStart(time, refusal, commands: names)
    },
    Form("without_ok", .withoutResult),
    Form("brown_out", "[:SECONDS]") { $0.seconds(0, or: 5).map { .brownOut($0) } },
    Form("unplug", "[:SECONDS]") { $0.anyDuration { .unplug($0, renames: false) } },
    Form("unplug_renamed", "[:SECONDS]") { $0.anyDuration { .unplug($0, renames: true) } },
  ]

  private static let simForms: [Form] = [
    Form("sim_busy", "[:SECONDS]") { $0.seconds(0, or: 10).map { .simBusy($0) } },
    Form("sim_removed", "[:SECONDS]") { $0.anyDuration { .simRemoved($0) } },
    Form("sim_inserted", .simInserted),
    Form("pin_tries", "[:TRIES]") { $0.number(0, or: 1).flatMap { $0 < 4 ? .pinTries($0) : nil } },
    Form("ph_sim", .handsetLock),
    Form("unregistered", "[:SECONDS]") { $0.anyDuration { .unregistered($0) } },
    Form("denied", "[:SECONDS]") { $0.anyDuration { .denied($0) } },
    Form("roaming", .roaming), Form("eps_only", .epsOnly), Form("no_smsc", .noServiceCentre),
    Form("late_smsc", "[:SECONDS]") { $0.seconds(0, or: 20).map { .lateServiceCentre($0) } },
  ]

  private static let sendingForms: [Form] = [
    Form("refuse", "[:CODE[:TIMES]]") { values in
      guard let code = values.number(0, or: 38), let times = values.number(1, or: 1) else {
        return nil
      }
      return .refuse(code: code, times: times)
    },
    Form("refuse_number", ":NUMBER[:CODE]") { values in
      guard let number = values.telephone(), let code = values.number(1, or: 38) else {
        return nil
      }
      return .refuseNumber(number, code: code)
    },
    Form("busy_number", ":NUMBER[:SECONDS]") { values in
      guard let number = values.telephone(), let time = values.seconds(1, or: 60) else {
        return nil
      }
      return .numberBusy(number, time)
    },
    Form("credit", "[:TEXTS[:CODE]]") { values in
      guard let texts = values.number(0, or: 0), let code = values.number(1, or: 21) else {
        return nil
      }
      return .credit(texts, code: code)
    },
    Form("lose_answer", .loseAnswer),
    Form("late_answer", "[:SECONDS]") { $0.seconds(0, or: 5).map { .lateAnswer($0) } },
    Form("false_error", "[:CODE]") { $0.number(0, or: 38).map { .falseError(code: $0) } },
    Form("report_first", .reportFirst),
    Form("slow_network", "[:SECONDS]") { $0.seconds(0, or: 10).map { .slowNetwork($0) } },
    Form("no_prompt", .noPrompt),
    Form("late_prompt", "[:SECONDS]") { $0.seconds(0, or: 15).map { .latePrompt($0) } },
    Form("short_prompt", .shortPrompt),
    Form("prompt_line", .promptLine), Form("prompt_echo", .promptEcho),
  ]

  private static let receivingForms: [Form] = [
    Form("silent_reception", .silentReception), Form("forget_indication", .forgetIndication),
    Form("lose_indication", "[:TIMES]") { $0.number(0, or: 1).map { .loseIndication($0) } },
    Form("late_indication", "[:SECONDS]") { $0.seconds(0, or: 10).map { .lateIndication($0) } },
    Form("wrong_storage", .wrongStorage), Form("indication_elsewhere", .indicationElsewhere),
    Form("double_report", .doubleReport), Form("wrong_reference", .wrongReference),
    Form("unreadable_report", .unreadableReport),
    Form("storage_full", "[:MESSAGES]") { values in
      guard let text = values.texts.first else { return .storageFull }
      return Int(text).flatMap { (0...10_000).contains($0) ? .storageLimit($0) : nil }
    },
    Form("mute_list", .muteList), Form("storage_without_ok", .storageWithoutOK),
    Form("storages_together", .storagesTogether), Form("stored_in_modem", .storedInModem),
    Form("refuse_list", "[:CODE[:TIMES]]") { values in
      guard let code = values.number(0, or: 305), let times = values.number(1, or: 1) else {
        return nil
      }
      return .refuseList(code: code, times: times)
    },
    Form("tells_full", "[:WORDS]") { values in
      let words = values.texts.first ?? "+SMS FULL"
      return words.utf8.count <= 80 ? .tellsFull(words) : nil
    },
    Form("refuse_deletion", .refuseDeletion),
    Form("slow_list", "[:SECONDS]") { $0.seconds(0, or: 3).map { .slowList($0) } },
    Form("text_mode", .textMode),
    Form("leftovers", "[:MESSAGES]") { $0.number(0, or: 10).map { .leftovers($0) } },
    Form("healed", .healed),
  ]

  /// A fault by its name and values: `mute`, `mute:30`, `refuse:38:2`,
  /// `refuse_number:+9779801234567:38`; nil when it is none. ``names`` has them all.
  public init?(_ text: some StringProtocol) {
    let colon: Character = ":"
    let name = text.prefix { $0 != colon }
    guard let form = ModemFault.forms.first(where: { $0.name == name }) else { return nil }
    // The last value may have colons of its own, as a modem's words have.
    let parts = String(text).split(
      separator: colon, maxSplits: form.most, omittingEmptySubsequences: false
    ).map { String($0) }
    guard parts[0] == name, let fault = form.make(Values(texts: Array(parts.dropFirst()))) else {
      return nil
    }
    self = fault
  }

  /// The names that a command line takes, with what may stand after them.
  public static let names = forms.map { $0.name + $0.rest }
}
