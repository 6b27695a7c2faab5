import GSM
import Glibc

/// The floor of sending a text: the same exchange with the same modem in a bare loop, with a page
/// written and flushed before it and another after it. Nothing is decided, parsed or kept.
final class BareExchange {
  private let descriptor: Int32
  private let page: BarePage
  private let command: [UInt8]
  private let body: [UInt8]
  private var received: [UInt8] = []

  init(port: String, page: BarePage, text: String) throws {
    var options = SubmitOptions()
    options.requestsStatusReport = false
    let parts = try MessageComposer.submit(
      text: text, to: try Address(Post.recipient), options: options)
    guard let part = parts.first, parts.count == 1 else { throw Failure("one part is needed") }
    self.page = page
    command = Array("AT+CMGS=\(part.length)\r".utf8)
    body = Array(part.hex.utf8) + [0x1A]
    descriptor = open(port, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(system: port) }
    for line in ["ATE0", "AT+CMGF=0"] { try ask(Array((line + "\r").utf8), until: "OK\r\n") }
  }

  deinit {
    close(descriptor)
  }

  /// Sends the text once.
  func send() throws {
    try page.put()
    try sendOnly()
    try page.put()
  }

  /// Sends the text once, and writes nothing down.
  func sendOnly() throws {
    try ask(command, until: "> ")
    try ask(body, until: "OK\r\n")
  }

  private func ask(_ bytes: [UInt8], until end: StaticString) throws {
    guard write(descriptor, bytes, bytes.count) == bytes.count else {
      throw Failure(system: "write to the modem")
    }
    received.removeAll(keepingCapacity: true)
    while !hasEnd(end) {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, 10_000) == 1 else { throw Failure("the modem does not answer") }
      try readAll()
    }
  }

  private func readAll() throws {
    try withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { space in
      let count = read(descriptor, space.baseAddress, space.count)
      if count > 0 {
        received.append(contentsOf: space[..<count])
      } else if count == 0 || errno != EAGAIN {
        throw Failure("the modem went away")
      }
    }
    let words: StaticString = "ERROR"
    if received.count > words.utf8CodeUnitCount, hasEnd("ERROR\r\n") {
      throw Failure("the modem refused: \(String(decoding: received, as: UTF8.self))")
    }
  }

  private func hasEnd(_ end: StaticString) -> Bool {
    end.withUTF8Buffer { end in
      received.count >= end.count && received.suffix(end.count).elementsEqual(end)
    }
  }
}
