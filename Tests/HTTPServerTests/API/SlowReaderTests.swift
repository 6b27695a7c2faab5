import Hummingbird
import NIOCore
import RestAPI
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// Readers of changes who do not read for long, and a central that is restarted: nothing is passed over, nothing is told
/// twice, and nothing piles up meanwhile. No clock has a say in it.
@Suite(.timeLimit(.minutes(10))) struct SlowReaderTests {
  /// An event as a reader has it.
  private struct Event: Hashable {
    var mark: RestMark
    var name: String
    var data: String
  }

  /// A reader who stops reading at the first event until they are let go on, and goes away at a word.
  private struct Reader: ResponseBodyWriter {
    struct Gone: Error {}

    final class Place: Sendable {
      private struct State {
        var text = ""
        var longest = 0
        var isHeld: Bool
      }

      private let state: Mutex<State>
      let stopped = AsyncStream.makeStream(of: Void.self)
      let goOn = AsyncStream.makeStream(of: Void.self)
      let end: String

      init(stops: Bool, until end: String) {
        state = Mutex(State(isHeld: stops))
        self.end = end
      }

      var text: String { state.withLock { $0.text } }
      var longest: Int { state.withLock { $0.longest } }

      /// Takes a part; whether the reader stops there.
      func take(_ part: ByteBuffer) -> Bool {
        state.withLock { state in
          state.text += String(buffer: part)
          state.longest = max(state.longest, part.readableBytes)
          guard state.isHeld, state.text.contains("event: ") else { return false }
          state.isHeld = false
          return true
        }
      }
    }

    let place: Place

    func write(_ buffer: ByteBuffer) async throws {
      if place.take(buffer) {
        place.stopped.continuation.finish()
        for await _ in place.goOn.stream {}
      }
      if place.text.contains(place.end) { throw Gone() }
    }
    consuming func finish(_ trailingHeaders: HTTPFields?) {}
  }

  private func read(
    _ bench: PeopleBench, _ token: String, after mark: RestMark?, _ place: Reader.Place
  ) async throws {
    var fields: HTTPFields = [.authorization: "Bearer \(token)"]
    if let mark, let name = HTTPFields.Element.Name("Last-Event-ID") { fields[name] = "\(mark)" }
    let response = try await bench.client.respond(
      to: Request(
        head: HTTPRequest(
          method: .get, scheme: "http", authority: "test",
          path: "/events/v1?tables=vehicle_passages", headerFields: fields),
        body: RequestBody(buffer: ByteBuffer())))
    #expect(response.status == .ok)
    await #expect(throws: Reader.Gone.self) { try await response.body.write(Reader(place: place)) }
  }

  /// Where a reader begins, once all ended that was under way when they came.
  private func begin(_ bench: PeopleBench, _ token: String) async throws -> RestMark {
    while true {
      let place = Reader.Place(stops: false, until: "\n\n")
      try await read(bench, token, after: nil, place)
      let id = place.text.firstMatch(of: /id: (\d+-\d+)/)?.1
      if let mark = id.flatMap({ RestMark($0) }), mark != .start { return mark }
    }
  }

  private func put(
    _ numbers: ClosedRange<Int>, _ bench: PeopleBench, _ token: String
  ) async throws {
    let rows = numbers.map { PeopleBench.passage($0, "BA1PA\(1_000 + $0)", at: $0) }
    let answer = try await bench.ask(
      "POST", "/rest/v1/vehicle_passages", "[\(rows.joined(separator: ","))]", as: token)
    #expect(answer.status == 201, "\(answer.body)")
  }

  private func events(_ text: String) -> [Event] {
    text.matches(of: /id: (\d+-\d+)\nevent: ([a-z_]+)\ndata: (.*)\n/).compactMap { match in
      RestMark(match.1).map { Event(mark: $0, name: String(match.2), data: String(match.3)) }
    }
  }

  /// The numbers of the passages that events tell.
  private func numbers(_ events: [Event]) -> [Int] {
    events.compactMap { event in
      RestJSON(Array(event.data.utf8))?.object?["plate_number"]?.text
        .flatMap { Int($0.dropFirst(5)) }.map { $0 - 1_000 }
    }
  }

  @Test(arguments: PeopleBench.Place.all) func whoDoesNotReadIsToldAllTheSame(
    _ place: PeopleBench.Place
  ) async throws {
    try await PeopleBench.run(on: try await place.make()) { bench in
      let ranger = try #require(try await bench.token("sita", "east-gate-1"))
      let begin = try await begin(bench, ranger)
      let most = 2 * Limits.streamChanges + 50
      let reader = Reader.Place(stops: true, until: "BA1PA\(1_000 + most)")
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await read(bench, ranger, after: begin, reader) }
        try await put(1...1, bench, ranger)
        for await _ in reader.stopped.stream {}
        let (asked, held) = (bench.rest.asked.withLock { $0.times }, reader.text.utf8.count)
        // Far more than is told at once, while nothing is read.
        for first in stride(from: 2, to: most, by: 90) {
          try await put(first...min(first + 89, most - 1), bench, ranger)
        }
        try await put(most...most, bench, ranger)
        // Nobody asked for what nobody reads.
        #expect(bench.rest.asked.withLock { $0.times } == asked)
        #expect(reader.text.utf8.count == held)
        reader.goOn.continuation.finish()
        try await group.waitForAll()
      }
      let events = events(reader.text)
      // Those of one transaction have no order among themselves.
      #expect(numbers(events).sorted() == Array(1...most))
      #expect(numbers(events).first == 1 && numbers(events).last == most)
      #expect(events.allSatisfy { $0.name == "vehicle_passages" && $0.mark > begin })
      #expect(events.map(\.mark) == events.map(\.mark).sorted())
      // However much there is, it is looked up and handed on in parts.
      #expect(bench.rest.asked.withLock { $0.most } <= Limits.streamChanges)
      #expect(reader.longest <= Limits.countedAnswerBytes)
    }
  }

  @Test(arguments: PeopleBench.Place.all) func aRestartPassesNothingOver(
    _ place: PeopleBench.Place
  ) async throws {
    let rows = try await place.make()
    var known = RestMark.start
    try await PeopleBench.run(on: rows) { bench in
      let ranger = try #require(try await bench.token("sita", "east-gate-1"))
      let begin = try await begin(bench, ranger)
      for number in 1...5 { try await put(number...number, bench, ranger) }
      let reader = Reader.Place(stops: false, until: "BA1PA1005")
      try await read(bench, ranger, after: begin, reader)
      let events = events(reader.text)
      #expect(numbers(events) == Array(1...5))
      // The reader was told five, and came as far as the second.
      known = events[1].mark
      for number in 6...7 { try await put(number...number, bench, ranger) }
    }
    for (first, last) in [(8, 9), (10, 12)] {
      let mark = known
      known = try await {
        var end = mark
        try await PeopleBench.run(on: rows, isNew: false) { bench in
          let ranger = try #require(try await bench.token("sita", "east-gate-1"))
          for number in first...last { try await put(number...number, bench, ranger) }
          let reader = Reader.Place(stops: false, until: "BA1PA\(1_000 + last)")
          try await read(bench, ranger, after: mark, reader)
          let events = events(reader.text)
          #expect(numbers(events) == Array((first == 8 ? 3 : 10)...last))
          end = events.last?.mark ?? end
        }
        return end
      }()
    }
  }
}
