/// The ends of segments at which a post stood up to a moment.
public struct EarlierPlaces: Hashable, Sendable {
  /// The second from which it stood there no more.
  public var until: Int64
  /// Where it stood; nothing where it stood at none.
  public var places: [Post.Place]

  /// Where a post stood up to a second.
  public init(until: Int64, places: [Post.Place]) {
    self.until = until
    self.places = places.sorted()
  }
}

extension Post {
  /// A stay of a post at an end of a segment.
  public struct Stay: Hashable, Sendable {
    /// Where.
    public var place: Place
    /// From which second until which.
    public var seconds: Range<Int64>
  }

  /// The ends at which it stood at a second.
  public func places(at second: Int64) -> [Place] {
    earlier.first { second < $0.until }?.places ?? places
  }

  /// Where it stood from when until when; a stay goes on where the post comes to stand at further ends or leaves those.
  public var stays: [Stay] {
    var stays: [Stay] = []
    var from = Int64.min
    for version in earlier + [EarlierPlaces(until: .max, places: places)] {
      for place in version.places where from < version.until {
        let last = stays.lastIndex { $0.place == place && $0.seconds.upperBound == from }
        if let last {
          stays[last].seconds = stays[last].seconds.lowerBound..<version.until
        } else {
          stays.append(Stay(place: place, seconds: from..<version.until))
        }
      }
      from = version.until
    }
    return stays
  }

  /// The post at other ends from a second on: up to the next moment at which it is known to have moved.
  ///
  /// Which end of a segment is called the first is a name, and was never another one.
  public func changed(to other: [Place], since second: Int64) -> Post {
    var begins: [(from: Int64, places: [Place])] = []
    var from = Int64.min
    for version in earlier {
      begins.append((from, version.places))
      from = version.until
    }
    begins.append((from, places))
    let place = begins.firstIndex { $0.from >= second } ?? begins.count
    if place < begins.count, begins[place].from == second {
      begins[place].places = other
    } else {
      begins.insert((second, other), at: place)
    }
    for index in begins.indices {
      begins[index].places = begins[index].places.map { known in
        other.first { $0.segment == known.segment } ?? known
      }.sorted()
    }
    var changed = self
    changed.earlier = zip(begins, begins.dropFirst()).filter { $0.places != $1.places }.map {
      EarlierPlaces(until: $1.from, places: $0.places)
    }
    changed.places = begins[begins.count - 1].places
    return changed
  }
}

/// The segments under which the passages of a post are told.
public struct ShownSegments: Hashable, Sendable {
  private let earlier: [Earlier]
  private let now: String?

  private struct Earlier: Hashable {
    var until: Int64
    var segment: String?
  }

  /// Those of a post.
  ///
  /// - Parameter now: The segment of its own row, also where no post stands at its other end yet.
  public init(now: String?, earlier: [EarlierPlaces] = []) {
    self.now = now
    self.earlier = earlier.map { Earlier(until: $0.until, segment: $0.places.first?.segment) }
  }

  /// The segment of a passage at a second: where the post stood at none then, that of now.
  public func segment(at second: Int64) -> String? {
    earlier.first { second < $0.until }?.segment ?? now
  }
}
