/// The statements that a connection keeps prepared, by their texts: a bounded number of them.
struct StatementPlans {
  struct Plan {
    var name: String
    /// The types of the parameters, as the server takes them.
    var parameters: [UInt32]
    /// Whether all columns of the answer have types whose binary form is read here.
    var isBinary: Bool
    fileprivate var lastUse = 0
  }

  private var plans: [String: Plan] = [:]
  private var uses = 0
  private var names = 0
  private let capacity: Int

  init(capacity: Int = Limits.preparedStatements) {
    self.capacity = capacity
  }

  var count: Int { plans.count }

  /// The plan of a statement, which counts as used.
  mutating func plan(of text: String) -> Plan? {
    uses += 1
    plans[text]?.lastUse = uses
    return plans[text]
  }

  func contains(_ text: String) -> Bool { plans[text] != nil }

  /// A name that no statement of this connection has had.
  mutating func nextName() -> String {
    names += 1
    return "checkpost_\(names)"
  }

  mutating func keep(_ text: String, name: String, parameters: [UInt32], isBinary: Bool) {
    uses += 1
    plans[text] = Plan(name: name, parameters: parameters, isBinary: isBinary, lastUse: uses)
  }

  /// Forgets a statement; its name, which the server still knows.
  mutating func forget(_ text: String) -> String? {
    plans.removeValue(forKey: text)?.name
  }

  /// Makes room for so many others; the names of what was forgotten for them, those first that were not used
  /// for longest.
  mutating func makeRoom(for count: Int) -> [String] {
    let surplus = plans.count + count - capacity
    guard surplus > 0 else { return [] }
    let oldest = plans.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(surplus)
    for (text, _) in oldest { plans.removeValue(forKey: text) }
    return oldest.map(\.value.name)
  }
}
