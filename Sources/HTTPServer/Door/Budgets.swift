import Time

/// What each address and each key may still ask.
struct Budgets: Sendable {
  private typealias ByAddress = TokenBuckets<IPAddress?>
  private typealias ByKey = TokenBuckets<String>

  private var badSignatures: ByAddress?
  private var signIns: ByAddress?
  private var reads: ByAddress?
  private var writes: ByAddress?
  private var keyReads: ByKey?
  private var keyWrites: ByKey?
  /// The addresses that signed well lately.
  private var genuine = RecentKeys<IPAddress?>(
    rows: Limits.budgetRows, lasting: Limits.genuineFor)

  init(_ limits: RequestLimits) {
    badSignatures = Budgets.buckets(limits.badSignatures)
    signIns = Budgets.buckets(limits.signIns)
    reads = Budgets.buckets(limits.reads)
    writes = Budgets.buckets(limits.writes)
    keyReads = Budgets.buckets(limits.keyReads)
    keyWrites = Budgets.buckets(limits.keyWrites)
  }

  private static func buckets<Key>(_ perMinute: Int) -> TokenBuckets<Key>? {
    perMinute > 0 ? TokenBuckets(perMinute: perMinute, rows: Limits.budgetRows) : nil
  }

  /// Takes what a request of an address costs; how long it has to wait when it may not.
  mutating func take(_ kind: RequestClass, address: IPAddress?, at now: BootInstant) -> Duration? {
    switch kind {
    case .health, .webhook: nil
    case .signIn: signIns?.take(address, at: now)
    case .read: reads?.take(address, at: now)
    case .write: writes?.take(address, at: now)
    }
  }

  /// Takes what a request with a key costs; how long it has to wait when it may not.
  mutating func take(_ kind: RequestClass, key: String, at now: BootInstant) -> Duration? {
    switch kind {
    case .health, .webhook: nil
    case .read: keyReads?.take(key, at: now)
    case .signIn, .write: keyWrites?.take(key, at: now)
    }
  }

  /// How long an address has to wait that sent too many wrong signatures; nil when it need not.
  func signatureWait(_ address: IPAddress?, at now: BootInstant) -> Duration? {
    genuine.contains(address, at: now) ? nil : badSignatures?.wait(for: address, at: now)
  }

  /// Notes what a signature was like.
  mutating func signatureWas(_ isGood: Bool, _ address: IPAddress?, at now: BootInstant) {
    if isGood {
      genuine.note(address, at: now)
    } else {
      _ = badSignatures?.take(address, at: now)
    }
  }
}

/// Keys of which something was heard lately, in a table that is bounded.
struct RecentKeys<Key: Hashable & Sendable>: Sendable {
  private let rows: Int
  private let lasting: Duration
  private var recent: [Key: BootInstant] = [:]
  private var older: [Key: BootInstant] = [:]

  init(rows: Int, lasting: Duration) {
    self.rows = rows
    self.lasting = lasting
  }

  /// Notes that something was heard of a key.
  mutating func note(_ key: Key, at now: BootInstant) {
    if recent[key] == nil, recent.count >= rows {
      older = recent
      recent = [:]
    }
    recent[key] = now
  }

  /// Whether something was heard of it lately.
  func contains(_ key: Key, at now: BootInstant) -> Bool {
    guard let heard = recent[key] ?? older[key] else { return false }
    return now - heard < lasting
  }
}
