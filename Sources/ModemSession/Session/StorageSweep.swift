import Time

/// Which storages of a modem are looked through beside the one that messages are put into, when, and
/// how they are chosen.
///
/// A message in another storage is told of when it comes, if anybody listens then; what came while the
/// program was down, or was put there by another, is found by looking alone.
struct StorageSweep: Hashable, Sendable {
  /// How `AT+CPMS=` names the storage that is read from (3GPP TS 27.005 3.2.2).
  private enum Form: Int, Hashable, Sendable {
    /// It alone; the other two stay as they are.
    case alone
    /// The other two as they are: some take three names or none.
    case beforeTheOthers
    /// For all three, where they may not differ.
    case forAll
  }

  /// The storages beside that of the messages.
  private(set) var others: [String] = []
  /// Those of them that are to be looked through now, in order.
  private(set) var due: [String] = []
  /// Nothing in a storage is asked for before this.
  private(set) var notBefore = BootInstant.zero
  /// When the others are looked through again.
  private var next = BootInstant.zero
  /// Those at which the modem went silent: they are let be from then on.
  private var silent: Set<String> = []
  /// The one of them that was last, and those that were asked again because nothing else was answered
  /// then either.
  private var lastSilent: String?
  private var forgiven: Set<String> = []
  private var form = Form.alone
  private var isFormKnown = false

  /// The modem's list of storages is known.
  mutating func found(_ names: [String], home: String) {
    others = names.filter { name in
      // Cell broadcasts are no messages, and a preferred storage is the storage under another name.
      guard name != home, name != "BM", !name.hasSuffix("_P") else { return false }
      // MT is SM and ME together.
      return name == "MT"
        ? !(names.contains("SM") && names.contains("ME")) : home != "MT" || name == "SR"
    }
    others.removeAll { silent.contains($0) }
    due.removeAll { !others.contains($0) }
  }

  /// A storage that the modem spoke of, or has to have.
  mutating func met(_ storage: String, home: String) {
    guard storage != home, !silent.contains(storage), !others.contains(storage),
      others.count < Limits.storages
    else { return }
    others.append(storage)
  }

  /// All of them are to be looked through now.
  mutating func makeDue(at now: BootInstant) {
    due = others
    next = now + Limits.otherStoragesEvery
  }

  /// All of them are to be looked through now, whenever that was planned.
  mutating func makeAllDue() {
    due = others
  }

  /// The storage of the messages is looked through now; the others are when it is their time.
  mutating func passTime(isOften: Bool, at now: BootInstant) {
    if isOften || next <= now { makeDue(at: now) }
  }

  /// A storage is to be looked through once more.
  mutating func makeDue(_ storage: String) {
    if others.contains(storage), !due.contains(storage) { due.append(storage) }
  }

  /// A storage is being looked through.
  mutating func begun(_ storage: String) {
    due.removeAll { $0 == storage }
  }

  /// The modem went silent at a storage. One that does not bear the look is worth more than what lies
  /// there.
  mutating func wentSilent(_ storage: String) {
    silent.insert(storage)
    lastSilent = storage
    leave(storage)
  }

  /// The modem answers nothing at all: the storage was not to blame, unless that comes again.
  mutating func forgive() {
    guard let storage = lastSilent else { return }
    lastSilent = nil
    if forgiven.insert(storage).inserted { silent.remove(storage) }
  }

  /// A storage cannot be looked into until all is set up again.
  mutating func leave(_ storage: String) {
    others.removeAll { $0 == storage }
    due.removeAll { $0 == storage }
  }

  /// The SIM is busy.
  mutating func pause(until moment: BootInstant) {
    notBefore = moment
  }

  /// It is no longer.
  mutating func resume() {
    notBefore = .zero
  }

  // MARK: Choosing

  /// What stands after `AT+CPMS=` for a storage.
  func names(choosing storage: String, home: String) -> String {
    let names =
      switch form {
      case .alone: [storage]
      case .beforeTheOthers: [storage, home, home]
      case .forAll: [storage, storage, storage]
      }
    return names.map { "\"\($0)\"" }.joined(separator: ",")
  }

  /// A storage was chosen, so this is how.
  mutating func chosen() {
    isFormKnown = true
  }

  /// A storage was refused; false when it cannot be chosen in any form.
  mutating func refused() -> Bool {
    guard !isFormKnown else { return false }
    guard let next = Form(rawValue: form.rawValue + 1) else {
      form = .alone
      return false
    }
    form = next
    return true
  }

  /// Another modem may be there.
  mutating func forgetForm() {
    form = .alone
    isFormKnown = false
    notBefore = .zero
  }
}
