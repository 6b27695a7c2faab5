import EventLoop
import Glibc
import Testing

struct DescriptorTests {
  // Each in a process of its own, where no other test takes a number that has become free.
  @Test func closesOnlyOnce() async {
    await #expect(processExitsWith: .success) {
      let number = try openNull(at: 701)
      let descriptor = Descriptor(owning: number)
      #expect(descriptor.value == number)
      descriptor.close()
      #expect(descriptor.value == -1)
      #expect(!isOpen(number))
      // The number is somebody else's file now, which a second close must not touch.
      let other = try openNull(at: 701)
      descriptor.close()
      #expect(isOpen(other))
    }
  }

  @Test func closesWhenTheLastOwnerLetsGo() async {
    await #expect(processExitsWith: .success) {
      let number = try openNull(at: 701)
      do {
        let descriptor = Descriptor(owning: number)
        #expect(descriptor.value == number)
      }
      #expect(!isOpen(number))
    }
  }

  @Test func explainsErrorNumbers() {
    #expect(systemMessage(ENOENT) == "No such file or directory")
    #expect(!systemMessage(99_999).isEmpty)
  }
}

/// A new descriptor, at a number of the process that is free.
private func openNull(at number: Int32) throws -> Int32 {
  let null = open("/dev/null", O_RDWR | O_CLOEXEC)
  try #require(null >= 0)
  defer { close(null) }
  let moved = fcntl(null, F_DUPFD_CLOEXEC, number)
  try #require(moved == number)
  return moved
}

private func isOpen(_ number: Int32) -> Bool { fcntl(number, F_GETFD) >= 0 }
