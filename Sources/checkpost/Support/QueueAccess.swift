import ArgumentParser
import Control
import EventLoop
import Host
import JSON
import NodeSQLite
import Settings
import Time

/// The queue as a command reaches it: through the running service, which serves its group, and without one
/// through the database, for a user who may open that.
struct QueueAccess {
  let loaded: LoadedSettings
  private let clocks: any Clocks = SystemClocks()

  init(_ loaded: LoadedSettings) {
    self.loaded = loaded
  }

  /// Asks for some of the queue.
  func look<Asked: QueueOperation>(
    _ asked: Asked, _ body: (QueueDesk) throws -> Asked.Answer
  ) throws -> Asked.Answer {
    if let answer = try ask(asked) { return answer }
    let store = try SQLiteNodeStore(readingFrom: loaded.settings.node.database)
    defer { try? store.close() }
    return try body(QueueDesk(store, loaded.settings, clocks: clocks))
  }

  /// Asks for a change.
  func change<Asked: QueueChangeOperation>(
    _ asked: Asked, _ body: (QueueDesk) throws -> Asked.Answer
  ) throws -> Asked.Answer {
    if let answer = try ask(asked) { return answer }
    let store = try NodeDatabase.open(loaded)
    defer { try? store.close() }
    let answer = try body(QueueDesk(store, loaded.settings, clocks: clocks))
    if answer.changes.contains(where: \.done) {
      RunningService.tell(Operations.Wake(), socket: loaded.settings.control.socket)
    }
    return answer
  }

  /// What the running service answers; nil where none has this queue, or it is one that cannot be asked yet.
  private func ask<Asked: QueueOperation>(_ asked: Asked) throws -> Asked.Answer? {
    let settings = loaded.settings
    guard settings.roles.node || !settings.roles.central,
      let database = RecordMessage.identity(ofFileAt: settings.node.database),
      let client = try? ControlClient(path: settings.control.socket)
    else { return nil }
    var asked = asked
    asked.database = database
    do {
      return try client.ask(asked, timeout: .seconds(30))
    } catch let refusal as ControlRefusal
      where ["unknown_operation", "other_database", "no_node"].contains(refusal.code)
    {
      return nil
    }
  }
}

/// A change of several passages, each reported.
enum QueueChange {
  /// Changes the passages that are named, and says what came of each.
  static func run<Asked: QueueChangeOperation>(
    _ settings: SettingsOptions, _ output: OutputOptions, _ asked: Asked,
    _ body: (QueueDesk) throws -> Asked.Answer
  ) throws {
    let answer = try QueueAccess(try settings.load()).change(asked, body)
    try tell(answer, output)
  }

  /// Says what came of each. What was changed is told of, even when nobody reads it any more.
  static func tell(_ answer: Operations.QueueChanges, _ output: OutputOptions) throws {
    let out = StandardOutput(outlivesReader: true)
    for change in answer.changes {
      let name = "\(change.passage.queueID) \(change.passage.plate)"
      if output.isJSON {
        var object = change.passage.fields
        object["outcome"] = .text(change.outcome)
        object["done"] = .flag(change.done)
        object["message"] = .text(change.message)
        try out.json(JSONValue.object(object))
      } else if change.done {
        try out.line("\(name): \(change.message)")
      } else {
        Diagnostics.say("\(name): \(change.message)")
      }
    }
    try out.flush()
    if answer.changes.contains(where: { !$0.done }) { throw ExitCode(ExitStatus.badData.code) }
  }
}
