/// The bounds of this module.
public enum Limits {
  /// Texts that wait in a session; more are answered with ``SendOutcome/notSent(reason:)``. The node
  /// hands over one at a time.
  public static let waitingTexts = 16

  /// Characters of a result that are looked at for a time.
  public static let timeCharacters = 80

  /// Characters of a USSD code: what fits into the 160 octets of 3GPP TS 23.038 with room to spare.
  public static let ussdCharacters = 100

  /// Commands of operators that wait in a session.
  public static let waitingCommands = 16

  /// Received messages that were told and not confirmed yet. What is beyond stays in the modem until
  /// a later sweep.
  public static let unconfirmed = 256

  /// Single messages to read, by their place; when more are told the whole storage is swept.
  public static let reads = 64

  /// Probes without an answer before something else is done than asking again.
  public static let probes = 10

  /// How long an answer to a probe is waited for: quick at first, so that a modem that comes back is
  /// seen at once, then as long as the slowest need.
  public static func probeTimeout(_ tries: Int) -> Duration {
    tries < 6 ? .seconds(1) : .seconds(3)
  }

  /// How often an answer is sought that can be no late one, before the modem counts as mute.
  public static let synchronisations = 5

  /// After so long without trouble the next one begins with the mildest step again.
  public static let calm = Duration.seconds(600)

  /// Time between two restarts of a modem, at least.
  public static let restartSpacing = Duration.seconds(600)
  /// Time between two resets of its USB device, at least.
  public static let resetSpacing = Duration.seconds(900)
  /// Time between two cuts of its power, at least.
  public static let powerSpacing = Duration.seconds(1_800)

  /// A modem that has just arrived is not reset: it may only be slow to start.
  public static let resetAfterArrival = Duration.seconds(60)

  /// How long a reset from outside may take before it counts as failed.
  public static let resetTakes = Duration.seconds(60)

  /// Time for a modem to go away and come back after it was told to start anew.
  public static let restartTakes = Duration.seconds(5)

  /// How long a port that is there and a modem that is mute are tried at the shortest pause; later the
  /// pauses grow.
  public static let eager = Duration.seconds(600)

  /// How often it is told again that a port is not open.
  public static let awayReminder = Duration.seconds(3_600)

  /// Time between two looks for a port that is not there, at most.
  public static let absentPause = Duration.milliseconds(1_500)

  /// How long a modem may be without a network that it could have, before it is told to choose one
  /// anew.
  public static let searchesBeforeChoice = Duration.seconds(300)
  /// Time between two such choices.
  public static let choicesSpacing = Duration.seconds(900)
  /// How long a modem may be without a network that it could have, before it is restarted; each time
  /// that was in vain doubles it.
  public static let searchesBeforeRestart = Duration.seconds(900)
  /// The same for a modem that is denied, or hears no network at all.
  public static let hopelessBeforeRestart = Duration.seconds(1_800)
  /// The time to which these grow.
  public static let restartsForNetwork = Duration.seconds(7_200)
  /// Restarts in vain before the modem's power is switched or its USB device reset instead, where that
  /// can be done.
  public static let restartsBeforePower = 2

  /// How long a SIM may be missing, or not answer, before the modem is started anew.
  public static let missingBeforeRestart = Duration.seconds(120)
  /// Time to the next start for the same reason.
  public static let restartsForSIM = Duration.seconds(10_800)

  /// How long a port that is there may refuse to open before the modem is reset from outside.
  public static let unopenedBeforeReset = Duration.seconds(60)
  /// How long a port may be away before the power of its modem is switched, where that can be done.
  public static let absentBeforePower = Duration.seconds(600)

  /// Times that an optional step of the setup may be met with silence before it is left out.
  public static let unansweredStep = 2

  /// Kinds of failures of which it is remembered when a trace was kept.
  public static let traceReasons = 32

  /// Time between two setups made because the modem echoes what it is told, at least.
  public static let echoSetups = Duration.seconds(600)

  /// How long after a start, or after its port was opened, a modem may still refuse what it takes later, and
  /// say that it starts.
  static let starting = Duration.seconds(60)
  /// Time between two tries of what a starting modem refuses.
  static let startingPause = Duration.seconds(2)
  /// How long a start mostly takes: what was left out of a set-up before that is set once more.
  static let startTakes = Duration.seconds(25)
  /// Time between two looks at a SIM that cannot be used, while the modem starts.
  static let lockedAtStart = Duration.seconds(5)

  /// How long the text of a USSD answer is waited for after the dialogue was released.
  static let ussdReleased = Duration.seconds(5)

  /// How long the same complaint of a modem is told but once.
  static let sameWarningAfter = Duration.seconds(1_800)

  /// How long the network may deny the modem before a person is told.
  public static let deniedBeforeAlarm = Duration.seconds(600)

  /// The share of a storage, in hundredths, at which an alarm is raised.
  public static let storageAlarm = 80
  /// The share below which it ends.
  public static let storageCalm = 60

  /// Times that a message was not deleted for it to count as one that cannot be.
  static let deletionsTried = 2
  /// How seldom it is told of then: once in so many times.
  static let deletionsTold = 60
  /// How long it is told but once that a storage is full.
  static let fullTold = Duration.seconds(600)

  /// Tries of a PIN that must be left for it to be tried: never the last one.
  public static let pinAttemptsLeft = 2

  /// How often a PIN is tried again that the SIM was too busy to look at.
  public static let busyPINs = 5

  /// How often a setting is tried again while the SIM is busy.
  public static let setupRetries = 15

  /// Time from the moment that a port appears to the first try to open it: its permissions are set
  /// after its name.
  public static let portSettles = Duration.milliseconds(200)

  /// Lines of an operator's command that are handed back.
  public static let commandLines = 1_024

  /// Texts in a row that are refused with one code, to numbers that took texts before, for the modem itself
  /// to be suspected.
  static let refusalsOfAll = 2
  /// Time between two rounds of what is done about that.
  static let cures: Duration = .seconds(3_600)
  /// Numbers that took a text and are remembered.
  static let reachedNumbers = 256

  /// Within this time of being handed a PDU an error without a number is the modem's own: no network
  /// answers so soon.
  static let ownRefusalWithin: Duration = .seconds(1)

  /// How long a registration counts that the modem did not tell by itself.
  static let registrationHolds: Duration = .seconds(2)

  /// Time between two looks for the return of a network that the modem does not tell by itself.
  static let networkLookEvery: Duration = .milliseconds(800)
  /// How long it is looked for so often; then as often as everything else.
  static let networkLooksFor: Duration = .seconds(600)

  /// How long PDU mode is refused before the modem is asked whether it has it at all: longer than a start,
  /// so that it was restarted meanwhile, where it can be.
  static let unfitAfter: Duration = .seconds(90)
  /// Time between two looks at a modem that takes no PDUs.
  static let unfitLookEvery: Duration = .seconds(600)

  /// How long a modem that keeps the link waits for the next message at least (3GPP TS 27.005 3.5.6
  /// has 1 to 5 s).
  static let linkKept: Duration = .seconds(1)

  /// How long a session that is to end waits for the outcome of a text: less than a node does, so that
  /// the node can still write down that nobody knows it.
  static let stopWithin: Duration = .seconds(60)

  /// Time between two looks into the storages beside that of the messages, of whose messages and
  /// status reports the modem tells.
  static let otherStoragesEvery: Duration = .seconds(1_800)
  /// Time between two looks into all storages of a modem that tells nothing by itself.
  static let deafSweepEvery: Duration = .seconds(60)
  /// Storages beside that of the messages that are looked through.
  static let storages = 8

  /// How long a message that was found may be there before the modem tells of it.
  static let announcementsTake: Duration = .seconds(30)
  /// Time between two changes to another port of a modem that tells nothing by itself.
  static let portMoves: Duration = .seconds(21_600)

  /// Time to the next try of a list for which the SIM is too busy.
  static let busyListAfter: Duration = .seconds(5)
  /// How often it is tried again before the next look has to do.
  static let busyLists = 24
  /// Time between two set-ups made because a list is refused.
  static let setUpsForLists: Duration = .seconds(3_600)
  /// Time between two looks into all storages for a message that was not where it was told.
  static let seeksEvery: Duration = .seconds(60)

  /// Time between two looks at the modem's clock once it is set.
  static let clockEvery: Duration = .seconds(3_600)

  /// How long the trace of a failure speaks for others of the same reason.
  static let sameTraceAfter: Duration = .seconds(3_600)

  /// How far a clock may be from the network's time before that is worth a word: passages are judged
  /// by minutes.
  static let clockTolerance: Duration = .seconds(60)

  /// How far the clock of a service centre may be off.
  static let centresClock: Duration = .seconds(120)

  /// How long after its stamp a message mostly is there.
  static let stampIsFresh: Duration = .seconds(600)

  /// How long the latest of all stamps counts before any newer one does.
  static let stampCounts: Duration = .seconds(3_600)

  /// The farthest that a local time is ahead of that of Greenwich.
  static let widestZone: Duration = .seconds(14 * 3_600)

  /// Time between two looks at the technology while nothing happens.
  static let accessEvery: Duration = .seconds(1_200)
  /// How long texts go by another access technology at first; each time doubles it.
  static let accessKept: Duration = .seconds(3_600)
  /// The time to which that grows.
  static let accessKeptLongest: Duration = .seconds(24 * 3_600)
  /// How long a modem may look for a network on the technology that was chosen for it.
  static let accessRegisters: Duration = .seconds(180)
  /// Time to the next try to put the technologies back, when the modem refuses it.
  static let accessAgain: Duration = .seconds(600)
  /// Bytes of the note of what puts them back.
  static let accessNoteBytes = 200

  /// How long signs of a weak supply count.
  static let supplyWindow: Duration = .seconds(24 * 3_600)
  /// Signs that are remembered.
  static let supplySigns = 64
  /// How soon after a text was handed to the modem a sign is laid to its sending.
  static let supplyAfterSending: Duration = .seconds(15)
  /// Signs after sending that make it likely, when they are most of all.
  static let supplyDips = 3
  /// Signs of whatever kind that are worth a word.
  static let supplyUnsteady = 6
  /// A device that is back within this time was not pulled out by a person.
  static let reenumerates: Duration = .seconds(20)

  /// How long a modem may look for its network before somebody should look after it.
  static let networkFound = Duration.seconds(120)
}
