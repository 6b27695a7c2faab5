import CentralCore
import Events
import Storage
import Synchronization
import Time

/// Processing what is kept.
extension CentralService {
  /// Processes what is kept, until somebody waits for something of theirs to be kept.
  ///
  /// - Returns: When to go on with it, or to try it again, should the store fail; nil when nothing is left.
  func process(
    _ machine: inout CentralMachine, _ agenda: inout CentralAgenda
  ) -> BootInstant? {
    var most = Limits.processedFirst
    var processed = 0
    do {
      while true {
        let wall = clocks.wall()
        let batch = try machine.process(atMost: most, at: wall)
        tell(batch, &agenda, at: wall)
        trouble.withLock { $0.processed(nil, at: wall) }
        guard !batch.messages.isEmpty else { return nil }
        processed += batch.messages.count
        if isAwaited { return clocks.boot() }
        if isStopping.load(ordering: .acquiring), processed >= Limits.processedAtEnd { return nil }
        most = min(2 * most, CentralCore.Limits.processedAtOnce)
      }
    } catch {
      // What is kept stays kept.
      let pause = Limits.retryProcessingAfter
      trouble.withLock { $0.processed(error, at: clocks.wall()) }
      report(
        error, "what was kept could not be processed yet",
        next: NextStep("processed again", at: clocks.wall() + pause))
      return clocks.boot() + pause
    }
  }

  /// Tells what became of messages, and how long they waited for it.
  private func tell(
    _ batch: ProcessedBatch, _ agenda: inout CentralAgenda, at wall: WallTime
  ) {
    let now = clocks.boot()
    let handed = batch.messages.compactMap { agenda.waiting.removeValue(forKey: $0.id) }
    // Another service may have processed the others.
    if batch.messages.isEmpty { agenda.waiting = [:] }
    judged.withLock { tally in
      tally.add(batch.messages)
      for at in handed { tally.add(latency: now - at) }
    }
    for message in batch.messages { onEvent(Event(message, at: wall)) }
    tell(batch.changes)
  }
}
