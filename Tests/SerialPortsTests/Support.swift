import EventLoop
import Glibc
import SerialPorts
import Testing
import Time

/// Reads `count` bytes, waiting for them; fewer when ten seconds were not enough, which is only ever
/// seen when something is broken.
func read(_ count: Int, from link: any ByteLink) -> [UInt8] {
  let clocks = SystemClocks()
  var buffer: [UInt8] = []
  while buffer.count < count {
    let found = PollLoop.wait(
      [Interest(descriptor: link.descriptor)], until: clocks.boot() + .seconds(10), clocks: clocks)
    guard found[0].contains(.readable),
      case .bytes = link.read(into: &buffer, limit: count - buffer.count)
    else { return buffer }
  }
  return buffer
}

/// Why a port cannot be opened; nil when it can.
func refusal(_ path: String) -> LinkError? {
  do throws(LinkError) {
    try SerialPorts.open(path, baud: 115_200).close()
    return nil
  } catch {
    return error
  }
}

/// The number of an ordinary user, `nobody` where there is one.
let ordinaryUser: uid_t = 65_534
