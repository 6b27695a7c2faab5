import Control
import Events
import Log
import Synchronization
import TestSupport
import Testing
import Time

@testable import Host

/// What systemd is told, as it hears it at its socket.
@Suite(.timeLimit(.minutes(15))) struct ServiceManagerTests {
  private let clocks = TestClocks()
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func manager(_ environment: [String: String] = [:]) throws -> (
    DatagramListener, ServiceManager
  ) {
    let path = directory.file("notify")
    let listener = try DatagramListener(path)
    return (
      listener, ServiceManager(environment.merging(["NOTIFY_SOCKET": path]) { $1 }, process: 17)
    )
  }

  @Test func eachMessageIsOneDatagram() throws {
    let (systemd, manager) = try manager()
    manager.tell(.starting(status: "waits for its disk", within: .seconds(60)))
    #expect(systemd.next() == ["STATUS=waits for its disk", "EXTEND_TIMEOUT_USEC=60000000"])
    manager.tell(.ready(status: "0 waiting"))
    #expect(systemd.next() == ["READY=1", "STATUS=0 waiting"])
    manager.tell(.standing(status: "1 waiting", isAlive: true))
    #expect(systemd.next() == ["STATUS=1 waiting", "WATCHDOG=1"])
    manager.tell(.reloading(since: 12_345))
    #expect(systemd.next() == ["RELOADING=1", "MONOTONIC_USEC=12345"])
    manager.tell(.stopping)
    #expect(systemd.next() == ["STOPPING=1"])
  }

  @Test func aNameWithoutAFileIsReached() throws {
    let name = "@\(directory.path)"
    let systemd = try DatagramListener(name)
    ServiceManager(["NOTIFY_SOCKET": name]).tell(.stopping)
    #expect(systemd.next() == ["STOPPING=1"])
  }

  @Test func whatANetworkWroteIsNoAssignment() throws {
    let (systemd, manager) = try manager()
    manager.tell(.ready(status: "modem says \"A\nMAINPID=1\""))
    #expect(systemd.next() == ["READY=1", "STATUS=modem says \"A MAINPID=1\""])
  }

  @Test func theWatchdogIsFedTwiceInItsTime() throws {
    #expect(ServiceManager([:]).interval == nil)
    #expect(ServiceManager(["NOTIFY_SOCKET": "relative"]).interval == nil)
    #expect(try manager().1.interval == .seconds(60))
    let watched = ["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "17"]
    #expect(try reader(watched).interval == .seconds(15))
    let another = ["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "18"]
    #expect(try reader(another).interval == .seconds(60))
  }

  private func reader(_ environment: [String: String]) throws -> ServiceManager {
    ServiceManager(
      environment.merging(["NOTIFY_SOCKET": directory.file("other")]) { $1 }, process: 17)
  }

  @Test func aLoopThatHangsLeavesTheWatchdogUnfed() throws {
    let (systemd, manager) = try manager(["WATCHDOG_USEC": "30000000"])
    let hanging = Mutex<[String]>([])
    let asked = Mutex<[Duration]>([])
    let log = ServiceLog(level: .debug, mask: .short, sinks: [])
    let told = log.events.subscribe(LogFilter()) {}
    defer { told.end() }
    var watch = StandingWatch(
      manager: manager, clocks: clocks, log: log, status: { ServiceStatus() },
      hanging: { limit in
        asked.withLock { $0.append(limit) }
        return hanging.withLock { $0 }
      })
    watch.ready()
    #expect(systemd.next() == ["READY=1", "STATUS="])
    watch.tick()
    #expect(systemd.next() == ["WATCHDOG=1"], "the status is as it was")
    hanging.withLock { $0 = ["node"] }
    watch.tick()
    watch.tick()
    hanging.withLock { $0 = [] }
    watch.tick()
    #expect(systemd.next()?.contains("WATCHDOG=1") != true)
    #expect(systemd.next()?.contains("WATCHDOG=1") != true)
    #expect(systemd.next() == ["WATCHDOG=1"])
    #expect(asked.withLock { Set($0) } == [.seconds(15)])
  }

  /// Nobody is told; that it is looked all the same is for the log.
  @Test func nobodyIsToldWhereNobodyListens() {
    let asked = Mutex(0)
    var watch = StandingWatch(
      manager: ServiceManager([:]), clocks: clocks,
      log: ServiceLog(level: .debug, mask: .short, sinks: []),
      status: {
        asked.withLock { $0 += 1 }
        return ServiceStatus()
      },
      hanging: { _ in
        Issue.record("nobody asked")
        return []
      })
    watch.ready()
    #expect(asked.withLock { $0 } == 0)
    watch.tick()
    #expect(asked.withLock { $0 } == 1)
  }
}
