import Foundation
import Testing

/// A node with several modems: what one cannot send goes by the other.
@Suite(.ownThreads) struct ModemsTests {
  private let files: ProgramFiles
  private let gateway = "+9779801000099"

  init() throws {
    files = try ProgramFiles()
  }

  private func simulator(_ number: String) throws -> SimulatorProcess {
    try SimulatorProcess(number, files, ["--network", files.path("network")])
  }

  private func configuration(_ first: SimulatorProcess, _ second: SimulatorProcess) throws -> String
  {
    try files.write(
      "checkpost.yaml",
      """
      roles: {node: true}
      node:
        checkpost: BNP-A
        database: \(files.path("node.db"))
        gateway: "\(gateway)"
        fallback_after: 0s
      modems:
        - {name: mast, port: \(first.link), reopen_first: 100ms}
        - {name: roof, port: \(second.link), reopen_first: 100ms}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(files.path("control.sock"))}
      """)
  }

  private func record(_ plate: String, _ configuration: String) throws {
    let outcome = try Program.run([
      "record", "--plate", plate, "--type", "car", "--config", configuration,
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test(.timeLimit(.minutes(15))) func eachIsLookedAtByItsName() throws {
    let mast = try simulator("+9779801000001")
    let roof = try simulator("+9779801000002")
    let path = try configuration(mast, roof)
    let wanted = [
      "modem_port", "modem_answers", "modem_sim", "modem_smsc", "modem_network", "modem_signal",
    ]
    // By the doctor's own hand, and by the service's.
    for isRunning in [false, true] {
      let service = isRunning ? try ServiceProcess(path) : nil
      try service?.read(untilEach: "mast can send", "roof can send")
      let outcome = try Program.run(["doctor", "--json", "--config", path])
      #expect(outcome.status == 0, "\(outcome.output)")
      for name in ["mast", "roof"] {
        let good = try outcome.objects().filter {
          $0["modem"] as? String == name && $0["state"] as? String == "good"
        }
        #expect(Set(good.compactMap { $0["check"] as? String }).isSuperset(of: wanted), "\(good)")
      }
      service?.end()
    }
    withExtendedLifetime((mast, roof)) {}
  }

  @Test(.timeLimit(.minutes(15))) func oneThatFailsHoldsUpNothing() throws {
    let mast = try simulator("+9779801000001")
    let roof = try simulator("+9779801000002")
    let office = try simulator(gateway)
    let path = try configuration(mast, roof)
    let service = try ServiceProcess(path)
    try service.read(untilEach: "mast can send", "roof can send")
    let info = try Program.run(["modem", "info", "--json", "--config", path])
    #expect(try info.objects().compactMap { $0["name"] as? String }.sorted() == ["mast", "roof"])

    // One does not answer any more, without being gone.
    mast.request("{\"fault\":\"mute:600\"}")
    try mast.expect("\"fault\"")
    for number in 1...3 { try record("BA 1 PA \(number)", path) }
    for _ in 1...3 { try office.expect("\"stored\"") }
    for _ in 1...3 { try service.read(until: "\"text_accepted\"") }

    // The other goes away; what is recorded meanwhile leaves by the one that is back.
    roof.kill()
    try service.read(until: "\"modem_port_closed\"", "\"modem\":\"roof\"")
    // It carried the network: what is sent before the office is in the new one would be for nobody there.
    mast.end()
    try office.expect("\"place\":\"nowhere\"")
    let again = try simulator("+9779801000001")
    try office.expect("\"event\":\"network\"")
    try service.read(until: "\"modem_ready\"", "mast")
    try record("BA 1 PA 4", path)
    try office.expect("\"stored\"")
    try service.read(until: "\"text_accepted\"")
    service.end()
    var modems = Set<String>()
    for number in 1...4 {
      let shown = try Program.run(["queue", "show", "\(number)", "--json", "--config", path])
      let texts = try #require(try shown.objects().first?["texts"] as? [[String: Any]])
      let accepted = texts.filter { $0["outcome"] as? String == "accepted" }
      #expect(accepted.count == 1, "\(texts)")
      modems.formUnion(accepted.compactMap { $0["modem"] as? String })
    }
    #expect(modems == ["mast", "roof"])
    withExtendedLifetime((again, office)) {}
  }
}
