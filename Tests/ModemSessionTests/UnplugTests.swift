import Events
import ModemSession
import Testing
import Time

/// One unplug is one line of the log, however long it lasts and however it is looked for.
@Suite struct UnplugTests {
  private func told(_ line: HandPlayed) -> [String] {
    line.events.compactMap {
      guard case .log(let event) = $0, event.level >= .warning else { return nil }
      return event.name
    }
  }

  @Test func oneLineAndAReminderEachHour() throws {
    var line = HandPlayed()
    line.start()
    #expect(told(line).isEmpty)
    line.tell(.closed(reason: "/dev/modem: the device went away"))
    line.opening = .openFailed(reason: "/dev/modem: no such port", .absent)
    line.run(for: .seconds(3_500), answering: HandPlayed.healthy)
    #expect(told(line) == ["modem_port_closed"])
    line.run(for: .seconds(3_600), answering: HandPlayed.healthy)
    #expect(told(line) == ["modem_port_closed", "modem_still_away"])
    line.run(for: .seconds(3_600), answering: HandPlayed.healthy)
    #expect(told(line) == ["modem_port_closed", "modem_still_away", "modem_still_away"])
    let events = line.events.compactMap { if case .log(let event) = $0 { event } else { nil } }
    let event = try #require(events.last)
    #expect(event.words.hasPrefix("not open for 2 h 0 min: /dev/modem: no such port"))
    #expect(event["reason"] == .text("/dev/modem: no such port"))
    guard case .integer(let seconds)? = event["away_seconds"] else {
      Issue.record("\(event.fields)")
      return
    }
    #expect((7_200..<7_300).contains(seconds))
  }

  @Test func theNextUnplugIsToldAgain() {
    var line = HandPlayed()
    line.start()
    for _ in 1...2 {
      line.opening = .openFailed(reason: "/dev/modem: no such port", .absent)
      line.tell(.closed(reason: "/dev/modem: the device went away"))
      line.run(for: .seconds(60), answering: HandPlayed.healthy)
      line.opening = .opened(path: "/dev/modem")
      line.start()
      #expect(line.session.status.state == .ready)
    }
    #expect(told(line) == ["modem_port_closed", "modem_port_closed"])
  }

  @Test func anotherReasonIsNews() {
    var line = HandPlayed()
    line.opening = .openFailed(reason: "/dev/modem: no such port", .absent)
    line.run(for: .seconds(60), answering: HandPlayed.healthy)
    #expect(told(line) == ["modem_port_closed"])
    line.opening = .openFailed(reason: "/dev/modem: permission denied", .refused)
    line.run(for: .seconds(3_000), answering: HandPlayed.healthy)
    #expect(told(line) == ["modem_port_closed", "modem_port_closed"])
  }
}
