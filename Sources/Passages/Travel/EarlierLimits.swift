/// The length and the speeds of a segment that held up to a moment.
public struct EarlierLimits: Hashable, Sendable {
  /// The second from which they hold no more.
  public var until: Int64
  /// As ``Segment/distanceMetres``.
  public var distanceMetres: Int64
  /// As ``Segment/maximumMetresPerHour``.
  public var maximumMetresPerHour: Int64
  /// As ``Segment/minimumMetresPerHour``.
  public var minimumMetresPerHour: Int64

  /// What held up to a second.
  public init(
    until: Int64, distanceMetres: Int64, maximumMetresPerHour: Int64, minimumMetresPerHour: Int64
  ) {
    self.until = until
    self.distanceMetres = distanceMetres
    self.maximumMetresPerHour = maximumMetresPerHour
    self.minimumMetresPerHour = minimumMetresPerHour
  }

  /// The numbers of a segment, as they held up to a second.
  public init(_ segment: Segment, until: Int64) {
    self.init(
      until: until, distanceMetres: segment.distanceMetres,
      maximumMetresPerHour: segment.maximumMetresPerHour,
      minimumMetresPerHour: segment.minimumMetresPerHour)
  }
}

extension Segment {
  /// The segment as it was at a second, without what held before and after.
  public func held(at second: Int64) -> Segment {
    earlier.first { second < $0.until }.map { self.with($0) } ?? plain
  }

  /// The segment as it is and as it was, each without the others.
  public var versions: [Segment] { earlier.map { with($0) } + [plain] }

  /// The segment with the numbers of another one from a second on: up to the next moment at which they are known to
  /// have changed.
  public func changed(to other: Segment, since second: Int64) -> Segment {
    // The begin of each version, and what held then; the first always did.
    var begins: [(from: Int64, numbers: Segment)] = []
    var from = Int64.min
    for limits in earlier {
      begins.append((from, with(limits)))
      from = limits.until
    }
    begins.append((from, plain))
    let place = begins.firstIndex { $0.from >= second } ?? begins.count
    if place < begins.count, begins[place].from == second {
      begins[place].numbers = other.plain
    } else {
      begins.insert((second, other.plain), at: place)
    }
    var changed = with(EarlierLimits(begins[0].numbers, until: 0))
    changed.earlier = []
    for (version, next) in zip(begins, begins.dropFirst())
    where !version.numbers.isAlike(next.numbers) {
      changed.earlier.append(EarlierLimits(version.numbers, until: next.from))
    }
    let last = begins[begins.count - 1].numbers
    (changed.distanceMetres, changed.maximumMetresPerHour, changed.minimumMetresPerHour) = (
      last.distanceMetres, last.maximumMetresPerHour, last.minimumMetresPerHour
    )
    return changed
  }

  /// Whether the numbers are the same, whatever held before.
  public func isAlike(_ other: Segment) -> Bool {
    (distanceMetres, maximumMetresPerHour, minimumMetresPerHour)
      == (other.distanceMetres, other.maximumMetresPerHour, other.minimumMetresPerHour)
  }

  private var plain: Segment {
    var segment = self
    segment.earlier = []
    return segment
  }

  private func with(_ limits: EarlierLimits) -> Segment {
    var segment = plain
    segment.distanceMetres = limits.distanceMetres
    segment.maximumMetresPerHour = limits.maximumMetresPerHour
    segment.minimumMetresPerHour = limits.minimumMetresPerHour
    return segment
  }
}
