import CentralCore
import CentralService
import Events
import HTTPServer
import Log
import Settings
import Storage
import Synchronization
import Time

/// The numbers that are judged by, as they were read last.
final class CurrentJudgingRules: Sendable {
  private let rules: Mutex<JudgingRules>

  init(_ rules: JudgingRules) {
    self.rules = Mutex(rules)
  }

  var now: JudgingRules { rules.withLock { $0 } }

  func change(_ rules: JudgingRules) {
    self.rules.withLock { $0 = rules }
  }
}

extension CentralAPI {
  /// The API of a central.
  init(
    _ settings: Settings.Central, on store: any OpenedCentralStore, _ desk: AccountDesk,
    _ judging: CurrentJudgingRules, _ service: CentralService, _ log: ServiceLog
  ) {
    self.init(
      store: store.tables(rules: { judging.now }) { service.tell(ofRequest: $0) },
      authenticator: desk, photos: ObjectDirectory(settings.photos),
      lookForOverdue: { now in
        CentralAPI.lookForOverdue(store, judging.now, service, at: now, log)
      },
      whenWritten: { service.wake() })
    links = desk
    version = Version.current
  }

  /// Does what the clock asks for; nil when the store cannot do it now.
  private static func lookForOverdue(
    _ store: any OpenedCentralStore, _ rules: JudgingRules, _ service: CentralService,
    at now: WallTime, _ log: ServiceLog
  ) -> Int? {
    var created = 0
    // Each step does a bounded amount; what is left after that many, the service does by itself.
    for _ in 0..<100 {
      let duties: ClockDuties
      do throws(StorageError) {
        duties = try store.clock(rules: rules, at: now)
      } catch {
        log.record(
          Event(
            "api_failed", .error, at: now,
            words: "overdue vehicles could not be looked for: \(error.message)"))
        return nil
      }
      service.tell(duties.changes)
      created += duties.changes.raised.count
      guard let next = duties.next, next <= now else { break }
    }
    return created
  }
}
