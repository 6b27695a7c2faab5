import FoundationEssentials
import GRDB
public import NodeCore
public import Passages
import SQLiteFile
public import Storage
import Time

extension SQLiteNodeStore {
  /// What rangers were warned of lately that is about a passage, oldest first.
  public func alerts(of client: ClientID) throws(StorageError) -> [TravelAlert] {
    try file.read { database in
      try Meta.alerts(database).filter {
        $0.entry.clientID == client || $0.exit?.clientID == client
      }
    }
  }
}

extension StoreTransaction {
  /// What the node knows of its server and its line. What cannot be read is not known: the server tells
  /// it again.
  func memory() throws(StorageError) -> NodeMemory {
    try sorted {
      var memory = NodeMemory()
      memory.refreshToken = try Meta.text(database, .refreshToken).map { Token($0) }
      memory.userID = try Meta.text(database, .userID)
      memory.directory = try Meta.text(database, .directory).flatMap { text in
        try? JSONDecoder().decode(PostDirectory.self, from: Data(text.utf8))
      }
      memory.alerts = try Meta.alerts(database)
      memory.offlineSince = try Meta.integer(database, .offlineSince).map {
        BootInstant(nanoseconds: $0)
      }
      memory.serverDownSince = try Meta.integer(database, .serverDownSince).map {
        BootInstant(nanoseconds: $0)
      }
      memory.pushFailedAt = try Meta.integer(database, .pushFailed).map {
        BootInstant(nanoseconds: $0)
      }
      memory.signInRestsUntil = try Meta.integer(database, .signInRests).map {
        BootInstant(nanoseconds: $0)
      }
      memory.pushImpairment = try Meta.text(database, .pushImpairment)
        .flatMap { Impairment(ofPassages: $0) }
      memory.lastSyncedAt = try Meta.integer(database, .lastSynced).map {
        WallTime(milliseconds: $0)
      }
      memory.lastPulledAt = try Meta.integer(database, .lastPulled).map {
        WallTime(milliseconds: $0)
      }
      memory.serverTime = try Meta.serverTime(database)
      return memory
    }
  }

  /// Keeps what the node knows of its server and its line, in place of what it knew.
  func remember(_ memory: NodeMemory) throws(StorageError) {
    try sorted {
      let encoder = JSONEncoder()
      // The same knowledge is the same text, which is not written again.
      encoder.outputFormatting = .sortedKeys
      let directory = try memory.directory.map {
        String(decoding: try encoder.encode($0), as: UTF8.self)
      }
      let alerts =
        memory.alerts.isEmpty
        ? nil : String(decoding: try encoder.encode(memory.alerts), as: UTF8.self)
      try Meta.keep(database, .alerts, alerts)
      try Meta.keep(database, .refreshToken, memory.refreshToken?.value)
      try Meta.keep(database, .userID, memory.userID)
      try Meta.keep(database, .directory, directory)
      try Meta.keep(database, .offlineSince, memory.offlineSince?.nanoseconds)
      try Meta.keep(database, .serverDownSince, memory.serverDownSince?.nanoseconds)
      try Meta.keep(database, .pushFailed, memory.pushFailedAt?.nanoseconds)
      try Meta.keep(database, .signInRests, memory.signInRestsUntil?.nanoseconds)
      try Meta.keep(database, .pushImpairment, memory.pushImpairment?.name)
      try Meta.keep(database, .lastSynced, memory.lastSyncedAt?.milliseconds)
      try Meta.keep(database, .lastPulled, memory.lastPulledAt?.milliseconds)
      let known = try Meta.serverTime(database)
      try Meta.keep(database, .serverTime, memory.serverTime?.wall.milliseconds)
      try Meta.keep(database, .serverTimeAt, memory.serverTime?.at.nanoseconds)
      if let time = memory.serverTime, time != known {
        try ClockSkew.flagWaiting(database, by: time)
      }
    }
  }
}

extension Meta {
  /// What rangers were warned of lately; none when that cannot be read.
  static func alerts(_ database: Database) throws -> [TravelAlert] {
    guard let text = try text(database, .alerts) else { return [] }
    return (try? JSONDecoder().decode([TravelAlert].self, from: Data(text.utf8))) ?? []
  }
}
