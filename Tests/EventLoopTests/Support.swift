import EventLoop
import Glibc
import TestSupport
import Testing
import Time

/// Waits until `descriptor` is ready and returns for what; empty when ten seconds were not enough,
/// which is only ever seen when something is broken.
func readiness(_ descriptor: Int32, writable: Bool = false) -> Readiness {
  let clocks = SystemClocks()
  return PollLoop.wait(
    [Interest(descriptor: descriptor, writable: writable)],
    until: clocks.boot() + .seconds(10), clocks: clocks)[0]
}

/// What `descriptor` is ready for now.
func readinessNow(_ descriptor: Int32) -> Readiness {
  PollLoop.wait(
    [Interest(descriptor: descriptor)], until: .zero, clocks: TestClocks(boot: .zero))[0]
}

/// Reads `count` bytes from a link, waiting for them.
func read(_ count: Int, from link: any ByteLink) -> [UInt8] {
  var buffer: [UInt8] = []
  while buffer.count < count {
    guard readiness(link.descriptor).contains(.readable),
      case .bytes = link.read(into: &buffer, limit: count - buffer.count)
    else { return buffer }
  }
  return buffer
}

/// Writes all of `bytes`, waiting for room.
func write(_ bytes: [UInt8], to link: any ByteLink) throws {
  var rest = bytes[...]
  while !rest.isEmpty {
    rest = rest.dropFirst(try link.write(rest))
    if !rest.isEmpty {
      try #require(readiness(link.descriptor, writable: true).contains(.writable))
    }
  }
}

/// Opens the other end of a pseudo-terminal as a driver does.
func openLink(_ path: String) throws -> DescriptorLink {
  let number = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
  try #require(number >= 0)
  return DescriptorLink(path: path, descriptor: Descriptor(owning: number))
}
