import Time

/// Something that goes wrong with a modem, on request.
public enum ModemFault: Hashable, Sendable {
  // MARK: The line

  /// It answers nothing, for so long; nil until it is healed.
  case mute(Duration?)
  /// It answers so many commands more and then nothing, until `AT+CFUN=1,1`, which it carries out in
  /// silence, until its port is opened anew, or until a power cycle.
  case deafAfter(Int)
  /// It answers nothing until its plug is pulled and put back.
  case needsPower
  /// Every answer comes so much later.
  case slow(Duration)
  /// Every byte comes alone, a millisecond after the one before.
  case trickle
  /// It tells its maker's noise before every line of an answer.
  case noise
  /// It switches its echo on.
  case echo
  /// It echoes whatever `ATE0` says.
  case endlessEcho
  /// A NUL stands before every line.
  case nulBytes
  /// It says a line of so many bytes.
  case hugeLine(Int)
  /// It says a line that is no UTF-8.
  case badText
  /// It says so many random bytes.
  case garbage(Int)
  /// Errors come in words, whatever `+CMEE` says.
  case errorWords
  /// Errors come without number and words.
  case bareErrors
  /// `+CMS ERROR` comes as `+CME ERROR` and the other way round, with the same number.
  case swappedErrors

  /// It answers what it is asked for, and no `OK` after it.
  case withoutResult

  // MARK: Power

  /// It restarts and forgets its settings.
  case restart
  /// It restarts, is silent for so long, and says nothing of it but what it says when it is ready.
  case quietRestart(Duration)
  /// It restarts, and for so long from each start it refuses all commands of messages.
  case lateMessages(Duration)
  /// It restarts, and for so long from each start it answers the commands of these names with this refusal;
  /// without names all that set or ask for something.
  case lateStart(Duration, StartRefusal, commands: [String])
  /// In the middle of the next answer its supply dips: the rest is lost, and it starts again after so
  /// long.
  case brownOut(Duration)
  /// In the middle of the next command its plug is pulled.
  case unplug(Duration?, renames: Bool)

  // MARK: The SIM

  /// The SIM is busy, for so long.
  case simBusy(Duration)
  /// The SIM is taken out, for so long; nil until it is healed.
  case simRemoved(Duration?)
  /// The SIM is put back.
  case simInserted
  /// So many tries are left for the PIN; none mean that the PUK is asked for.
  case pinTries(Int)
  /// The modem is locked to another SIM.
  case handsetLock

  // MARK: The network

  /// It loses the network, for so long; nil until it is healed.
  case unregistered(Duration?)
  /// The network denies it, for so long; nil until it is healed.
  case denied(Duration?)
  /// It registers away from home.
  case roaming
  /// It is registered in `+CEREG` alone.
  case epsOnly
  /// The SIM has no number of a service centre.
  case noServiceCentre
  /// For so long from now and from each start that number cannot be read.
  case lateServiceCentre(Duration)

  // MARK: Sending

  /// The next messages are refused with this `+CMS ERROR`, so many of them.
  case refuse(code: Int, times: Int)
  /// Messages to that number are refused with this `+CMS ERROR`.
  case refuseNumber(String, code: Int)
  /// Messages to that number are refused with 27, for so long.
  case numberBusy(String, Duration)
  /// So many texts are left on the account; then messages are refused with this `+CMS ERROR`.
  case credit(Int, code: Int)
  /// The next message is taken by the network, and its answer never comes.
  case loseAnswer
  /// The next message is taken by the network, and its answer comes so much later.
  case lateAnswer(Duration)
  /// The next message is taken by the network, and the answer is an error all the same.
  case falseError(code: Int)
  /// The answer to the next message waits for its status report, ten seconds at most.
  case reportFirst
  /// The network takes so much longer for each message.
  case slowNetwork(Duration)
  /// The next `AT+CMGS` gets no prompt.
  case noPrompt
  /// The prompt of the next `AT+CMGS` comes so much later, and an escape does not end it.
  case latePrompt(Duration)
  /// Its prompt lacks the space after the `>`.
  case shortPrompt
  /// Its prompt ends its line.
  case promptLine
  /// It echoes the command before its prompt and the digits after it.
  case promptEcho

  // MARK: Receiving

  /// It tells nothing by itself any more: no `+CMTI`, no `+CDSI`.
  case silentReception
  /// It forgets `+CNMI`.
  case forgetIndication
  /// It does not tell of the next messages, so many of them.
  case loseIndication(Int)
  /// It tells of messages so much later.
  case lateIndication(Duration)
  /// It names another storage than the one where a message is.
  case wrongStorage
  /// It tells at another of its ports, until `AT+QURCCFG`.
  case indicationElsewhere
  /// Each status report comes twice.
  case doubleReport
  /// Status reports have the reference of another message.
  case wrongReference
  /// Status reports that are stored cannot be read.
  case unreadableReport

  // MARK: Storages

  /// Its storage is full, whatever is deleted.
  case storageFull
  /// Its storage is full with so many messages.
  case storageLimit(Int)
  /// It never answers `AT+CMGL`.
  case muteList
  /// Its answer to `AT+CPMS=` has no final result.
  case storageWithoutOK
  /// `AT+CPMS=` takes three names or none.
  case storagesTogether
  /// Messages go into the modem's own storage (`ME`), whatever `+CPMS` says.
  case storedInModem
  /// The next `AT+CMGL` are refused with this `+CMS ERROR`, so many of them; 0 is `ERROR` alone.
  case refuseList(code: Int, times: Int)
  /// It says that its storage is full, in these words, once that is so.
  case tellsFull(String)
  /// It deletes nothing: `AT+CMGD` is refused.
  case refuseDeletion
  /// A list needs so long for each message.
  case slowList(Duration)
  /// Another program left it in text mode.
  case textMode
  /// Another program left so many sent messages and drafts on the SIM, by turns.
  case leftovers(Int)

  /// All of these end.
  case healed
}

/// How a modem that starts refuses what it is told.
public enum StartRefusal: Hashable, Sendable {
  /// `ERROR` without a reason.
  case plain
  /// `+CME ERROR` with this number (3GPP TS 27.007 9.2), once numbers are asked for.
  case cme(Int)
  /// `+CMS ERROR` with this number (3GPP TS 27.005 3.2.5).
  case cms(Int)

  /// `error`, `cme999` or `cms512`; nil for anything else.
  init?(_ text: String) {
    if text == "error" {
      self = .plain
    } else if text.hasPrefix("cme"), let code = Int(text.dropFirst(3)) {
      self = .cme(code)
    } else if text.hasPrefix("cms"), let code = Int(text.dropFirst(3)) {
      self = .cms(code)
    } else {
      return nil
    }
  }
}
