import CLinux
import Glibc

/// A pseudo-terminal: the simulator's end of a cable whose other end looks like a serial port.
public final class PseudoTerminal: Sendable {
  /// The simulator's end.
  public let master: DescriptorLink
  /// The path of the other end, `/dev/pts/N`, which a modem driver opens.
  public let slavePath: String
  /// Keeps the other end open, so that a driver which closes and opens again is no hang-up for us.
  private let keeper: Descriptor

  /// Opens a pair in raw mode: no echo, no line editing, no translation of any byte.
  ///
  /// - Throws: ``LinkError/system`` when the system has no more pseudo-terminals.
  public init() throws(LinkError) {
    var name = [CChar](repeating: 0, count: 128)
    let number = clinux_open_pseudo_terminal(&name, name.count)
    guard number >= 0 else {
      throw .system(path: "/dev/ptmx", operation: "open", errno: errno)
    }
    let master = Descriptor(owning: number)
    slavePath = String(
      decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let slave = open(slavePath, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    guard slave >= 0 else {
      throw .system(path: slavePath, operation: "open", errno: errno)
    }
    keeper = Descriptor(owning: slave)
    var attributes = termios()
    if tcgetattr(slave, &attributes) == 0 {
      cfmakeraw(&attributes)
      tcsetattr(slave, TCSANOW, &attributes)
    }
    self.master = DescriptorLink(path: slavePath, descriptor: master)
  }

  /// Pulls the plug: whoever has the other end open sees a hang-up at once.
  public func close() {
    keeper.close()
    master.close()
  }
}
