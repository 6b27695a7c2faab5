import EventLoop
import ModemDiscovery
import SerialPorts
import Synchronization
import Testing

/// Opening the port of a modem that is not named by a path; a pseudo-terminal stands for each port.
@Suite struct FinderTests {
  /// What is plugged in, which a test changes.
  private final class Shelf: Sendable {
    let inventory = Mutex(PortInventory())
    let opened = Mutex<[String]>([])
    let refusing = Mutex<Set<String>>([])

    func plug(_ id: USBID, at socket: String, _ ports: [(UInt8, String)]) {
      inventory.withLock { inventory in
        let device = USBDevice(
          socket: socket, id: id,
          interfaces: ports.map {
            USBInterface(number: $0.0, classCode: 255, subclass: 0, protocolCode: 0)
          })
        inventory = PortInventory(
          devices: inventory.devices + [device],
          ports: inventory.ports
            + ports.map { USBPort(path: $0.1, socket: socket, interface: $0.0) })
      }
    }

    func clear() { inventory.withLock { $0 = PortInventory() } }

    func finder(_ selector: PortSelector) -> PortFinder {
      PortFinder(
        selector, inventory: { self.inventory.withLock { $0 } },
        openPort: { path throws(LinkError) in
          self.opened.withLock { $0.append(path) }
          if self.refusing.withLock({ $0.contains(path) }) {
            throw .busy(path: path, holder: "612 ModemManager")
          }
          return DescriptorLink(path: path, descriptor: Descriptor(owning: -1))
        })
    }
  }

  private let shelf = Shelf()
  private let ec25 = USBID(vendor: 0x2C7C, product: 0x0125)

  @Test func theModemIsFoundUnderAnotherName() throws {
    shelf.plug(ec25, at: "1-1", [(2, "/dev/ttyUSB0"), (3, "/dev/ttyUSB3")])
    let finder = shelf.finder(.automatic)
    #expect(try finder.open().path == "/dev/ttyUSB0")
    finder.accepted(path: "/dev/ttyUSB0")
    shelf.clear()
    #expect(throws: LinkError.self) { try finder.open() }
    shelf.plug(ec25, at: "1-1", [(2, "/dev/ttyUSB1"), (3, "/dev/ttyUSB4")])
    #expect(try finder.open().path == "/dev/ttyUSB1")
    #expect(finder.current?.path == "/dev/ttyUSB1")
  }

  @Test func whatCannotBeOpenedIsPassedOver() throws {
    shelf.plug(ec25, at: "1-1", [(2, "/dev/ttyUSB0"), (3, "/dev/ttyUSB3")])
    shelf.refusing.withLock { $0 = ["/dev/ttyUSB0"] }
    let finder = shelf.finder(.identity(ModemIdentity(id: ec25)))
    #expect(try finder.open().path == "/dev/ttyUSB3")
    #expect(shelf.opened.withLock { $0 } == ["/dev/ttyUSB0", "/dev/ttyUSB3"])
  }

  @Test func theReasonsOfAllAreSaid() throws {
    shelf.plug(ec25, at: "1-1", [(2, "/dev/ttyUSB0"), (3, "/dev/ttyUSB3")])
    shelf.plug(USBID(vendor: 0x12D1, product: 0x14DC), at: "1-2", [])
    shelf.refusing.withLock { $0 = ["/dev/ttyUSB0", "/dev/ttyUSB3"] }
    let finder = shelf.finder(.automatic)
    do {
      _ = try finder.open()
      Issue.record("a port was opened that cannot be")
    } catch {
      #expect(error.code == "port_not_found")
      #expect(error.description.hasPrefix("auto: no port to open: /dev/ttyUSB0: held by"))
      #expect(error.description.contains("/dev/ttyUSB3: held by"))
      #expect(error.description.contains("is a HiLink stick"))
    }
    // Each was tried once, and each is tried again next time.
    #expect(shelf.opened.withLock { $0.count } == 2)
    #expect(throws: LinkError.self) { try finder.open() }
    #expect(shelf.opened.withLock { $0.count } == 4)
  }

  @Test func anotherModemIsPutAside() throws {
    shelf.plug(ec25, at: "1-1", [(2, "/dev/ttyUSB0"), (3, "/dev/ttyUSB1")])
    shelf.plug(ec25, at: "1-2", [(2, "/dev/ttyUSB2"), (3, "/dev/ttyUSB3")])
    let finder = shelf.finder(.identity(ModemIdentity(imei: "356938035643809")))
    #expect(try finder.open().path == "/dev/ttyUSB0")
    finder.reject(path: "/dev/ttyUSB0", reason: "is another modem")
    #expect(try finder.open().path == "/dev/ttyUSB2")
  }

  @Test func aPathIsOpenedAsItIsAndItsErrorIsItsOwn() throws {
    let finder = shelf.finder(.path("/dev/modem"))
    #expect(try finder.open().path == "/dev/modem")
    #expect(try finder.open().path == "/dev/modem")
    shelf.refusing.withLock { $0 = ["/dev/modem"] }
    #expect(throws: LinkError.busy(path: "/dev/modem", holder: "612 ModemManager")) {
      try finder.open()
    }
    #expect(finder.directory == "/dev")
  }

  // MARK: Side by side

  /// Answers `OK` to every command that comes to a pseudo-terminal, until it is told to end: closing a
  /// descriptor wakes nobody who waits for it.
  private func play(_ terminal: PseudoTerminal, until end: Wakeup) throws -> WorkerThread {
    let thread = WorkerThread()
    try thread.start(name: "player") {
      let interests = [
        Interest(descriptor: terminal.master.descriptor), Interest(descriptor: end.descriptor),
      ]
      var line: [UInt8] = []
      while true {
        let ready = PollLoop.wait(interests, until: nil, clocks: SystemClocks())
        guard ready[1].isEmpty else { return }
        switch terminal.master.read(into: &line, limit: 64) {
        case .closed: return
        case .bytes, .wouldBlock: break
        }
        guard let last = line.last, last == 0x0D else { continue }
        line = []
        _ = try? terminal.master.write(Array("\r\nOK\r\n".utf8)[...])
      }
    }
    return thread
  }

  private func finder(_ selector: PortSelector) -> PortFinder {
    PortFinder(
      selector, inventory: { self.shelf.inventory.withLock { $0 } },
      openPort: { path throws(LinkError) in
        self.shelf.opened.withLock { $0.append(path) }
        return try SerialPorts.open(path, baud: 115_200)
      })
  }

  @Test(.timeLimit(.minutes(15))) func aMutePortDoesNotKeepTheModemWaiting() async throws {
    let (mute, talking) = (try PseudoTerminal(), try PseudoTerminal())
    let end = try Wakeup()
    let player = try play(talking, until: end)
    shelf.plug(ec25, at: "1-1", [(2, mute.slavePath), (3, talking.slavePath)])
    let finder = finder(.automatic)
    let link = try finder.open()
    #expect(link.path == talking.slavePath)
    #expect(finder.current?.path == talking.slavePath)
    // The mute one is free again, and its turn is over.
    #expect(refusal(mute.slavePath) == nil)
    link.close()
    end.signal()
    await player.finished()
    talking.close()
  }

  @Test(.timeLimit(.minutes(15))) func nobodyElseIsSpokenToWhileTheFirstAnswers() async throws {
    let (first, second) = (try PseudoTerminal(), try PseudoTerminal())
    let end = try Wakeup()
    let player = try play(first, until: end)
    shelf.plug(ec25, at: "1-1", [(2, first.slavePath), (3, second.slavePath)])
    let link = try finder(.automatic).open()
    #expect(link.path == first.slavePath)
    #expect(shelf.opened.withLock { $0 } == [first.slavePath])
    link.close()
    end.signal()
    await player.finished()
    first.close()
  }

  @Test(.timeLimit(.minutes(15))) func theFirstIsTakenWhenNoneAnswers() throws {
    let (first, second) = (try PseudoTerminal(), try PseudoTerminal())
    shelf.plug(ec25, at: "1-1", [(2, first.slavePath), (3, second.slavePath)])
    let finder = finder(.automatic)
    let link = try finder.open()
    #expect(link.path == first.slavePath)
    #expect(refusal(second.slavePath) == nil)
    link.close()
    // It had its turn, and the other one's has come.
    let next = try finder.open()
    #expect(next.path == second.slavePath)
    next.close()
  }
}
