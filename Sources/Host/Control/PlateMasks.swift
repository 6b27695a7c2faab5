import CentralCore
import JSON
public import Log
import NodeCore
import NodeSQLite
import Passages
public import Settings
import Storage

/// The plates and passages behind the masks of a log, for an operator who asked to see them.
public struct PlateMasks {
  private var plates: [String: String] = [:]
  private var identities: [String: String] = [:]
  /// The newest passages that were looked at, at the node and at central: what came later is behind them.
  private var newest: (node: Int64, central: Int64?) = (0, nil)
  /// Masks that were looked for and not found.
  private var missed = Set<String>()

  /// No masks are known yet.
  public init() {}

  /// Passages of the store that are looked at, at most, the newest of them.
  private static let passages = 1_000_000

  /// Masks are of no key, and so of many plates each.
  public struct NoKey: Error, Hashable, CustomStringConvertible {
    /// What is wrong and what to do.
    public var description: String {
      "log.mask_key_file is null, so a mask fits many plates; name a file, and restart the service"
    }
  }

  /// Learns the mask of one plate, given in its compact form.
  public mutating func learn(_ plate: String, mask: String) {
    plates[mask] = plate
  }

  /// Learns the mask of one passage's identity.
  public mutating func learn(identity: String, mask: String) {
    identities[mask] = identity
  }

  /// Learns the masks of every plate and every passage in the stores of this machine's roles.
  ///
  /// - Throws: ``NoKey``, `SettingsError` and ``MaskSource/Denied`` when there is no key to find them by,
  ///   `StorageError` when the store cannot be read.
  public mutating func learnAll(_ loaded: LoadedSettings) throws {
    try learn(loaded, isAll: true)
  }

  /// Looks for the masks of a record that are not known: a plate that was recorded, or corrected, since the last look.
  /// What came since then is looked at first, and all only where that does not help; for each mask once.
  ///
  /// - Throws: As ``learnAll(_:)``; the same mask is looked for again then.
  public mutating func learnMissing(of record: LogRecord, _ loaded: LoadedSettings) throws {
    guard hasUnknown(record) else { return }
    try learn(loaded, isAll: false)
    if hasUnknown(record) { try learn(loaded, isAll: true) }
    guard hasUnknown(record) else { return }
    if missed.count >= PlateMasks.missedMasks { missed = [] }
    missed.formUnion(PlateMasks.masks(of: record).compactMap { $0 })
  }

  /// Masks that are remembered as not found.
  private static let missedMasks = 10_000

  private static func masks(of record: LogRecord) -> [String?] {
    [record.fields["plate"]?.text, record.fields["client_id"]?.text]
  }

  private func hasUnknown(_ record: LogRecord) -> Bool {
    zip(PlateMasks.masks(of: record), [plates, identities]).contains { mask, known in
      mask.map { known[$0] == nil && $0.contains("#") && !missed.contains($0) } ?? false
    }
  }

  private mutating func learn(_ loaded: LoadedSettings, isAll: Bool) throws {
    guard let source = try MaskSource.find(loaded) else { throw NoKey() }
    if isAll { newest = (0, nil) }
    let (roles, settings) = (loaded.settings.roles, loaded.settings)
    if roles.node || !roles.central { try learnNode(settings.node.database, source) }
    if roles.central { try learnCentral(settings.central, source) }
  }

  private mutating func learnCentral(_ settings: Settings.Central, _ source: MaskSource) throws {
    let store = try CentralStores.open(settings, for: .reading)
    defer { try? store.close() }
    var query = PassageQuery()
    query.limit = 500
    query.afterID = newest.central
    var seen = 0
    while seen < PlateMasks.passages {
      let page = try store.passages(query)
      guard let last = page.last else { return }
      try learn(page.map(\.passage), source)
      seen += page.count
      query.afterID = last.id
      newest.central = last.id
    }
  }

  private mutating func learnNode(_ path: String, _ source: MaskSource) throws {
    let store = try SQLiteNodeStore(readingFrom: path)
    defer { try? store.close() }
    // Vehicles of the other post, of which some never came here: rangers are warned of them all the same.
    try learnOthers(store, source)
    var query = QueueQuery()
    query.afterID = newest.node
    var seen = 0
    while seen < PlateMasks.passages {
      let page = try store.list(query)
      guard let last = page.last else { return }
      try learn(page.map(\.passage), source)
      seen += page.count
      query.afterID = last.queueID
      newest.node = last.queueID
    }
  }

  private mutating func learnOthers(_ store: SQLiteNodeStore, _ source: MaskSource) throws {
    let known = try store.vehiclesElsewhere(limit: NodeCore.Limits.remotePassages)
    var seen = known.makeIterator()
    while true {
      var page: [(plate: String, client: String)] = []
      while page.count < 500, let next = seen.next() { page.append(next) }
      guard !page.isEmpty else { return }
      let masks = try source.masks(plates: page.map(\.plate), identities: page.map(\.client))
      for (vehicle, mask) in zip(page, masks.plates) { plates[mask] = vehicle.plate }
      for (vehicle, mask) in zip(page, masks.identities) { identities[mask] = vehicle.client }
    }
  }

  private mutating func learn(_ passages: [Passage], _ source: MaskSource) throws {
    let (seen, known) = (
      passages.map(\.plate.compact), passages.map(\.clientID.description)
    )
    let masks = try source.masks(plates: seen, identities: known)
    for (plate, mask) in zip(seen, masks.plates) { plates[mask] = plate }
    for (identity, mask) in zip(known, masks.identities) { identities[mask] = identity }
  }

  /// Puts the plate and the identity in place of their masks, where they are known.
  public func lift(_ record: inout LogRecord) {
    if let mask = record.fields["plate"]?.text, let plate = plates[mask] {
      record.fields["plate"] = .text(plate)
    }
    if let mask = record.fields["client_id"]?.text, let identity = identities[mask] {
      record.fields["client_id"] = .text(identity)
    }
  }
}
