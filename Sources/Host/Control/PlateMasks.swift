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
    guard let source = try MaskSource.find(loaded) else { throw NoKey() }
    let (roles, settings) = (loaded.settings.roles, loaded.settings)
    if roles.node || !roles.central { try learnNode(settings.node.database, source) }
    if roles.central { try learnCentral(settings.central, source) }
  }

  private mutating func learnCentral(_ settings: Settings.Central, _ source: MaskSource) throws {
    let store = try CentralStores.open(settings, for: .reading)
    defer { try? store.close() }
    var query = PassageQuery()
    query.limit = 500
    var seen = 0
    while seen < PlateMasks.passages {
      let page = try store.passages(query)
      guard let last = page.last else { return }
      try learn(page.map(\.passage), source)
      seen += page.count
      query.afterID = last.id
    }
  }

  private mutating func learnNode(_ path: String, _ source: MaskSource) throws {
    let store = try SQLiteNodeStore(readingFrom: path)
    defer { try? store.close() }
    // Vehicles of the other post, of which some never came here: rangers are warned of them all the same.
    try learnOthers(store, source)
    var query = QueueQuery()
    var seen = 0
    while seen < PlateMasks.passages {
      let page = try store.list(query)
      guard let last = page.last else { return }
      try learn(page.map(\.passage), source)
      seen += page.count
      query.afterID = last.queueID
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
