import AT
import Time

/// How a modem's first answer is sought, and told from one that is late.
struct FirstAnswer: Hashable, Sendable {
  /// What is done next.
  enum Step: Hashable, Sendable {
    /// It is asked once more, after an escape where it was silent.
    case probe(Int, escapes: Bool)
    /// It is asked what a late `OK` to an earlier probe cannot be the answer to.
    case synchronise(Int)
    /// The line is left alone, so that what is late comes and goes.
    case settle(Duration)
    /// It answers.
    case setUp
    /// It may still wait for a text that it asked for too late: that is ended with Ctrl-Z.
    case endText
    /// It does not answer at all.
    case mute
  }

  /// Whether an answer to an earlier command may still be on its way.
  var mayBeLate = false
  /// Whether the modem may still wait for a text that it asked for too late.
  var mayAwaitText = false
  /// How often an answer that can be no late one was sought, while the line is left alone.
  private var synchronisations = 0

  /// A probe was answered.
  mutating func probed(_ ending: ATAnswer.Ending, tries: Int) -> Step {
    if ending == .ok { mayAwaitText = false }
    switch ending {
    case .ok: return tries == 0 && !mayBeLate ? .setUp : .synchronise(0)
    case .failed where tries + 1 < Limits.probes: return .probe(tries + 1, escapes: false)
    case .timedOut where tries + 1 < Limits.probes: return .probe(tries + 1, escapes: true)
    case .failed, .timedOut: return silent()
    }
  }

  /// What can be no answer to a probe was asked for, and answered.
  mutating func synchronised(_ answer: ATAnswer, tries: Int) -> Step {
    switch answer.ending {
    case .ok where answer.value == nil && tries + 1 < Limits.synchronisations:
      // Somebody else's: what is on its way is let go by.
      synchronisations = tries + 1
      return .settle(.seconds(1 << min(tries, 3)))
    case .ok, .failed:
      mayBeLate = false
      return .setUp
    case .timedOut: return silent()
    }
  }

  /// The time of silence is over.
  mutating func settled() -> Step {
    defer { synchronisations = 0 }
    return synchronisations > 0 ? .synchronise(synchronisations) : .probe(0, escapes: false)
  }

  /// It may take all that it is asked for the text that it asked for too late, and no escape. In PDU mode
  /// nothing goes out for that: what was asked is no PDU.
  private mutating func silent() -> Step {
    guard mayAwaitText else { return .mute }
    mayAwaitText = false
    mayBeLate = true
    return .endText
  }
}
