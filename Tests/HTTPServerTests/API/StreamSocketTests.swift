import CentralCore
import CentralService
import Glibc
import NIOCore
import RestAPI
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// Readers of changes over real sockets: who does not read, whose central stops, who sends nothing more. Nobody else
/// notices, nothing is passed over, and nothing is told twice.
@Suite(.timeLimit(.minutes(10))) struct StreamSocketTests {
  /// An event as a reader has it.
  private struct Event: Hashable {
    var mark: RestMark
    var number: Int
  }

  /// A reader of passages over a socket of its own.
  private struct Reader: Sendable {
    let connection: RawConnection

    /// Asks for changes.
    ///
    /// - Parameter bytes: How many bytes the system is asked to keep of what is not read.
    init(_ port: UInt16, _ token: String, after mark: RestMark? = nil, taking bytes: Int32? = nil)
      throws
    {
      connection = try RawConnection(port, taking: bytes)
      let resumed = mark.map { "Last-Event-ID: \($0)\r\n" } ?? ""
      connection.send(
        "GET /events/v1?tables=vehicle_passages HTTP/1.1\r\nHost: test\r\n"
          + "Authorization: Bearer \(token)\r\n\(resumed)\r\n")
    }

    /// What comes up to the end of the line with some words, or until the other side ends it.
    func text(until end: String) -> String {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let words = Array(end.utf8)
      while connection.isReadable() {
        let got = read(connection.descriptor, &buffer, buffer.count)
        guard got > 0 else { break }
        let seen = max(0, bytes.count - words.count)
        bytes += buffer[..<got]
        if !words.isEmpty, bytes[seen...].contains(words) { break }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private func events(_ text: String) -> [Event] {
    text.matches(of: /id: (\d+-\d+)\nevent: vehicle_passages\ndata: (.*)\n\n/).compactMap { match in
      let row = RestJSON(Array(match.2.utf8))?.object
      let number = row?["plate_number"]?.text.flatMap { Int($0.dropFirst(5)) }
      return RestMark(match.1).flatMap { mark in
        number.map { Event(mark: mark, number: $0 - 1_000) }
      }
    }
  }

  private func put(
    _ numbers: ClosedRange<Int>, _ bench: PeopleBench, _ token: String
  ) async throws {
    // The last by itself: those of one transaction have no order among themselves.
    for first in stride(from: numbers.lowerBound, through: numbers.upperBound, by: 90) {
      let last = min(first + 89, numbers.upperBound)
      if last == numbers.upperBound, first < last {
        try await put(first...(last - 1), bench, token)
        try await put(last...last, bench, token)
        return
      }
      let some = first...last
      // Each of a size with which not all that is told at once has room on the way.
      let read = String(repeating: "x", count: 180)
      let rows = some.map {
        PeopleBench.passage($0, "BA1PA\(1_000 + $0)", at: $0)
          .replacing("\"vehicle_type\"", with: "\"plate_number_raw\":\"\(read)\",\"vehicle_type\"")
      }
      let answer = try await bench.ask(
        "POST", "/rest/v1/vehicle_passages", "[\(rows.joined(separator: ","))]", as: token)
      #expect(answer.status == 201, "\(answer.body)")
    }
  }

  /// Where a reader begins; nobody changes anything meanwhile.
  private func begin(_ port: UInt16, _ token: String) async throws -> RestMark {
    while true {
      let text = try await onThread {
        Result { try Reader(port, token).text(until: "\n\n") }
      }.get()
      let id = text.firstMatch(of: /id: (\d+-\d+)\n/)?.1
      if let mark = id.flatMap({ RestMark($0) }), mark != .start { return mark }
    }
  }

  /// The body of an answer in chunks, as far as it came.
  private func whole(_ text: String) -> String {
    guard let head = text.firstRange(of: "\r\n\r\n") else { return "" }
    var whole: [UInt8] = []
    var rest = Array(text[head.upperBound...].utf8)[...]
    while let line = rest.firstIndex(of: UInt8(ascii: "\n")),
      let length = Int(String(decoding: rest[..<line].dropLast(), as: UTF8.self), radix: 16)
    {
      let chunk = rest[(line + 1)...]
      whole += chunk.prefix(length)
      rest = chunk.dropFirst(length + 2)
    }
    return String(decoding: whole, as: UTF8.self)
  }

  @Test(arguments: PeopleBench.Place.all) func whoDoesNotReadHoldsUpNobody(
    _ place: PeopleBench.Place
  ) async throws {
    try await PeopleBench.run(on: try await place.make()) { bench in
      try await bench.serve { port in
        let ranger = try #require(try await bench.token("sita", "east-gate-1"))
        let begin = try await begin(port, ranger)
        let most = 2 * Limits.streamChanges + 50
        try await put(1...most, bench, ranger)
        bench.rest.handed.withLock { $0 = [:] }
        // They read that something comes, and nothing more.
        let slow = try await onThread {
          Result {
            let slow = try Reader(port, ranger, after: begin, taking: 4_096)
            #expect(
              String(decoding: slow.connection.receive(bytes: 13), as: UTF8.self) == "HTTP/1.1 200 "
            )
            return slow
          }
        }.get()
        let all = try await onThread {
          Result {
            try Reader(port, ranger, after: begin).text(until: "BA1PA\(1_000 + most)\"")
          }
        }.get()
        #expect(events(whole(all)).map(\.number).sorted() == Array(1...most))
        // Texts go on.
        let text = InboundMessage(
          provider: "twilio", providerID: "SM1", from: "+9779801234567", text: "nonsense",
          receivedAt: PeopleBench.wall)
        guard case .success(.kept) = await bench.central.submit(text) else {
          Issue.record("the text was not kept")
          return
        }
        // What the other reader was told at last, nobody looked up for this one: there is no room on the way for what
        // lies before.
        let handed = bench.rest.handed.withLock { $0 }
        #expect(handed[begin] == 2)
        #expect(handed.values.min() == 1, "\(handed)")
        // Once they read, they are told everything, each once.
        try await put((most + 1)...(most + 1), bench, ranger)
        let late = await onThread { slow.text(until: "BA1PA\(1_001 + most)\"") }
        #expect(events(whole(late)).map(\.number).sorted() == Array(1...(most + 1)))
      }
    }
  }

  /// One that does not read is let go after a while; its place is free again, and it goes on where it was.
  @Test(arguments: PeopleBench.Place.all) func whoDoesNotReadIsLetGo(
    _ place: PeopleBench.Place
  ) async throws {
    var bounds = Bench.patient
    bounds.answer = .seconds(2)
    try await PeopleBench.run(on: try await place.make(), bounds: bounds) { bench in
      try await bench.serve { port in
        let ranger = try #require(try await bench.token("sita", "east-gate-1"))
        let begin = try await begin(port, ranger)
        let most = Limits.streamChanges + 50
        try await put(1...most, bench, ranger)
        // All the places that one reader has; the one who asked where to begin may have the last.
        let areGone = try await onThread {
          Result {
            let readers = try (1..<Limits.streamsOfOne).map { _ in
              try Reader(port, ranger, after: begin, taking: 4_096)
            }
            return readers.allSatisfy { $0.connection.isGone(isReading: false) }
          }
        }.get()
        #expect(areGone)
        var mark = begin
        var told: [Event] = []
        while told.last?.number != most {
          let from = mark
          let text = try await onThread {
            Result { try Reader(port, ranger, after: from).text(until: "") }
          }.get()
          // The last of a place may just have been given back.
          guard text.hasPrefix("HTTP/1.1 200 ") else { continue }
          told += events(whole(text))
          mark = told.last?.mark ?? mark
        }
        #expect(told.map(\.number).sorted() == Array(1...most))
      }
    }
  }

  @Test(arguments: PeopleBench.Place.all) func aStreamEndsWithItsCentralAndGoesOnAtTheNext(
    _ place: PeopleBench.Place
  ) async throws {
    let rows = try await place.make()
    let first: (read: String, token: String) = try await {
      var read = ""
      var token = ""
      try await PeopleBench.run(on: rows) { bench in
        let ranger = try #require(try await bench.token("sita", "east-gate-1"))
        token = ranger
        let texts = AsyncStream.makeStream(of: String.self)
        try await bench.serve { port in
          let begin = try await begin(port, ranger)
          let reader = try await onThread {
            Result { try Reader(port, ranger, after: begin) }
          }.get()
          try await put(1...5, bench, ranger)
          let told = await onThread { reader.text(until: "BA1PA1005\"") }
          // What is told while it stops may still come, and is told again to nobody.
          try await put(6...7, bench, ranger)
          Task { [told] in
            let rest = await onThread { reader.text(until: "") }
            texts.continuation.yield(told + rest)
            texts.continuation.finish()
          }
        }
        // The server has ended, with a stream open that nothing else would have ended.
        for await text in texts.stream { read += text }
      }
      return (read, token)
    }()
    #expect(first.read.hasSuffix("\r\n0\r\n\r\n"), "it ended as an answer ends")
    let before = events(whole(first.read))
    // Those of one transaction have no order among themselves.
    #expect(before.prefix(5).map(\.number).sorted() == Array(1...5))
    let mark = try #require(before.last?.mark)
    try await PeopleBench.run(on: rows, isNew: false) { bench in
      try await bench.serve { port in
        try await put(8...9, bench, first.token)
        let text = try await onThread {
          Result {
            try Reader(port, first.token, after: mark).text(until: "BA1PA1009\"")
          }
        }.get()
        #expect((before + events(whole(text))).map(\.number).sorted() == Array(1...9))
      }
    }
  }

  /// A reader, or a proxy before it, that has said all it has to say closes its side: it reads on. One that is gone
  /// altogether gives its place back.
  @Test(arguments: PeopleBench.Place.all) func whoSendsNothingMoreReadsOn(
    _ place: PeopleBench.Place
  ) async throws {
    try await PeopleBench.run(on: try await place.make()) { bench in
      try await bench.serve { port in
        let ranger = try #require(try await bench.token("sita", "east-gate-1"))
        // Somebody else asks where to begin, whose place is none of these.
        let admin = try #require(try await bench.token("hari", "west-gate-2"))
        let begin = try await begin(port, admin)
        var readers = try await onThread {
          Result {
            try (0..<Limits.streamsOfOne).map { _ in
              let reader = try Reader(port, ranger, after: begin)
              #expect(reader.text(until: "\n\n").hasPrefix("HTTP/1.1 200 "))
              reader.connection.finish()
              return reader
            }
          }
        }.get()
        for number in 1...3 {
          try await put(number...number, bench, ranger)
          for reader in readers {
            let text = await onThread { reader.text(until: "BA1PA\(1_000 + number)\"") }
            #expect(text.contains("BA1PA\(1_000 + number)\""))
          }
        }
        func status() async throws -> String {
          try await onThread {
            Result {
              String(
                decoding: try Reader(port, ranger).connection.receive(bytes: 12), as: UTF8.self)
            }
          }.get()
        }
        #expect(try await status() == "HTTP/1.1 429")
        // All of them go away. That is noticed by the next that they are told.
        readers = []
        var number = 3
        var last = ""
        repeat {
          number += 1
          try await put(number...number, bench, ranger)
          last = try await status()
        } while last == "HTTP/1.1 429"
        #expect(last == "HTTP/1.1 200")
      }
    }
  }
}
