import Events
import ModemSession
import NodeCore
import Passages
import Storage
import Time

// This machine's clock, and the times that were read from it.
extension NodeRound {
  /// What a round knows of this machine's clock beside what the store keeps.
  struct ClockWatch {
    /// What the store has seen of it; nil until it is asked.
    var history: ClockHistory?
    /// By how much it is known to be behind; nil while nothing here contradicts it.
    var behind: Duration?
    /// Whether times were read from it that nobody has vouched for since.
    var isUnverified = true
    /// Whether somebody agreed with it since it was set last: then one word against it proves nothing.
    var isVouched = false
    /// The last such word; a second that says the same is believed.
    var against: KnownTime?

    /// Asks the store again.
    mutating func reload() {
      history = nil
      isUnverified = true
    }
  }

  /// Looks whether the clock was set since the last round, or is known to be wrong. Where somebody vouches for
  /// what it shows now, what was recorded in this start by the clock as it was before, and has not left, gets
  /// its right time. A step that nobody vouches for proves nothing: times stay, and are in doubt.
  mutating func watchClock() throws(StorageError) {
    let known = state.clock.history
    var history = if let known { known } else { try transaction.clockHistory() }
    let wasBehind = state.clock.behind
    let look = history.look(at: moment)
    // Whatever is logged keeps it.
    state.clock.history = history
    let words = NodeLogMessages(settings: settings, moment: moment)
    switch look {
    case .wrong(let behind):
      state.clock.behind = behind
      state.clock.isVouched = false
      if wasBehind == nil { try log(words.clockIsWrong(by: behind)) }
    case .steady:
      state.clock.behind = nil
      if known == nil { try transaction.keep(history) }
    case .set(let step):
      state.clock.behind = nil
      state.clock.isUnverified = true
      state.clock.isVouched = false
      try transaction.keep(history)
      if let voucher {
        let own = KnownTime(voucher.source, moment.wall, at: moment.boot)
        let mended = try mendStep(by: own)
        try log(words.clockWasSet(by: step, mended, as: voucher.source))
        try verify(by: nil)
      } else {
        try transaction.doubtBattery()
        try log(words.clockWasSet(by: step, ClockMending(), as: .none))
      }
    }
    if wasBehind != nil, state.clock.behind == nil { try dateUndated() }
  }

  /// Holds the times that nobody has vouched for against what somebody else says the time is. Where this
  /// machine's clock agrees, they stand by that; where it does not, they are put right before they leave.
  mutating func verify(by told: KnownTime?) throws(StorageError) {
    guard state.clock.isUnverified, let told = kept ?? told ?? evidence, isBelieved(told) else {
      return
    }
    state.clock.isUnverified = false
    if told.source >= .server, var history = state.clock.history,
      history.vouched(told.wall(at: moment.boot))
    {
      try transaction.keep(history)
      state.clock.history = history
      state.clock.behind = history.behind(moment.wall)
    }
    var mended = ClockMending()
    if isNear(told), state.clock.behind == nil {
      state.clock.isVouched = true
      state.clock.against = nil
      let own = KnownTime(told.source, moment.wall, at: moment.boot)
      try transaction.vouch(own, tolerance: ClockHistory.tolerance)
      // A step that nobody vouched for was right: what it contradicts was not.
      if state.clock.history?.isContested == true { mended = try mendStep(by: own) }
    } else {
      mended = try mend(by: told, tolerance: TimeKnowledge.tolerance)
      try transaction.vouch(told, tolerance: TimeKnowledge.tolerance)
    }
    guard !mended.isEmpty else { return }
    let words = NodeLogMessages(settings: settings, moment: moment)
    try log(words.timesMended(mended, by: told.source))
  }

  /// This machine's clock, where a time service keeps it.
  private var kept: KnownTime? {
    guard moment.wall >= Passage.earliest, isClockKept() else { return nil }
    return KnownTime(.ntp, moment.wall, at: moment.boot)
  }

  /// Whoever agrees with what the clock shows now: a time service, the server, or the mobile network.
  private var voucher: KnownTime? { kept ?? evidence.flatMap { isNear($0) ? $0 : nil } }

  /// Requests as they are to be recorded: where somebody says the time, one that was read from a clock that
  /// nobody keeps is that one's.
  ///
  /// - Parameter read: When the clock was read, and what it showed then: now, or before this service ran. Of an
  ///   earlier start of the machine nobody says anything.
  func told(_ requests: [RecordRequest], read: Moment) -> [RecordRequest] {
    guard requests.contains(where: { $0.clock.map { $0 < .network } ?? false }),
      read.boot > start, let told = evidence, isNear(told) || !state.clock.isVouched
    else { return requests }
    return requests.map { $0.told(by: told, showing: read.wall, at: read.boot) }
  }

  /// What somebody else said the time is, which is no older than a day: the server, or the mobile network where
  /// that agrees with the order in the store.
  private var evidence: KnownTime? {
    if let server = state.core.serverTime, moment.boot - server.at < TimeKnowledge.tellsFor {
      return server
    }
    guard
      let network = state.clockVote.comparison(of: moment.wall, at: moment.boot),
      network.source == .network, network.verdict != .unknown
    else { return nil }
    // What may be the local time as well as that of Greenwich counts where only one of them is possible.
    let possible = ([network.time] + network.others).filter {
      state.clock.history?.behind($0) == nil
    }
    guard possible.count == 1 else { return nil }
    return KnownTime(.network, possible[0], at: moment.boot)
  }

  /// Whether what somebody says against this machine's clock counts. A server may be wrong for an answer.
  private mutating func isBelieved(_ told: KnownTime) -> Bool {
    guard state.clock.isVouched, !isNear(told) else { return true }
    if let before = state.clock.against, moment.boot - before.at >= .seconds(1) {
      let off = told.wall(at: moment.boot) - before.wall(at: moment.boot)
      if max(off, .zero - off) <= TimeKnowledge.tolerance { return true }
    }
    state.clock.against = KnownTime(told.source, told.wall(at: moment.boot), at: moment.boot)
    return false
  }

  private func isNear(_ told: KnownTime) -> Bool {
    let off = moment.wall - told.wall(at: moment.boot)
    return max(off, .zero - off) <= TimeKnowledge.tolerance
  }

  /// Puts right what the clock dated before it was set, since somebody vouches for what it shows now.
  private mutating func mendStep(by own: KnownTime) throws(StorageError) -> ClockMending {
    let mended = try mend(by: own, tolerance: ClockHistory.tolerance)
    guard mended.mended + mended.flagged < Limits.mendedAtOnce, var history = state.clock.history
    else { return mended }
    history.unproven = nil
    state.clock.history = history
    try transaction.keep(history)
    return mended
  }

  private mutating func mend(
    by time: KnownTime, tolerance: Duration
  ) throws(StorageError) -> ClockMending {
    let mended = try transaction.mendTimes(
      by: time, tolerance: tolerance, limit: Limits.mendedAtOnce, at: moment)
    // There may be more.
    if mended.mended + mended.flagged >= Limits.mendedAtOnce { state.clock.isUnverified = true }
    if mended.mended > 0 {
      try matchChanged()
      try tell(.woke)
    }
    return mended
  }
}
