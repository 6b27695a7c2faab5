import EventLoop
import SeededRandom
import Synchronization
import Time

/// The thread of one connection of a pool: it connects, runs what it is handed, sees when the server ends the
/// connection, and connects anew.
final class PoolOwner: Sendable {
  let index: Int
  let pulse: Pulse
  private let settings: PostgreSQLSettings
  private let shared: PoolShared
  private let clocks: any Clocks
  private let chance: SplitMix64
  private let firstPause: ReconnectPause

  init(
    _ index: Int, _ settings: PostgreSQLSettings, _ shared: PoolShared, _ clocks: any Clocks,
    _ chance: SplitMix64, _ pause: ReconnectPause
  ) {
    self.index = index
    self.settings = settings
    self.shared = shared
    self.clocks = clocks
    self.chance = chance
    firstPause = pause
    pulse = Pulse("postgresql \(index)")
  }

  /// Blocks until the pool ends.
  func run() {
    var chance = chance
    var pause = firstPause
    while let connection = connect(&pause, &chance) {
      let reason = serve(connection)
      connection.close()
      shared.lost(index, reason)
      if reason == .ended { return }
    }
  }

  /// Tries until there is a connection; nil when the pool has ended.
  private func connect(
    _ pause: inout ReconnectPause, _ chance: inout SplitMix64
  ) -> PostgreSQLConnection? {
    while !shared.isEnded {
      let waits: Duration
      do throws(PostgreSQLError) {
        let connection = try PostgreSQLConnection(
          settings, clocks: clocks, interrupt: shared.interrupt, pulse: pulse)
        pause.reset()
        shared.connected()
        return connection
      } catch .ended {
        return nil
      } catch {
        shared.failed(error)
        waits = pause.next(using: &chance)
      }
      let end = clocks.boot() + waits
      let wakeup = shared.wakeup(of: index)
      while !shared.isEnded, clocks.boot() < end {
        wakeup.clear()
        if shared.isEnded { break }
        pulse.sleeping(clocks) {
          _ = PollLoop.wait(
            [Interest(descriptor: wakeup.descriptor)], until: end, clocks: clocks)
        }
      }
    }
    return nil
  }

  /// Runs what comes until the connection cannot be used any more; why.
  private func serve(_ connection: PostgreSQLConnection) -> PostgreSQLError {
    let wakeup = shared.wakeup(of: index)
    while !shared.isEnded {
      wakeup.clear()
      // A call is not to find out that the connection is gone.
      do throws(PostgreSQLError) {
        try connection.checkIdle()
      } catch {
        return error
      }
      if let call = shared.take(for: index) {
        pulse.turns(clocks)
        let tell = call.run(connection)
        shared.finished()
        tell()
        if let reason = PoolOwner.fault(of: connection) { return reason }
        continue
      }
      if shared.isEnded { break }
      pulse.sleeping(clocks) {
        _ = PollLoop.wait(
          [
            Interest(descriptor: wakeup.descriptor), Interest(descriptor: connection.descriptor),
          ], until: nil, clocks: clocks)
      }
    }
    return .ended
  }

  /// Why a connection cannot be handed to the next call; nil when it can.
  private static func fault(of connection: PostgreSQLConnection) -> PostgreSQLError? {
    guard connection.isOpen else { return connection.closedBy ?? .closed }
    guard connection.isIdle else {
      return .misused(reason: "work left a transaction open, which was undone")
    }
    // A server that has become a follower stays one; its settings may name the one that leads now.
    guard !connection.isReadOnly || connection.settings.session == .any else {
      return .lost(reason: "the server takes no changes any more")
    }
    return nil
  }
}
