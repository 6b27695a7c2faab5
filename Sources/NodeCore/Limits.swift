extension NodeCore {
  /// The bounds of this module, in one place.
  public enum Limits {
    /// Attempts over HTTP before a passage counts as failed.
    public static let attempts = 5

    /// Texts that may go on air for one passage, at most, whatever the configuration asks for.
    public static let textsPerPassage = 3

    /// Texts a minute that a configuration may ask for at most.
    public static let textsPerMinute = 60
    /// Texts an hour that a configuration may ask for at most.
    public static let textsPerHour = 3_600
    /// Texts a day that a configuration may ask for at most.
    public static let textsPerDay = 10_000
    /// Texts in 30 days that a configuration may ask for at most: the budget remembers so many.
    public static let textsPerMonth = 100_000

    /// Bytes of a photograph, at most: what the server's bucket takes.
    public static let photoBytes = 2 << 20

    /// Space that must stay free for passages where photographs lie.
    public static let photoReserveBytes: Int64 = 64 << 20

    /// Bytes that have to be free within the database for a passage to be recorded on a disk that is full.
    public static let freedForPassages: Int64 = 64 << 10

    /// Photographs, or passages, that are given up in one transaction where room is short.
    public static let givenUpAtOnce = 256

    /// Modems that one node drives.
    public static let modems = 8

    /// Numbers that passages may be texted to.
    public static let gateways = 8

    /// Further numbers that each passage is texted to, besides the centre's and the opposite post's.
    public static let recipients = 8

    /// Refusals of one passage by a number besides the centre's after which it is not tried there again.
    static let refusalsByRecipient = 8

    /// Texts an operator may have waiting.
    public static let manualTexts = 16

    /// How long an operator's text waits for a modem that can send it.
    public static let manualWithin: Duration = .seconds(60)

    /// How long an operator's text that was kept over a restart may still go.
    public static let manualKept: Duration = .seconds(24 * 3_600)

    /// A text is never given to the network for less, however little its passage is still worth.
    public static let shortestValidity: Duration = .seconds(300)

    /// Numbers refused one after the other after which it is the SIM that is to blame.
    static let refusedNumbers = 3

    /// Refusals by numbers in a row after which somebody has to look, however few the numbers.
    static let refusalsByNumbers = 5

    /// Refusals in a row, after texts that went, that look like an empty account.
    static let refusalsWithoutCredit = 3

    /// Numbers that a SIM is remembered to have sent to.
    static let creditNumbers = 16

    /// How long the modem's driver may take over one text. Its own deadlines are far shorter; this
    /// one keeps a lost answer from blocking the queue for ever.
    public static let textOutcomeWithin: Duration = .seconds(600)

    /// Refusals of one passage after which others go before it.
    public static let refusalsBeforeYielding = 3

    /// Permanent refusals in a row after which it is not the passage that is to blame.
    public static let permanentRefusalsInARow = 3

    /// Passages that are set aside at one moment, because they are too old or may not be texted yet.
    static let setAsideAtOnce = 256

    /// How long no text is sent after the store failed to keep something; it is tried again then.
    public static let storageHold: Duration = .seconds(1)

    /// Time after which a failure of the store that lasts is told of again.
    public static let storageTold: Duration = .seconds(600)

    /// Outcomes in a row that were no acceptance up to which a pause ends with what it was made for.
    static let holdsEndedEarly = 2

    /// Texts of each budget that a heartbeat and texts to others than the centre leave to passages, at
    /// least.
    static let heartbeatReserve = 5

    /// How long a passage is worth a text to the opposite post: the vehicle has passed there by then.
    static let oppositeWithin: Duration = .seconds(5 * 3_600)

    /// Time until a heartbeat that was not taken is tried again.
    static let heartbeatAgain: Duration = .seconds(3_600)

    /// Time between two looks for urgent passages in quiet hours, at least.
    static let quietLookAtLeast: Duration = .seconds(10)

    /// Time between two probes at least, however often the link comes and goes.
    static let probeSpacing: Duration = .seconds(1)

    /// How long it may take until a line that is back is seen, where nothing but a probe tells; what a
    /// configuration asks for beyond that does not count.
    static let returnSeenWithin: Duration = .seconds(29)

    /// A link that was up that lately comes and goes.
    static let flapWithin: Duration = .seconds(60)

    /// How often in a row a link that comes and goes is asked over at once.
    static let flapsAtOnce = 4

    /// Passages without an answer in a row after which a server that answers questions counts as impaired.
    static let pushesUnanswered = 2

    /// Passages that were refused in a row, and none taken, after which a server counts as impaired.
    static let refusedPushes = 2

    /// How long after a passage that the server did not take the next one is another trouble, where the
    /// server answered since.
    static let downForgotten: Duration = .seconds(3_600)
  }
}

/// The bounds of this module.
public typealias Limits = NodeCore.Limits
