public import Passages
public import Time

/// What becomes of a passage whose time was not known when it was recorded, now that more is known.
public enum Dating: Hashable, Sendable {
  /// It was at this time, and this is its identity from now on.
  case dated(Passage)
  /// It waits on, for this reason.
  case held(Reason)

  /// Why a passage stays without a time.
  public enum Reason: String, CaseIterable, Hashable, Sendable {
    /// Nobody tells the time.
    case timeUnknown = "time_unknown"
    /// The time that it was given has not come yet.
    case ahead
    /// It was recorded in another start of the machine: how long that was without power, nobody knows.
    case earlierStart = "earlier_start"
    /// A text cannot say that time.
    case unsayable

    /// The reason in words.
    public var words: String {
      switch self {
      case .timeUnknown: "nobody tells the time yet"
      case .ahead: "its time lies in the future of a clock that is right"
      case .earlierStart:
        "it was recorded before the machine was switched off, with a clock that had not been set"
      case .unsayable: "a text cannot say its time"
      }
    }
  }

  /// Judges a passage.
  ///
  /// - Parameters:
  ///   - passage: One without a time.
  ///   - recorded: When it was recorded, by the node's clock.
  ///   - start: When the machine was started, by the node's clock.
  ///   - time: What is known of the time.
  ///   - now: The moment by the node's clock.
  ///   - future: How far ahead of the time a passage may lie.
  ///   - history: What the store has seen of this machine's clock.
  public init(
    _ passage: Passage, recorded: BootInstant, start: BootInstant, by time: KnownTime,
    at now: BootInstant, future: Duration, history: ClockHistory = ClockHistory(boot: "")
  ) {
    // A clock that shows a time from before this program was never set. One that nobody vouches for, and
    // shows a later one, was set by somebody since: it would be taken for a passage of now, too.
    // And one that contradicts what the store has seen is wrong, unless the server tells it.
    guard time.wall >= Passage.earliest,
      time.source >= .server || history.behind(time.wall(at: now)) == nil
    else {
      self = .held(.timeUnknown)
      return
    }
    var moment = passage.recordedAt
    if passage.hasGivenTime {
      guard moment <= time.wall(at: now) + future else {
        self = .held(.ahead)
        return
      }
    } else {
      // The node's clock goes on from the last moment of the start before, which was that one's.
      guard recorded > start else {
        self = .held(.earlierStart)
        return
      }
      moment = time.wall(at: recorded)
    }
    do throws(V1Error) {
      self = .dated(try passage.dated(at: moment))
    } catch {
      self = .held(.unsayable)
    }
  }
}
