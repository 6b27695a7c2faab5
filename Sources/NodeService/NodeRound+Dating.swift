import Events
import ModemSession
import NodeCore
import Passages
import Storage
import Time

extension NodeRound {
  /// Gives passages that were recorded by a clock that was late, or had not been set, their time, where
  /// that is known by now. They leave by any channel only after this.
  mutating func dateUndated() throws(StorageError) {
    let waiting = try transaction.undated(limit: Limits.datedAtOnce)
    guard !waiting.isEmpty else { return }
    let time = knownTime
    var isAnyDated = false
    for item in waiting {
      let dating = Dating(
        item.passage, recorded: item.since, start: start, by: time, at: moment.boot,
        future: Limits.clockAhead, history: state.clock.history ?? ClockHistory(boot: ""))
      guard case .dated(let passage) = dating,
        case .dated(let identity) = try transaction.date(item.queueID, as: passage, at: moment)
      else { continue }
      isAnyDated = true
      if !item.passage.hasGivenTime {
        let ahead = item.passage.recordedAt - passage.recordedAt
        try transaction.noteClock(
          item.queueID, source: time.source == .none ? nil : time.source,
          ahead: ahead.wholeSeconds)
      }
      var event = Event(
        "passage_dated", .notice, at: moment.wall,
        words: "the time of a passage is known: \(passage.recordedAt.rfc3339)",
        fields: [EventField("clock_source", .text(time.source.rawValue))])
      event.clientID = identity
      event.plate = passage.plate.compact
      try log(event)
    }
    guard isAnyDated else { return }
    try matchChanged()
    try tell(.woke)
  }

  /// How old a passage is by its own time, where the mobile network tells that the clock which dated it
  /// was far off. What the server's clock shows keeps nothing from being texted: it may be the one that is
  /// wrong, and the passage would reach nobody.
  func ownAge(of due: DueText) -> Duration? {
    guard let (time, isAgreed) = networkTime else { return nil }
    return due.times?.ownAge(
      since: due.since, start: start, by: time,
      farOff: isAgreed ? Limits.clockAhead : Limits.clockFarOff, at: moment.boot)
  }

  /// The time by the best that is known of it.
  private var knownTime: KnownTime {
    var known = TimeKnowledge()
    if let told = state.core.serverTime { known.take(told) }
    // The network's time counts where it agrees with the order in the store.
    if let (time, _) = networkTime, state.clock.history?.behind(time.wall) == nil {
      known.take(time)
    }
    let state = SystemClockState(isSynchronised: isClockKept())
    return known.best(state, showing: moment.wall, at: moment.boot)
  }

  /// The time that the mobile network told, and whether this machine's clock agrees with it.
  private var networkTime: (time: KnownTime, isAgreed: Bool)? {
    guard let told = state.clockVote.comparison(of: moment.wall, at: moment.boot),
      told.source == .network, told.verdict != .unknown
    else { return nil }
    return (KnownTime(.network, told.time, at: moment.boot), told.verdict == .agrees)
  }
}
