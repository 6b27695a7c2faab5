import CentralCore
import Demo
import EventLoop
import Host
import JSON
import NodeCore
import NodeSQLite
import Passages
import Time

/// What arrived, what paired and what was judged.
struct DemoResult {
  let recorded: DemoScenario.Recorded
  let passages: Int
  let overview: CentralOverview
  private let accepted: Int
  private let travels: [Travel]
  private let inbox: [InboxItem]
  private let missing: Int
  /// Rows that recorded passages became: what two rangers wrote down of one vehicle is one.
  private let rows: Int

  init(_ world: DemoEnvironment, _ recorded: DemoScenario.Recorded) throws {
    self.recorded = recorded
    overview = try world.centralStore.overview()
    passages = overview.passages
    accepted = world.tally.current.accepted
    travels = try world.centralStore.travels()
    inbox = try world.centralStore.inbox(state: .undecodable)
    // By identity and not by count: a row too many must not hide one that is missing.
    var recordedIDs: [ClientID] = []
    try QueuePages.forEach(world.nodeStore, QueueQuery(), limit: .max) { item in
      if !item.passage.isUndated { recordedIDs.append(item.passage.clientID) }
    }
    let arrived = try world.centralStore.passages(identifiedBy: recordedIDs)
    missing = recordedIDs.count { arrived[$0] == nil }
    rows = Set(arrived.values.map(\.id)).count
  }

  /// Whether every passage that was recorded is a row, and nothing else is.
  var isWhole: Bool { missing == 0 && passages == rows && recorded.passages > 0 }

  func show(_ show: DemoOutput) throws {
    if show.isJSON {
      try show.out.json(JSONValue.object(object))
    } else {
      try table(show)
    }
  }

  private var speeding: [Travel] {
    travels.filter { if case .speeding = $0.verdict { true } else { false } }
  }

  private var overstays: [Travel] {
    travels.filter { if case .overstay = $0.verdict { true } else { false } }
  }

  private var object: [String: JSONValue] {
    [
      "rows": .integer(Int64(recorded.rows)), "recorded": .integer(Int64(recorded.passages)),
      "repeated": .integer(Int64(recorded.repeated)), "held": .integer(Int64(recorded.held)),
      "refused": .integer(Int64(recorded.refused.count)),
      "texts_accepted": .integer(Int64(accepted)), "passages": .integer(Int64(passages)),
      "inbox": .integer(Int64(overview.received)),
      "inbox_duplicates": .integer(Int64(overview.duplicates)),
      "inbox_undecodable": .integer(Int64(overview.undecodable)),
      "travels": .integer(Int64(travels.count)), "speeding": .integer(Int64(speeding.count)),
      "overstay": .integer(Int64(overstays.count)), "whole": .flag(isWhole),
    ]
  }

  private func table(_ show: DemoOutput) throws {
    func lines(_ table: TextTable, _ title: String) throws {
      try show.line("\n\(Colour.strong.paint(title, if: show.isColoured))")
      for line in table.lines() { try show.line("  \(line)") }
    }
    var arrived = TextTable([("what arrived", .left), ("", .right)])
    arrived.add(["passages recorded at the checkpost", "\(recorded.passages)"])
    arrived.add(["texts accepted by the network", "\(accepted)"])
    arrived.add(["texts in the office's inbox", "\(overview.received)"])
    arrived.add(["  of them copies of a passage that was there", "\(overview.duplicates)"])
    arrived.add(["  of them no passage, kept for an operator", "\(overview.undecodable)"])
    arrived.add(["passages at the office, one row each", "\(passages)"])
    try lines(arrived, "Arrived")

    var paired = TextTable([("what paired and was judged", .left), ("", .right)])
    let ordinary = travels.count - speeding.count - overstays.count
    paired.add(["travels between the two posts", "\(travels.count)"])
    paired.add(["  nothing to remark", "\(ordinary)"])
    paired.add(["  speeding", "\(speeding.count)"])
    paired.add(["  overstay", "\(overstays.count)"])
    paired.add(["passages seen at one post only", "\(passages - 2 * travels.count)"])
    try lines(paired, "Judged")

    try show.told(
      "Central paired and judged these as they came. With --keep its database stays, and checkpost central"
        + " violations --database lists them.", after: "  ", indent: 2)

    var cases = TextTable(["plate", "from", "to", "entered", "took", "km/h", "verdict"])
    for travel in speeding.prefix(3) + overstays.prefix(3) { cases.add(row(travel)) }
    let day = travels.first.map { DemoResult.clock.day($0.entry.recordedAt) } ?? ""
    try lines(cases, "Some of them, \(day) in \(zone)")

    var odd = TextTable(["from", "text", "why it is no passage"])
    for item in inbox.reversed() {
      odd.add([item.from, text(item), item.reason ?? ""])
    }
    try lines(odd, "Kept for an operator")
    if isWhole {
      try show.line(
        "\n"
          + Colour.good.paint(
            "Every passage that was recorded is one row at the office.", if: show.isColoured))
    }
  }

  private func text(_ item: InboxItem) -> String {
    String((CentralFields.text(item) ?? item.body).prefix(40))
  }

  private func row(_ travel: Travel) -> [String] {
    let speed = travel.kilometresPerHour.map { "\(($0 * 10).rounded() / 10)" } ?? "-"
    let verdict =
      switch travel.verdict {
      case .speeding(let seconds): "speeding, under \(clock(seconds))"
      case .overstay(let seconds): "overstay, over \(clock(seconds))"
      case .normal: ""
      }
    return [
      travel.entry.plate.display, travel.entry.checkpost.code, travel.exit.checkpost.code,
      String(DemoResult.clock.time(travel.entry.recordedAt).prefix(5)), clock(travel.seconds),
      speed, verdict,
    ]
  }

  private static let clock = LocalClock.ofThisMachine

  private var zone: String {
    travels.first.map { DemoResult.clock.zone(at: $0.entry.recordedAt) } ?? "UTC"
  }

  private func clock(_ seconds: Int64) -> String {
    let minutes = seconds / 60 % 60
    let rest = seconds % 60
    return "\(seconds / 3_600):" + (minutes < 10 ? "0" : "") + "\(minutes):"
      + (rest < 10 ? "0" : "") + "\(rest)"
  }
}
