import ModemModel
import Testing
import Time

@Suite struct FaultTextTests {
  static let named: [(String, ModemFault)] = [
    ("mute", .mute(nil)), ("mute:30", .mute(.seconds(30))), ("deaf_after", .deafAfter(10)),
    ("deaf_after:3", .deafAfter(3)), ("needs_power", .needsPower), ("slow:4", .slow(.seconds(4))),
    ("trickle", .trickle), ("noise", .noise), ("echo", .echo), ("nul", .nulBytes),
    ("huge_line", .hugeLine(1 << 20)), ("huge_line:9", .hugeLine(9)), ("bad_text", .badText),
    ("garbage", .garbage(64)), ("error_words", .errorWords), ("bare_errors", .bareErrors),
    ("swapped_errors", .swappedErrors), ("restart", .restart),
    ("endless_echo", .endlessEcho), ("quiet_restart:4", .quietRestart(.seconds(4))),
    ("late_messages", .lateMessages(.seconds(20))),
    ("brown_out", .brownOut(.seconds(5))), ("unplug", .unplug(nil, renames: false)),
    ("unplug:3", .unplug(.seconds(3), renames: false)),
    ("unplug_renamed:3", .unplug(.seconds(3), renames: true)),
    ("sim_busy:5", .simBusy(.seconds(5))), ("sim_removed", .simRemoved(nil)),
    ("sim_removed:60", .simRemoved(.seconds(60))), ("sim_inserted", .simInserted),
    ("pin_tries:0", .pinTries(0)), ("pin_tries", .pinTries(1)), ("ph_sim", .handsetLock),
    ("unregistered:90", .unregistered(.seconds(90))), ("denied", .denied(nil)),
    ("denied:600", .denied(.seconds(600))), ("roaming", .roaming), ("eps_only", .epsOnly),
    ("no_smsc", .noServiceCentre), ("late_smsc:9", .lateServiceCentre(.seconds(9))),
    ("refuse", .refuse(code: 38, times: 1)), ("refuse:500:3", .refuse(code: 500, times: 3)),
    ("refuse_number:+9779800000002", .refuseNumber("+9779800000002", code: 38)),
    ("refuse_number:123:21", .refuseNumber("123", code: 21)),
    ("busy_number:+9779800000002:30", .numberBusy("+9779800000002", .seconds(30))),
    ("credit", .credit(0, code: 21)), ("credit:5:38", .credit(5, code: 38)),
    ("lose_answer", .loseAnswer), ("late_answer:9", .lateAnswer(.seconds(9))),
    ("false_error:332", .falseError(code: 332)), ("report_first", .reportFirst),
    ("slow_network:20", .slowNetwork(.seconds(20))), ("no_prompt", .noPrompt),
    ("late_prompt:20", .latePrompt(.seconds(20))),
    ("short_prompt", .shortPrompt), ("prompt_line", .promptLine), ("prompt_echo", .promptEcho),
    ("silent_reception", .silentReception), ("forget_indication", .forgetIndication),
    ("lose_indication:2", .loseIndication(2)),
    ("late_indication:5", .lateIndication(.seconds(5))), ("wrong_storage", .wrongStorage),
    ("indication_elsewhere", .indicationElsewhere), ("double_report", .doubleReport),
    ("wrong_reference", .wrongReference), ("unreadable_report", .unreadableReport),
    ("storage_full", .storageFull), ("storage_full:3", .storageLimit(3)),
    ("mute_list", .muteList), ("storage_without_ok", .storageWithoutOK),
    ("storages_together", .storagesTogether), ("stored_in_modem", .storedInModem),
    ("refuse_list", .refuseList(code: 305, times: 1)),
    ("refuse_list:0:3", .refuseList(code: 0, times: 3)),
    ("slow_list:7", .slowList(.seconds(7))), ("text_mode", .textMode),
    ("leftovers:4", .leftovers(4)), ("healed", .healed), ("without_ok", .withoutResult),
    ("tells_full:+QIND: \"smsfull\"", .tellsFull("+QIND: \"smsfull\"")),
    ("refuse_deletion", .refuseDeletion), ("tells_full", .tellsFull("+SMS FULL")),
    ("late_start:15", .lateStart(.seconds(15), .plain, commands: [])),
  ]

  @Test func everyFaultHasAName() {
    for (name, fault) in FaultTextTests.named { #expect(ModemFault(name) == fault, "\(name)") }
    let tested = Set(FaultTextTests.named.map { $0.0.prefix { $0 != ":" } })
    #expect(tested == Set(ModemFault.names.map { $0.prefix { $0 != "[" && $0 != ":" } }))
  }

  @Test(arguments: [
    "", ":", "nonsense", "mute:x", "mute:-1", "mute:+1", "mute:", "mute:1:2", "refuse:1:2:3",
    "slow:", "slow:99999999999999999999", "echo:1", "refuse_number", "refuse_number:",
    "refuse_number:bob", "refuse_number:+977:x", "pin_tries:4", "storage_full:-1", "credit:1:2:3",
  ])
  func whatIsNoFaultIsNone(name: String) {
    #expect(ModemFault(name) == nil)
  }
}
