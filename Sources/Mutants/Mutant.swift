#if CHECKPOST_MUTANTS
  import Synchronization
#endif

/// Faults that are built into the program on purpose, one at a time, to see that the simulation catches
/// each (mutation testing). Without the flag `CHECKPOST_MUTANTS` none of them is in the program.
/// `make prove-mutants` hunts them.
public enum Mutant: String, CaseIterable, Sendable {
  /// Whatever the server answers with 409 counts as success.
  case anyConflictIsSuccess = "any_conflict_is_success"
  /// A 201 counts as success, whatever was stored.
  case createdIsBelieved = "created_is_believed"
  /// What is read back is not compared.
  case readBackIsNotCompared = "read_back_is_not_compared"
  /// A batch of which one is known counts as taken.
  case batchIsTakenAsAWhole = "batch_is_taken_as_a_whole"
  /// The server is asked while there is no line.
  case asksWithoutALine = "asks_without_a_line"
  /// A credential that is refused costs the passage an attempt.
  case credentialCostsAnAttempt = "credential_costs_an_attempt"
  /// The refresh token that came with a session is forgotten.
  case rotatedTokenIsForgotten = "rotated_token_is_forgotten"
  /// What was given up for now is never tried again.
  case failedIsNeverRequeued = "failed_is_never_requeued"
  /// What the server will never take is tried again and again.
  case rejectedIsRetried = "rejected_is_retried"
  /// The newest passage goes first.
  case newestFirst = "newest_first"
  /// What was being sent at a crash stays so.
  case inFlightIsNotRecovered = "in_flight_is_not_recovered"
  /// Nothing is waited for after a failure.
  case noPauseAfterFailure = "no_pause_after_failure"
  /// Two requests with passages go at a time.
  case twoRequestsAtATime = "two_requests_at_a_time"
  /// A passage is texted however short connectivity has been absent.
  case textsAtOnceWithoutALine = "texts_at_once_without_a_line"
  /// A passage is texted however young it is.
  case textsYoungPassages = "texts_young_passages"
  /// A passage that the server has stays due for a text.
  case syncedStaysDueForAText = "synced_stays_due_for_a_text"
  /// A text of which nobody knows whether it left is sent again.
  case unknownTextIsSentAgain = "unknown_text_is_sent_again"
  /// A text is handed to the modem before its intent is on disk.
  case textWithoutIntent = "text_without_intent"
  /// A budget counts nothing.
  case budgetIsNotCharged = "budget_is_not_charged"
  /// A passage counts as synced before the server answered, and its answer is not waited for.
  case syncedBeforeTheAnswer = "synced_before_the_answer"
  /// The time of a passage is another with each attempt.
  case contentChanges = "content_changes"
  /// The place that the server told of is not asked for.
  case otherPostIsUsed = "other_post_is_used"
  /// What failed by itself is tried again with the queue, and not after a pause of its own.
  case attemptsAreOfTheQueue = "attempts_are_of_the_queue"
  /// A batch that fails goes again as it is.
  case failedBatchIsNeverHalved = "failed_batch_is_never_halved"
  /// What is refused under old names is refused for good.
  case refusedByAnOldDirectory = "refused_by_an_old_directory"
  /// What the server never takes, while it takes others, is never texted.
  case untakenIsNeverTexted = "untaken_is_never_texted"

  #if CHECKPOST_MUTANTS
    /// Whether this build has them.
    public static let areBuiltIn = true

    private static let active = Mutex<Mutant?>(nil)

    /// Builds one in, or none.
    public static func activate(_ mutant: Mutant?) { active.withLock { $0 = mutant } }

    /// Whether it is built in.
    public var isActive: Bool { Mutant.active.withLock { $0 == self } }
  #else
    /// Whether this build has them: not without the flag.
    public static let areBuiltIn = false

    /// Whether it is built in: never without the flag.
    @inlinable public var isActive: Bool { false }
  #endif
}
