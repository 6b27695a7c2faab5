import EventLoop
import Foundation
import Testing
import Time

/// Two posts without a line, the office, and an officer's telephone, on one mobile network: the services are
/// processes, the modems stand on ptys.
@Suite(.ownThreads) struct RecipientStoryTests {
  private let files: ProgramFiles
  private let network: SimulatorProcess
  /// The numbers of the post, the one at the other end of the road, the office and the officer.
  private static let numbers = (1...4).map { "+977980100000\($0)" }
  private var centre: String { RecipientStoryTests.numbers[2] }
  private var officer: String { RecipientStoryTests.numbers[3] }

  init() throws {
    files = try ProgramFiles()
    network = try SimulatorProcess(RecipientStoryTests.numbers, files)
  }

  private func configuration(_ name: String, modem: String, _ place: Int, _ role: String) throws
    -> String
  {
    try files.write(
      "\(name).yaml",
      """
      \(role)
      \(modem) {port: \(network.links[place]), reopen_first: 100ms}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(files.path("\(name).sock"))}
      """)
  }

  private func entryPost(_ more: String = "") throws -> String {
    try configuration(
      "a", modem: "modem:", 0,
      """
      roles: {node: true}
      node:
        checkpost: BNP-A
        database: \(files.path("a.db"))
        gateway: "\(centre)"
        opposite_post_number: "\(RecipientStoryTests.numbers[1])"
        recipients: ["\(officer)"]
        fallback_after: 0s
        sms: {per_minute: 60, per_day: 10000}
        \(more)
      """)
  }

  private func exitPost() throws -> String {
    try configuration(
      "b", modem: "modem:", 1,
      """
      roles: {node: true}
      node:
        checkpost: BNP-B
        database: \(files.path("b.db"))
        opposite_post: BNP-A
        opposite_numbers: ["\(RecipientStoryTests.numbers[0])"]
        segment_distance_km: 45
        min_speed_kmh: 20
        max_speed_kmh: 60
      """)
  }

  private func office() throws -> String {
    try configuration(
      "office", modem: "  modem:", 2,
      """
      roles: {central: true}
      central:
        database: \(files.path("central.db"))
        http: {enabled: false}
        ingress: {mode: open}
      """)
  }

  private func record(_ configuration: String, _ number: Int, at time: Int64? = nil) throws {
    let run = try Program.run(
      [
        "record", "--config", configuration, "--plate", "BA 1 PA \(number)", "--type", "car",
        "--phone", "4567",
      ] + (time.map { ["--at", "\($0)"] } ?? []))
    #expect(run.status == 0, "\(run.errors)")
  }

  /// To whom texts of this passage go from now on, in their order, as many as are awaited.
  private func takers(of number: Int, _ count: Int) throws -> [String] {
    try (0..<count).map { _ in
      let line = try network.expect("\"submitted\"", "BA1PA\(number)")
      let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return event?["to"] as? String ?? ""
    }
  }

  @Test(.timeLimit(.minutes(15))) func aPassageReachesTheOfficeFirstThenTheOtherPostAndAnOfficer()
    throws
  {
    let (first, second, third) = (try entryPost(), try exitPost(), try office())
    let central = try ServiceProcess(third)
    try central.read(until: "\"modem_set_up\"")
    let exit = try ServiceProcess(second)
    try exit.read(until: "\"modem_ready\"")
    let entry = try ServiceProcess(first)
    try entry.read(until: "\"modem_ready\"")

    // It came in ten minutes ago: 45 km are more than that at 60 km/h.
    try record(first, 1_234, at: SystemClocks().wall().epochSeconds - 600)
    #expect(
      try takers(of: 1_234, 3) == [centre, RecipientStoryTests.numbers[1], officer])
    try central.read(until: "\"passage_arrived\"")
    // The other post has no server: it knows of the vehicle by that text alone.
    try exit.read(until: "\"text_received\"")
    try record(second, 1_234)
    let found = try exit.read(until: "\"speeding_found\"")
    #expect(found.contains("\"entry_from\":\"text\""))
    // The officer's telephone has it as it went to the office, once the network says so.
    try entry.read(until: "\"text_delivered\"", "••04")
    let inbox = try Program.run(["modem", "inbox", "--port", network.links[3], "--json"])
    let texts = try inbox.objects().compactMap { $0["text"] as? String }
    #expect(texts.count == 1)
    #expect(texts.first?.hasPrefix("V1|BNP-A|BA1PA1234|CAR|") == true)
    #expect(try passages(third) == ["BA1PA1234"])

    // Whoever asks is told to whom it went, without the whole number.
    let shown = try Program.run(["queue", "show", "1", "--config", first])
    #expect(shown.output.contains("to central"))
    #expect(shown.output.contains("to the opposite post"))
    #expect(shown.output.contains("to ••04"))
    #expect(!shown.output.contains(officer))
    let object = try #require(
      try Program.run(["queue", "show", "1", "--json", "--config", first]).objects().first)
    let recipients = try #require(object["recipients"] as? [[String: Any]])
    #expect(recipients.map { $0["to"] as? String } == ["centre", "opposite", officer])
    #expect(recipients.map { $0["state"] as? String } == ["sent", "sent", "sent"])
  }

  @Test(.timeLimit(.minutes(15))) func aNumberThatRefusesKeepsNobodyWaiting() throws {
    network.request("{\"fault\":\"refuse_number:\(officer):1\"}")
    let first = try entryPost()
    let entry = try ServiceProcess(first)
    try entry.read(until: "\"modem_ready\"")
    try record(first, 1)
    #expect(try takers(of: 1, 2) == [centre, RecipientStoryTests.numbers[1]])
    let log = try entry.read(until: "\"recipient_rests\"")
    #expect(log.contains("••04"))
    #expect(!log.contains(officer))
    #expect(!log.contains("\"sending_held\""))
    for number in 2...4 {
      try record(first, number)
      #expect(try takers(of: number, 2) == [centre, RecipientStoryTests.numbers[1]])
      try entry.read(until: "\"text_accepted\"", "opposite")
    }
    let object = try #require(
      try Program.run(["queue", "show", "1", "--json", "--config", first]).objects().first)
    let recipients = try #require(object["recipients"] as? [[String: Any]])
    #expect(recipients.map { $0["state"] as? String } == ["sent", "sent", "waiting"])
    #expect((recipients.last?["last_error"] as? String)?.hasPrefix("CMS 1 ") == true)
    #expect(object["state"] as? String != "stuck")
  }

  @Test(.timeLimit(.minutes(15))) func aHeartbeatTellsTheOfficeWhatWaitsAtThePost() throws {
    let third = try office()
    let central = try ServiceProcess(third)
    try central.read(until: "\"modem_set_up\"")
    let first = try entryPost("heartbeat_after: 2s")
    let entry = try ServiceProcess(first)
    try entry.read(until: "\"modem_ready\"")
    try record(first, 1)
    try central.read(until: "\"passage_arrived\"")
    // One whose time nobody knows waits for somebody to tell it.
    let undated = try Program.run([
      "record", "--config", first, "--plate", "BA 1 PA 2", "--type", "car", "--at",
      "2040-01-01T00:00:00Z",
    ])
    #expect(undated.status == 0, "\(undated.errors)")
    let beat = try central.read(until: "\"heartbeat_arrived\"", "\"last_number\":2")
    let line = try #require(beat.split(separator: "\n").last)
    #expect(line.contains("\"waiting_at_post\":1"))
    #expect(line.contains("\"missing\":0"))
    #expect(line.contains("BNP-A"))
  }

  private func passages(_ configuration: String) throws -> [String] {
    try Program.run(["central", "passages", "--json", "--config", configuration]).objects()
      .compactMap { $0["plate_number"] as? String }
  }
}
