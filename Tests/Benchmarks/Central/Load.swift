import EventLoop
import Glibc
import Synchronization
import TestSupport

/// Requests over connections that stay, each of which is handed the next request when it has its answer.
enum Load {
  /// What came of it.
  struct Outcome {
    /// Answers a second.
    var rate: Double
    /// How long each request took.
    var times: Samples
  }

  /// Sends all requests, and returns when each has its answer.
  ///
  /// - Throws: When one is not answered with success.
  static func run(_ requests: [[UInt8]], port: UInt16, connections: Int) throws -> Outcome {
    let next = Atomic(0)
    let failure = Mutex<String?>(nil)
    let times = Mutex(Samples())
    let threads = (0..<connections).map { _ in WorkerThread() }
    let begun = Stopwatch.now()
    for thread in threads {
      try thread.start(name: "load") {
        var own: [Double] = []
        do {
          let connection = try Connection(port: port)
          while true {
            let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
            guard index < requests.count, failure.withLock({ $0 == nil }) else { break }
            own.append(try Stopwatch.time { try connection.exchange(requests[index]) })
          }
        } catch {
          failure.withLock { $0 = $0 ?? "\(error)" }
        }
        times.withLock { all in for time in own { all.add(time) } }
      }
    }
    for thread in threads { thread.join() }
    let took = Double(Stopwatch.now() - begun)
    if let words = failure.withLock({ $0 }) { throw Failure(words) }
    return Outcome(rate: Double(requests.count) / took * 1e9, times: times.withLock { $0 })
  }

  /// A connection whose answers are read whole.
  private final class Connection {
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    init(port: UInt16) throws {
      descriptor = Sockets.make()
      guard Sockets.connect(descriptor, port: port) else { throw Failure(system: "connect") }
    }

    deinit {
      close(descriptor)
    }

    func exchange(_ request: [UInt8]) throws {
      var sent = 0
      while sent < request.count {
        let count = request[sent...].withUnsafeBytes {
          Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { throw Failure(system: "send") }
        sent += count
      }
      buffer.removeAll(keepingCapacity: true)
      var length: Int?
      while length.map({ buffer.count < $0 }) ?? true {
        try receive()
        if length == nil { length = wholeLength() }
      }
      guard buffer.starts(with: Array("HTTP/1.1 20".utf8)) else {
        throw Failure("answered \(String(decoding: buffer.prefix(300), as: UTF8.self))")
      }
    }

    private func receive() throws {
      let old = buffer.count
      buffer.append(contentsOf: repeatElement(0, count: 16_384))
      let count = buffer[old...].withUnsafeMutableBytes {
        recv(descriptor, $0.baseAddress, $0.count, 0)
      }
      buffer.removeLast(buffer.count - old - max(0, count))
      guard count > 0 else { throw Failure("the server ended a connection") }
    }

    /// Bytes of the answer with its head; nil while that is not whole.
    private func wholeLength() -> Int? {
      guard let end = buffer.firstIndexOf([13, 10, 13, 10]) else { return nil }
      let head = String(decoding: buffer[..<end], as: UTF8.self).lowercased()
      var body = 0
      for line in head.split(separator: "\r\n") where line.hasPrefix("content-length:") {
        body = Int(line.dropFirst(15).filter(\.isNumber)) ?? 0
      }
      return end + 4 + body
    }
  }
}

extension [UInt8] {
  fileprivate func firstIndexOf(_ pattern: [UInt8]) -> Int? {
    guard count >= pattern.count else { return nil }
    return (0...(count - pattern.count)).first {
      self[$0..<$0 + pattern.count].elementsEqual(pattern)
    }
  }
}
