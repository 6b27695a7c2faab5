import Control
import EventLoop
import Events
import Log
import NodeCore
import NodeSQLite
import PassageFiles
import Passages
import Settings
import Storage
import TestSupport
import Testing
import Time

@testable import Host

/// Recording through the running service, and by the file where that cannot be.
@Suite struct ServiceSinkTests {
  /// A node as the service runs it, with its control socket.
  private final class Service {
    let loaded: LoadedSettings
    let node: NodeRole
    private let parts: ServiceParts
    private let desk: ControlDesk

    init(_ directory: TemporaryDirectory) throws {
      var loaded = LoadedSettings()
      loaded.settings.node.database = directory.file("node.db")
      loaded.settings.control.socket = directory.file("socket")
      self.loaded = loaded
      let clocks = SystemClocks()
      let log = ServiceLog(level: .error, mask: .short, sinks: [])
      node = try NodeRole(loaded, RoleContext(clocks: clocks, log: log))
      desk = try ControlDesk(
        ControlServer(path: loaded.settings.control.socket), LoadedSettings(), clocks: clocks)
      parts = try ServiceParts(
        node.parts
          + [
            ControlRole(
              desk: desk, release: try StoreRelease(), settings: CurrentSettings(LoadedSettings()),
              node: node, central: nil,
              log: log, clocks: clocks)
          ])
      try parts.start()
    }

    func end() throws {
      try parts.end()
      desk.stop()
      desk.join()
      node.close()
    }
  }

  /// Nobody asked for it.
  private struct Unwanted: Error {}

  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func requests(
    _ numbers: ClosedRange<Int>, identity: ClientID? = nil, photo: String? = nil
  ) throws -> [RecordRequest] {
    try numbers.map { number in
      RecordRequest(
        try Passage(
          recording: try Plate("BA1PA\(number)"), vehicleType: .car,
          checkpost: try CheckpostCode("BNP-A"), recordedAt: WallTime(epochSeconds: 1_773_450_000),
          suffix: PhoneSuffix(phoneNumber: nil), identity: identity, photoPath: photo),
        hasGivenIdentity: identity != nil)
    }
  }

  private func openStore(_ name: String) throws -> SQLiteNodeStore {
    try SQLiteNodeStore(path: directory.file(name), bootID: SystemClocks.bootIdentity())
  }

  /// The plates in a store; each as often as it is there.
  private func plates(_ name: String) throws -> [String] {
    let store = try openStore(name)
    defer { try? store.close() }
    var query = QueueQuery()
    query.limit = 10_000
    return try store.list(query).map(\.passage.plate.compact).sorted()
  }

  private func wanted(_ numbers: ClosedRange<Int>) -> [String] {
    numbers.map { "BA1PA\($0)" }.sorted()
  }

  @Test func whatComesOfItIsWhatTheFileSays() throws {
    let service = try Service(directory)
    defer { try? service.end() }
    let other = try openStore("other.db")
    defer { try? other.close() }
    var byService = try #require(ServiceSink(service.loaded) { throw Unwanted() })
    var byFile = StoreSink(other, clocks: SystemClocks())
    let taken = try requests(5...5, identity: try requests(1...1)[0].passage.clientID)
    for batch in [try requests(1...3), try requests(2...4), taken] {
      #expect(try byService.record(batch).outcomes == byFile.record(batch).outcomes)
    }
  }

  @Test func aRequestThatIsTooLongIsSentInParts() throws {
    let service = try Service(directory)
    var sink = try #require(ServiceSink(service.loaded) { throw Unwanted() })
    let batch = try requests(1...500, photo: String(repeating: "/a long path", count: 100))
    let recorded = try sink.record(batch)
    try service.end()
    #expect(recorded.outcomes.map(\.clientID) == batch.map(\.passage.clientID))
    #expect(try plates("node.db") == wanted(1...500))
  }

  @Test func aServiceWithAnotherDatabaseIsLeftAlone() throws {
    let service = try Service(directory)
    let mine = try openStore("mine.db")
    var loaded = service.loaded
    loaded.settings.node.database = directory.file("mine.db")
    var sink = try #require(
      ServiceSink(loaded) { StoreSink(mine, clocks: SystemClocks()) })
    _ = try sink.record(try requests(1...2))
    try mine.close()
    try service.end()
    #expect(try plates("node.db").isEmpty)
    #expect(try plates("mine.db") == wanted(1...2))
  }

  @Test func aServiceThatStopsMidwayLosesNothing() throws {
    let service = try Service(directory)
    var sink = try #require(
      ServiceSink(service.loaded) {
        StoreSink(try openStore("node.db"), clocks: SystemClocks())
      })
    _ = try sink.record(try requests(1...3))
    try service.end()
    _ = try sink.record(try requests(3...5))
    _ = try sink.record(try requests(6...6))
    #expect(try plates("node.db") == wanted(1...6))
  }

  /// The service ends between the commit and the answer: what it recorded is not recorded again.
  @Test func anAnswerThatIsLostDoublesNothing() throws {
    var loaded = LoadedSettings()
    loaded.settings.node.database = directory.file("node.db")
    loaded.settings.control.socket = directory.file("socket")
    let store = try openStore("node.db")
    let server = try ControlServer(path: loaded.settings.control.socket)
    try server.start { request, _ in
      let passages = RecordMessage.passages(request.fields) ?? []
      var sink = StoreSink(store, clocks: SystemClocks())
      _ = try? sink.record(passages)
      server.stop()
    }
    var sink = try #require(ServiceSink(loaded) { StoreSink(store, clocks: SystemClocks()) })
    let recorded = try sink.record(try requests(1...3))
    server.join()
    #expect(
      recorded.outcomes.allSatisfy { if case .alreadyRecorded = $0 { true } else { false } })
    #expect(try plates("node.db") == wanted(1...3))
  }

  /// What is wrong with the store is wrong with it by the file, too: then nothing else is tried.
  @Test func whatIsWrongWithTheStoreEndsTheCommand() throws {
    var loaded = LoadedSettings()
    loaded.settings.node.database = try directory.write("node.db")
    loaded.settings.control.socket = directory.file("socket")
    let server = try ControlServer(path: loaded.settings.control.socket)
    try server.start { _, reply in
      reply.refuse(RecordMessage.storageCode, "the disk is full", exitCode: 74)
    }
    defer {
      server.stop()
      server.join()
    }
    var sink = try #require(ServiceSink(loaded) { throw Unwanted() })
    #expect {
      try sink.record(try requests(1...1))
    } throws: { error in
      (error as? ControlRefusal)?.exitCode == 74
    }
  }

  @Test func withoutAServiceThereIsNoSink() throws {
    var loaded = LoadedSettings()
    loaded.settings.node.database = try directory.write("node.db")
    loaded.settings.control.socket = directory.file("socket")
    #expect(ServiceSink(loaded) { throw Unwanted() } == nil)
  }
}
