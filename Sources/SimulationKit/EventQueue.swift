import Time

/// What is still to happen in a simulated world, by time; at one moment, in an order that the
/// world's random generator decides.
struct EventQueue<SimulationEvent> {
  private struct Entry {
    var at: BootInstant
    var order: UInt64
    var event: SimulationEvent

    func precedes(_ other: Entry) -> Bool {
      at == other.at ? order < other.order : at < other.at
    }
  }

  private var heap: [Entry] = []

  var isEmpty: Bool { heap.isEmpty }

  /// When the next event is due.
  var next: BootInstant? { heap.first?.at }

  mutating func add(_ event: SimulationEvent, at instant: BootInstant, order: UInt64) {
    heap.append(Entry(at: instant, order: order, event: event))
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].precedes(heap[parent]) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeFirst() -> (at: BootInstant, event: SimulationEvent)? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return (first.at, first.event) }
    heap[0] = last
    var parent = 0
    while true {
      let left = 2 * parent + 1
      guard left < heap.count else { break }
      let right = left + 1
      let child = right < heap.count && heap[right].precedes(heap[left]) ? right : left
      guard heap[child].precedes(heap[parent]) else { break }
      heap.swapAt(child, parent)
      parent = child
    }
    return (first.at, first.event)
  }
}
