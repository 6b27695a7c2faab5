import AT
import ModemMakers
import Time

/// Decides when texts go by another access technology, as the network refuses them on this one, and
/// when the modem is given back what it had.
///
/// A cell may have no way for texts: LTE without SMS over SGs, a core network whose switch is down. One
/// generation lower the same network often takes them. A modem keeps such a setting over restarts, so
/// what puts it back has to be remembered by whoever owns this.
struct AccessFallback: Sendable {
  /// What has been changed, and what puts it back.
  struct Change: Hashable, Sendable {
    /// The modem's own number, should another one be there later.
    var imei: String?
    /// The command that makes the setting what it was.
    var putBack: String
    /// The technology that texts go by; nil when an earlier run of the program changed it.
    var technology: AccessTechnology?
    /// When it is put back.
    var until: BootInstant
    /// Since when there has been no network on it.
    var lostSince: BootInstant?
  }

  /// What is to be done.
  enum Step: Hashable, Sendable {
    /// This modem has no other way, or it is on it already.
    case nothing
    /// The modem is asked for its setting.
    case ask(String)
    /// What puts the setting back is noted, then it is changed.
    case change(String, Change)
    /// The setting was not changed after all: there is nothing to put back.
    case refused
    /// The setting was put back.
    case restored
  }

  private enum State: Hashable, Sendable {
    case none
    case asking([AccessSwitch], from: AccessTechnology)
    case changing(String, Change)
    case changed(Change)
    case puttingBack(Change)
  }

  private var state = State.none
  /// The technology that was known last, over restarts of the modem.
  var lastKnown: AccessTechnology?
  /// How often it was changed, which makes each change last longer.
  private var falls = 0

  /// A modem whose setting nobody changed; or what an earlier run of the program noted, which is put
  /// back as soon as the modem listens.
  init(_ note: AccessNote?) {
    guard let note else { return }
    state = .changed(Change(imei: note.imei, putBack: note.putBack, until: .zero))
  }

  /// What has been changed and is not put back yet.
  var change: Change? {
    switch state {
    case .none, .asking: nil
    case .changing(_, let change), .changed(let change), .puttingBack(let change): change
    }
  }

  /// Texts are refused on this technology again and again.
  mutating func refused(on technology: AccessTechnology?, by ways: [AccessSwitch]) -> Step {
    guard let technology, state == .none else { return .nothing }
    let ways = ways.filter { AccessFallback.target(from: technology, by: $0) != nil }
    guard let first = ways.first else { return .nothing }
    state = .asking(ways, from: technology)
    return .ask(first.query)
  }

  /// The answer to a command; nil when it was none of these.
  ///
  /// - Parameters:
  ///   - isOK: Whether the modem took it.
  ///   - value: What it said to a query.
  mutating func answered(
    _ command: String, isOK: Bool, value: Substring?, imei: String?, at now: BootInstant
  ) -> Step? {
    switch state {
    case .asking(let ways, let from) where command == ways.first?.query:
      return asked(ways, from, isOK ? value : nil, imei, at: now)
    case .changing(let set, let change) where command == set:
      guard isOK else {
        state = .none
        return .refused
      }
      state = .changed(change)
      falls += 1
      return .nothing
    case .puttingBack(var change) where command == change.putBack:
      guard isOK else {
        change.until = now + Limits.accessAgain
        state = .changed(change)
        return .nothing
      }
      state = .none
      return .restored
    default: return nil
    }
  }

  private mutating func asked(
    _ ways: [AccessSwitch], _ from: AccessTechnology, _ value: Substring?, _ imei: String?,
    at now: BootInstant
  ) -> Step {
    guard let way = ways.first else { return .nothing }
    if let value, let target = AccessFallback.target(from: from, by: way),
      let putBack = way.putBack(value), let set = way.leave(target, value), set != putBack
    {
      let lasts = min(Limits.accessKept * (1 << min(falls, 8)), Limits.accessKeptLongest)
      let change = Change(imei: imei, putBack: putBack, technology: target, until: now + lasts)
      state = .changing(set, change)
      return .change(set, change)
    }
    let others = Array(ways.dropFirst())
    guard let next = others.first else {
      state = .none
      return .nothing
    }
    state = .asking(others, from: from)
    return .ask(next.query)
  }

  /// What puts the setting back, when it is time or the modem finds no network as it is.
  ///
  /// - Parameter imei: The modem that is there; another one's setting is none of ours.
  mutating func due(imei: String?, isRegistered: Bool, at now: BootInstant) -> String? {
    guard case .changed(var change) = state else { return nil }
    if let own = change.imei, let imei, own != imei { return nil }
    change.lostSince = isRegistered ? nil : change.lostSince ?? now
    let isLost = change.lostSince.map { now - $0 >= Limits.accessRegisters } ?? false
    guard now >= change.until || isLost else {
      state = .changed(change)
      return nil
    }
    state = .puttingBack(change)
    return change.putBack
  }

  /// The line was lost while a command was open: what may have been changed counts as changed.
  mutating func interrupted() {
    switch state {
    case .asking: state = .none
    case .changing(_, let change), .puttingBack(let change): state = .changed(change)
    case .none, .changed: break
    }
  }

  /// Where texts are tried: one generation lower first.
  private static func target(
    from technology: AccessTechnology, by way: AccessSwitch
  ) -> AccessTechnology? {
    let order: [AccessTechnology] =
      switch technology {
      case .nr, .lte, .narrow: [.umts, .gsm]
      case .umts: [.gsm, .lte]
      case .gsm: [.umts, .lte]
      }
    return order.first { way.values[$0] != nil }
  }
}
