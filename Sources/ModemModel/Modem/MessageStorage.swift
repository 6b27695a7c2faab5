/// A storage for messages in a modem or on a SIM: numbered places.
struct MessageStorage: Hashable, Sendable {
  /// Where a message stands: `<stat>` of 3GPP TS 27.005 3.1.
  enum State: Int, Hashable, Sendable {
    case receivedUnread = 0
    case receivedRead = 1
    case storedUnsent = 2
    case storedSent = 3

    static let all: [State] = [.receivedUnread, .receivedRead, .storedUnsent, .storedSent]

    /// Whether it came from the network.
    var isReceived: Bool { self == .receivedUnread || self == .receivedRead }

    static func named(_ name: String) -> State? {
      all.first { $0.text == name }
    }

    var text: String {
      switch self {
      case .receivedUnread: "REC UNREAD"
      case .receivedRead: "REC READ"
      case .storedUnsent: "STO UNSENT"
      case .storedSent: "STO SENT"
      }
    }
  }

  /// A message in its place.
  struct Message: Hashable, Sendable {
    var state: State
    /// SMSC part and TPDU.
    var pdu: [UInt8]
    /// Octets of the TPDU alone.
    var length: Int

    /// The TPDU alone.
    var tpdu: [UInt8] { Array(pdu.suffix(length)) }
  }

  let name: String
  /// The number of the first place.
  let first: Int
  private(set) var places: [Message?]

  init(name: String, size: Int, first: Int = 1) {
    self.name = name
    self.first = first
    places = Array(repeating: nil, count: size)
  }

  var used: Int { places.count { $0 != nil } }
  var size: Int { places.count }
  var isFull: Bool { !places.contains { $0 == nil } }

  /// Puts a message into the first free place; its number, or nil when there is none.
  mutating func put(_ message: Message) -> Int? {
    guard let free = places.firstIndex(where: { $0 == nil }) else { return nil }
    places[free] = message
    return free + first
  }

  /// The message at a place; nil when it is empty or does not exist.
  subscript(_ number: Int) -> Message? {
    get { has(number) ? places[number - first] : nil }
    set {
      if has(number) { places[number - first] = newValue }
    }
  }

  /// Whether there is such a place at all.
  func has(_ number: Int) -> Bool {
    (first..<first + places.count).contains(number)
  }

  /// The numbers of the places whose message stands so.
  func numbers(where isWanted: (State) -> Bool) -> [Int] {
    places.indices.filter { places[$0].map { isWanted($0.state) } ?? false }.map { $0 + first }
  }
}
