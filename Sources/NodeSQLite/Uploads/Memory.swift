import FoundationEssentials
import GRDB
import NodeCore
import SQLiteFile
import Storage
import Time

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
      memory.alerts =
        try Meta.text(database, .alerts).flatMap { text in
          try? JSONDecoder().decode([TravelAlert].self, from: Data(text.utf8))
        } ?? []
      memory.offlineSince = try Meta.integer(database, .offlineSince).map {
        BootInstant(nanoseconds: $0)
      }
      memory.serverDownSince = try Meta.integer(database, .serverDownSince).map {
        BootInstant(nanoseconds: $0)
      }
      memory.lastSyncedAt = try Meta.integer(database, .lastSynced).map {
        WallTime(milliseconds: $0)
      }
      memory.lastPulledAt = try Meta.integer(database, .lastPulled).map {
        WallTime(milliseconds: $0)
      }
      memory.clockAheadMilliseconds = try Meta.integer(database, .clockAhead)
      memory.clockComparedAt = try Meta.integer(database, .clockCompared).map {
        BootInstant(nanoseconds: $0)
      }
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
      try Meta.keep(database, .lastSynced, memory.lastSyncedAt?.milliseconds)
      try Meta.keep(database, .lastPulled, memory.lastPulledAt?.milliseconds)
      try Meta.keep(database, .clockAhead, memory.clockAheadMilliseconds)
      try Meta.keep(database, .clockCompared, memory.clockComparedAt?.nanoseconds)
    }
  }
}
