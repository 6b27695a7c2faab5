public import Time

/// What all that tells the time says together, and what that means for this machine's clock.
public struct ClockComparison: Hashable, Sendable {
  /// Whether the clock is right.
  public var verdict: ClockVerdict
  /// The time that it was compared with.
  public var time: WallTime
  /// Where that comes from.
  public var source: NetworkTime.Source
  /// How far it may be off.
  public var uncertainty: Duration
  /// What else the time may be, as likely as that: a zone was told with it, and nobody knows whether it is in it.
  public var others: [WallTime] = []
}

extension ClockComparison {
  /// What it says of this machine's clock, as the start of a sentence.
  public var words: String {
    let off =
      switch verdict {
      case .ahead(let duration): "\(ClockComparison.span(duration)) ahead of"
      case .behind(let duration): "\(ClockComparison.span(duration)) behind"
      case .agrees, .unknown: "beside"
      }
    return "this machine's clock is \(off) the network's time (\(sourceWords))"
  }

  private var sourceWords: String {
    switch source {
    case .network: "told by the network"
    case .modemClock: "by the modem's clock and a message's time stamp"
    case .serviceCentre: "by a message's time stamp"
    }
  }

  /// A duration in its largest units: `3 d 2 h`, `2 h 10 min`, `75 s`.
  /// A length of time as people say it.
  public static func span(_ duration: Duration) -> String {
    let seconds = duration.components.seconds
    switch seconds {
    case ..<120: return "\(seconds) s"
    case ..<7_200: return "\(seconds / 60) min"
    case ..<172_800: return "\(seconds / 3_600) h \(seconds % 3_600 / 60) min"
    default: return "\(seconds / 86_400) d \(seconds % 86_400 / 3_600) h"
    }
  }
}

/// Decides by vote whether this machine's clock is right: between what the network tells, the modem's
/// clock, the time stamps of messages and the clock itself.
///
/// None of them is beyond doubt. A clock with a zone beside it may show the local time (3GPP TS 27.007
/// 8.15) or that of Greenwich, as modules of several makers do; a modem's clock may never have been set;
/// a time stamp is over by as long as its message was on its way. So each reading counts with whatever
/// agrees with it, and a modem's clock alone never makes this machine's wrong.
public struct ClockVote: Hashable, Sendable {
  private struct Heard: Hashable, Sendable {
    var time: NetworkTime
    var at: BootInstant
  }

  /// One possible time of now.
  private struct Candidate {
    var time: WallTime
    var uncertainty: Duration
    var source: NetworkTime.Source
    /// What speaks for it beside this machine's clock.
    var weight = 0
    var agreesWithClock = false
  }

  private var heard: [NetworkTime.Source: Heard] = [:]

  /// A vote for which nothing was heard.
  public init() {}

  /// Takes what was told at a moment of the boot clock.
  public mutating func take(_ time: NetworkTime, at now: BootInstant) {
    if time.source == .serviceCentre, let known = heard[.serviceCentre] {
      let elapsed = now - known.at
      // The later one says more, unless it has been relied on for long.
      if elapsed < Limits.stampCounts, time.time < known.time.time + elapsed { return }
    }
    // What the network tells sets the modem's clock too: what that showed before counts no longer.
    if time.source == .network { heard[.modemClock] = nil }
    heard[time.source] = Heard(time: time, at: now)
  }

  /// What is known at a moment of which both clocks were read; nil when nothing was heard.
  public func comparison(of clock: WallTime, at now: BootInstant) -> ClockComparison? {
    var best: (candidate: Candidate, votes: Int)?
    let all = candidates(of: clock, at: now)
    for candidate in all {
      let votes = candidate.weight + (candidate.agreesWithClock ? 1 : 0)
      let isBetter =
        best.map {
          votes > $0.votes
            || votes == $0.votes && candidate.agreesWithClock && !$0.candidate.agreesWithClock
        } ?? true
      if isBetter { best = (candidate, votes) }
    }
    guard let chosen = best?.candidate else { return nil }
    return ClockComparison(
      verdict: verdict(on: clock, by: chosen), time: chosen.time, source: chosen.source,
      uncertainty: chosen.uncertainty,
      others: chosen.agreesWithClock
        ? []
        : all.filter {
          $0.weight == chosen.weight && $0.source == chosen.source && $0.time != chosen.time
        }.map(\.time))
  }

  private func verdict(on clock: WallTime, by chosen: Candidate) -> ClockVerdict {
    if chosen.source == .serviceCentre {
      // It is over: it can only prove that the clock is behind.
      let proves = chosen.time - clock > chosen.uncertainty + Limits.clockTolerance
      return proves ? .behind(chosen.time - clock) : .unknown
    }
    if chosen.agreesWithClock { return .agrees }
    guard chosen.weight >= Weight.needed else { return .unknown }
    let ahead = clock - chosen.time
    return ahead > .zero ? .ahead(ahead) : .behind(.zero - ahead)
  }

  /// How much each source counts.
  private enum Weight {
    static let modemClock = 1
    static let network = 2
    /// A stamp has its zone, so it tells which reading of another source is meant.
    static let stamp = 2
    /// What a reading loses that a message says is over.
    static let contradicted = -1
    /// What makes this machine's clock wrong.
    static let needed = 2
  }

  /// Each time that may be now, the likeliest reading of a source first.
  private func candidates(of clock: WallTime, at now: BootInstant) -> [Candidate] {
    var candidates: [Candidate] = []
    for source in [NetworkTime.Source.network, .modemClock] {
      guard let heard = heard[source] else { continue }
      candidates += readings(heard, at: now).map {
        Candidate(time: $0, uncertainty: heard.time.uncertainty, source: source)
      }
    }
    if let heard = heard[.serviceCentre] {
      let stamp = Candidate(
        time: heard.time.time + (now - heard.at), uncertainty: heard.time.uncertainty,
        source: .serviceCentre)
      if candidates.isEmpty || stamp.time - clock > stamp.uncertainty + Limits.clockTolerance {
        candidates.append(stamp)
      }
    }
    return candidates.map { candidate in
      var candidate = candidate
      candidate.weight = weight(of: candidate, at: now)
      candidate.agreesWithClock =
        candidate.source != .serviceCentre
        && distance(candidate.time, clock) <= candidate.uncertainty + Limits.clockTolerance
      return candidate
    }
  }

  /// What speaks for a time.
  private func weight(of candidate: Candidate, at now: BootInstant) -> Int {
    var weight = 0
    for (source, counts) in [
      (NetworkTime.Source.network, Weight.network), (.modemClock, Weight.modemClock),
    ] {
      guard let heard = heard[source] else { continue }
      let tolerance = heard.time.uncertainty + candidate.uncertainty + Limits.clockTolerance
      if readings(heard, at: now).contains(where: { distance($0, candidate.time) <= tolerance }) {
        weight += counts
      }
    }
    if let heard = heard[.serviceCentre] {
      let later = candidate.time - (heard.time.time + (now - heard.at))
      let tolerance = heard.time.uncertainty + candidate.uncertainty + Limits.clockTolerance
      if later < .zero - tolerance {
        weight += Weight.contradicted
      } else if later <= heard.time.uncertainty + Limits.stampIsFresh {
        weight += Weight.stamp
      }
    }
    return weight
  }

  private func readings(_ heard: Heard, at now: BootInstant) -> [WallTime] {
    heard.time.readings.map { $0 + (now - heard.at) }
  }

  private func distance(_ one: WallTime, _ other: WallTime) -> Duration {
    one > other ? one - other : other - one
  }
}
