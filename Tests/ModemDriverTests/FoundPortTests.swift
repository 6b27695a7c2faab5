import EventLoop
import Glibc
import ModemDiscovery
import ModemDriver
import ModemModel
import ModemSession
import ModemSimulator
import SerialPorts
import TestSupport
import Testing
import Time

/// A driver whose port is looked for; pseudo-terminals stand for the ports of a device.
@Suite(.timeLimit(.minutes(15))) struct FoundPortTests {
  /// The node behind a link, or behind the one that the simulator makes after a rename.
  private func node(behind link: String) -> String? {
    guard let resolved = realpath(link, nil) ?? realpath(link + "-renamed", nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  @Test func aSilentPortIsGivenUpAndTheModemFoundAgainUnderAnotherName() async throws {
    let directory = try TemporaryDirectory()
    let link = directory.path + "/modem"
    var settings = SimulatorSettings(modems: [ModemSettings(number: "+9779801000001")])
    settings.links = [link]
    let bench = try Bench(settings)
    // What is at the port that should take commands says nothing at all.
    let silent = try PseudoTerminal()
    let id = try #require(USBID("2c7c:0125"))
    let silentPath = silent.slavePath
    let finder = PortFinder(.automatic, baud: 115_200) {
      let modem = node(behind: link).map { [USBPort(path: $0, socket: "1-1", interface: 3)] } ?? []
      return PortInventory(
        devices: [USBDevice(socket: "1-1", id: id)],
        ports: [USBPort(path: silentPath, socket: "1-1", interface: 2)] + modem)
    }
    var configuration = ModemConfiguration(port: finder.selector.words)
    configuration.reopenFirst = .milliseconds(20)
    configuration.reopenMost = .milliseconds(20)
    configuration.timeouts.command = .seconds(1)
    let driver = try TestDriver(configuration, finder: finder)
    _ = await driver.reach(.ready)
    let first = try #require(node(behind: link))
    #expect(finder.current?.path == first)
    bench.simulator.post(.unplug(modem: 0, duration: nil, renames: true))
    _ = await driver.next { event -> Void? in
      if case .status(let status) = event, case .failed = status.state { () } else { nil }
    }
    bench.simulator.post(.plug(modem: 0))
    #expect(await driver.reach(.ready) != nil)
    let second = try #require(node(behind: link))
    #expect(finder.current?.path == second)
    await driver.end()
    await bench.end()
  }
}
