import NodeCore
import Passages
import Storage
import Time

// Vehicles that are warned of on the spot.
extension NodeRound {
  /// What a round remembers of matching; what has to outlast a restart is kept by the core.
  struct Matching {
    /// When vehicles that are overdue are looked for; nil when there is nothing to look for.
    var nextLook: BootInstant? = .zero
    /// How far this machine's clock was from the server's last, in seconds; nil while nobody knows.
    var doubt: Int64?
    /// Whether this machine's clock was far from the server's, and that was told.
    var isClockOff = false
  }

  /// Looks for the other end of the way of a vehicle that was recorded here.
  mutating func match(_ passage: Passage) throws(StorageError) {
    guard !passage.isUndated, let place = state.core.matchingPlace, place.isAtAnEnd(passage) else {
      return
    }
    let plate = passage.plate.compact
    var history = try history(of: plate, around: passage.recordedAt, at: place)
    // One whose correction is still to go stands under its old plate.
    if !history.own.contains(where: { $0.clientID == passage.clientID }) {
      history.own.append(passage)
    }
    try raise(place.travels(of: passage.clientID, in: history))
    try tellEnded(
      state.core.alerts.seen(plate: plate, at: passage.recordedAt, now: moment.wall))
  }

  /// Takes back what was told of passages that got another plate or another time, and looks again.
  mutating func matchChanged() throws(StorageError) {
    let words = NodeLogMessages(settings: settings, moment: moment)
    for changed in try transaction.takeChanged() {
      let passage = changed.passage
      var gone = Set(changed.past)
      if changed.isWithdrawn
        || state.core.alerts.alerts.contains(where: {
          $0.plate != passage.plate.compact && $0.exit?.clientID == passage.clientID
        })
      {
        gone.insert(passage.clientID)
      }
      for alert in state.core.alerts.withdraw(gone) { try log(words.withdrawn(alert)) }
      if !changed.isWithdrawn { try match(passage) }
    }
  }

  /// Takes a page of passages of the opposite post, and lets go of what the server no longer tells.
  mutating func take(_ page: RemotePage, _ all: PulledSet?) throws(StorageError) {
    let known = try transaction.remotePassages(limit: NodeCore.Limits.remotePassages)
    try keep(page.passages, known: known)
    guard let gone = all?.gone(of: known), !gone.isEmpty else { return }
    try transaction.forgetRemote(gone)
    try tellEnded(state.core.alerts.settled(Set(gone), now: moment.wall))
  }

  /// Takes what the opposite post texted, if it did.
  mutating func take(text: String, from sender: String) throws(StorageError) {
    guard let place = state.core.matchingPlace,
      let remote = RemotePassage(
        text: text, from: sender, rules: settings.rules.matching, place: place, now: moment.wall)
    else { return }
    // What the server told of it is more.
    let known = try transaction.remotePassages(plate: remote.plate)
    guard !known.contains(where: { $0.clientID == remote.clientID }) else { return }
    try keep([remote], known: known)
  }

  /// Notes how far the clocks are apart: a warning says how sure it is.
  mutating func compare(with reply: ServerReply) throws(StorageError) {
    // A portal on the way has a clock of its own.
    guard let serverTime = reply.serverTime, case .success = reply.result else { return }
    let ahead = (moment.wall - serverTime).wholeSeconds
    // The field of HTTP is in whole seconds, and an answer takes its time.
    state.matching.doubt = abs(ahead) + 1
    let isOff = abs(ahead) > TimeKnowledge.tolerance.wholeSeconds
    guard isOff != state.matching.isClockOff else { return }
    state.matching.isClockOff = isOff
    let words = NodeLogMessages(settings: settings, moment: moment)
    try log(isOff ? words.clockIsOff(by: ahead, from: serverTime) : words.clockAgrees(serverTime))
  }

  /// Tells of vehicles that ought to have left by now.
  mutating func lookForOverdue() throws(StorageError) {
    state.matching.nextLook = nil
    guard let place = state.core.matchingPlace else { return }
    guard moment.wall >= Passage.earliest else {
      state.matching.nextLook = moment.boot + NodeCore.Limits.overdueLook
      return
    }
    let remote = try transaction.remotePassages(limit: NodeCore.Limits.remotePassages)
    let cutoff = place.cutoff(at: moment.wall, buffer: settings.rules.sync.pullBuffer)
    if remote.count >= NodeCore.Limits.remotePassages
      || remote.first.map({ $0.recordedAt < cutoff }) == true
    {
      try transaction.forgetRemote(before: cutoff, most: NodeCore.Limits.remotePassages - 1)
    }
    try tellEnded(state.core.alerts.expire(at: place, now: moment.wall))
    let look = OverdueLook(
      remote, told: state.core.alerts.toldOverdue, at: place, now: moment.wall)
    for passage in look.candidates where state.core.alerts.hasRoom(for: passage) {
      // One that two rangers recorded is told already, though the other one came later.
      guard !state.core.alerts.isToldOverdue(passage) else { continue }
      let history = try history(of: passage.plate, around: passage.recordedAt, at: place)
      guard place.isInside(passage, in: history) else { continue }
      try tellEnded(state.core.alerts.makeRoom(now: moment.wall))
      try tell(place.overdue(passage, at: moment.wall, doubt: state.matching.doubt))
    }
    guard !remote.isEmpty || !state.core.alerts.overdue.isEmpty else { return }
    let due = look.next.map { $0 - moment.wall } ?? NodeCore.Limits.overdueLook
    state.matching.nextLook = moment.boot + min(max(due, .seconds(1)), NodeCore.Limits.overdueLook)
  }

  private mutating func keep(
    _ passages: [RemotePassage], known: [RemotePassage]
  ) throws(StorageError) {
    guard !passages.isEmpty else { return }
    var before: [ClientID: RemotePassage] = [:]
    for passage in known { before[passage.clientID] = passage }
    let changed = passages.filter { passage in
      guard let kept = before[passage.clientID] else { return true }
      return kept.plate != passage.plate || kept.recordedAt != passage.recordedAt
        || kept.serverID != passage.serverID
    }
    guard !changed.isEmpty else { return }
    try transaction.keep(changed, at: moment)
    state.matching.nextLook = moment.boot
    guard let place = state.core.matchingPlace else { return }
    for remote in changed where before[remote.clientID] == nil {
      let history = try history(of: remote.plate, around: remote.recordedAt, at: place)
      try raise(place.travels(of: remote.clientID, in: history))
      try tellEnded(
        state.core.alerts.seen(
          plate: remote.plate, at: remote.recordedAt - NodeCore.Limits.sameVehicleWithin,
          now: moment.wall))
    }
  }

  private func history(
    of plate: String, around time: WallTime, at place: MatchingPlace
  ) throws(StorageError) -> VehicleHistory {
    VehicleHistory(
      remote: try transaction.remotePassages(plate: plate)
        + state.core.alerts.awaited(plate: plate),
      own: try transaction.ownPassages(plate: plate, since: time - place.reach))
  }

  /// Tells of travels that were too fast or too slow, while that is worth something to those on the spot.
  private mutating func raise(_ travels: [SpotTravel]) throws(StorageError) {
    for travel in travels {
      state.core.found(travel)
      let age = moment.wall - travel.exit.recordedAt
      guard age <= NodeCore.Limits.alertWithin, age >= .zero - NodeCore.Limits.alertWithin,
        let alert = travel.alert(at: moment.wall, doubt: state.matching.doubt)
      else { continue }
      try tell(alert)
    }
  }

  private mutating func tell(_ alert: TravelAlert) throws(StorageError) {
    guard state.core.alerts.add(alert) else { return }
    let words = NodeLogMessages(settings: settings, moment: moment)
    try log(words.event(for: alert))
    put(.alert(alert))
  }

  private mutating func tellEnded(_ ended: [TravelAlert]) throws(StorageError) {
    let words = NodeLogMessages(settings: settings, moment: moment)
    for alert in ended { try log(words.ended(alert)) }
  }
}
