import Time

/// Everything that is wrong with a modem at present.
struct FaultState: Hashable, Sendable {
  /// A number that the network does not take messages for.
  struct RefusedNumber: Hashable, Sendable {
    var number: String
    var code: Int
    /// Nil until it is healed.
    var until: BootInstant?
  }

  /// What a modem refuses for a time from each start.
  struct LateStart: Hashable, Sendable {
    var lasts: Duration
    var refusal: StartRefusal
    /// Names as `+CMGF`; none mean all but those of the line itself.
    var commands: Set<String>
  }

  // The line.
  var muteUntil: BootInstant?
  /// Nothing but power helps.
  var isDead = false
  /// How many commands it still answers before it stops answering.
  var hearsStill: Int?
  var slowness = Duration.zero
  var tricklesBytes = false
  var isNoisy = false
  var writesNULs = false
  /// What stands after the prompt's `>` instead of what the maker puts there.
  var promptTail: String?
  var echoesAtPrompt = false
  var echoesForEver = false
  var withholdsPrompt = false
  /// How much later the next prompt comes; nothing but Ctrl-Z ends it then.
  var promptLateness: Duration?
  var unplugs: UnpluggedModem?
  /// The next answer is cut off by a dip of the supply, from which it starts again after so long.
  var browningOut: Duration?
  var restartsAt: BootInstant?
  var garbageCount: UInt64 = 0
  var errorsAreWords = false
  var errorsAreBare = false
  var errorsAreSwapped = false

  // The SIM and the network.
  var simBusyUntil: BootInstant?
  var isSIMRemoved = false
  var insertedAt: BootInstant?
  var needsHandsetCode = false
  var unregisteredUntil: BootInstant?
  var deniedUntil: BootInstant?
  var isRoaming = false
  var isRegisteredInEPSOnly = false
  var messagesFrom: BootInstant?
  var messagesDelay: Duration?
  var lateStart: LateStart?
  var refusesUntil: BootInstant?
  var centreFrom: BootInstant?
  var centreDelay: Duration?
  var hasNoCentre = false
  var emptyAccountCode: Int?

  // Sending.
  var refusals: [Int] = []
  var refusedNumbers: [RefusedNumber] = []
  var answerFault: ModemFault?
  var networkDelay = Duration.zero

  // Receiving.
  var isReceptionSilent = false
  var lostIndications = 0
  var indicationDelay: Duration?
  var namesWrongStorage = false
  var indicatesElsewhere = false
  var reportsAreDoubled = false
  var reportsAreMisnumbered = false
  var reportsAreUnreadable = false

  // Storages.
  var isStorageFull = false
  var storageLimit: Int?
  var listsAreMute = false
  var answersWithoutResult = false
  var deletesNothing = false
  /// What it says when its storage has become full, and whether it has said so.
  var fullWords: String?
  var hasToldFull = false
  var endsStoragesSilently = false
  var storagesGoTogether = false
  var storesInModem = false
  var listRefusals: [Int] = []
  var listDelay = Duration.zero

  /// When something of it ends by itself.
  var deadlines: [BootInstant?] {
    [muteUntil, unregisteredUntil, deniedUntil, restartsAt, insertedAt]
  }
}

/// A plug that is pulled.
public struct UnpluggedModem: Hashable, Sendable {
  /// How long; nil until somebody puts it back.
  public var duration: Duration?
  /// Whether it comes back under another name.
  public var renames: Bool
}
