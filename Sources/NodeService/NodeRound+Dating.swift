import Events
import ModemSession
import NodeCore
import Passages
import Storage
import Time

extension NodeRound {
  /// Gives passages that were recorded by a clock that was late, or had not been set, their time, where
  /// that is known by now. They leave by any channel only after this.
  ///
  /// - Parameter start: When the machine was started, by the node's clock.
  mutating func dateUndated(start: BootInstant) throws(StorageError) {
    let waiting = try transaction.undated(limit: Limits.datedAtOnce)
    guard !waiting.isEmpty else { return }
    let time = knownTime
    var isAnyDated = false
    for item in waiting {
      let dating = Dating(
        item.passage, recorded: item.since, start: start, by: time, at: moment.boot,
        future: Limits.clockAhead)
      guard case .dated(let passage) = dating,
        case .dated(let identity) = try transaction.date(item.queueID, as: passage, at: moment)
      else { continue }
      isAnyDated = true
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

  /// The time by the best that is known of it.
  private var knownTime: KnownTime {
    var known = TimeKnowledge()
    if let told = state.core.serverTime { known.take(told) }
    if let told = state.clockVote.comparison(of: moment.wall, at: moment.boot),
      told.source == .network, told.verdict != .unknown
    {
      known.take(KnownTime(.network, told.time, at: moment.boot))
    }
    return known.best(SystemClockState(), showing: moment.wall, at: moment.boot)
  }
}
