import ArgumentParser
import CentralCore
import Control
import EventLoop
import Host
import JSON
import Passages
import Storage
import Time

/// `central forwards`: passages that the server of `central.forward` does not have yet.
struct CentralForwards: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forwards",
    abstract: "List passages that could not be handed on to another server, and why.",
    discussion: """
      With `central.forward.key_file` a central hands on what it recognises to the server of `server.url`. What \
      waits for a post or a ranger that the server does not know goes by itself once it does; what is set aside \
      goes after `--retry`.
      """)

  @Flag(help: "Let all that wait and are set aside be tried again now.")
  var retry = false

  @Option(help: ArgumentHelp("List so many at most.", valueName: "count"))
  var limit = ListLimit(100)

  @OptionGroup var database: CentralDatabase
  @OptionGroup var output: OutputOptions

  func run() throws {
    let store = try database.open(for: retry ? .changing : .reading)
    defer { try? store.close() }
    guard let forwards = store as? any ForwardStore else {
      throw CommandFailure(
        .configuration,
        "only a central whose store is a file (central.store: sqlite) hands passages on to another server"
      )
    }
    if retry {
      let out = StandardOutput()
      let count = try forwards.retryForwards(at: SystemClocks().wall())
      if output.isJSON {
        try out.json(JSONValue.object(["retried": .integer(Int64(count))]))
      } else {
        try out.line(
          "\(count) passage\(count == 1 ? " is" : "s are") tried again within a minute")
      }
      try out.flush()
      return
    }
    let listing = Listing<HeldForward>(
      ["number", "post", "recorded", "why", "next try", "tries"]
    ) { held in
      let passage = held.passage.passage
      return [
        "number": .integer(held.passage.id), "checkpost": .text(passage.checkpost.code),
        "client_id": .text(passage.clientID.description),
        "recorded_at": .text(passage.recordedAt.rfc3339),
        "reason": .text(held.hindrance.rawValue),
        "due_at": held.dueAt.map { .text($0.rfc3339) } ?? .null,
        "attempts": .integer(Int64(held.attempts)),
      ]
    } cells: { held in
      let passage = held.passage.passage
      return [
        "\(held.passage.id)", passage.checkpost.code,
        LocalClock.ofThisMachine.whole(passage.recordedAt), held.hindrance.rawValue,
        held.dueAt.map { LocalClock.ofThisMachine.whole($0) } ?? "set aside", "\(held.attempts)",
      ]
    }
    try listing.print(try forwards.forwards(limit: limit.count), output)
    if !output.isJSON {
      let standing = try forwards.forwardStanding()
      Diagnostics.say(
        "\(standing.forwarded) were handed on, \(standing.waiting) wait, "
          + "\(standing.setAside) are set aside")
    }
  }
}
