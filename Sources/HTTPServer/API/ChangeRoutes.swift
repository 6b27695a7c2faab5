import Accounts
import Hummingbird
import NIOCore
import NIOPosix
import RestAPI
import ServiceLifecycle
import Synchronization
import Time

/// What changes, as server-sent events (WHATWG HTML, 9.2): each row as the reader may see it then, resumable behind
/// the last one by `Last-Event-ID`.
extension APIRoutes {
  static let eventStream = "text/event-stream"

  func changes(_ request: Request, _ context: CallContext) async -> Response {
    let principal: RestPrincipal
    switch await entry(of: request, context) {
    case .admitted(let admitted): principal = admitted
    case .refused(let refusal): return APIRoutes.refusal(refusal)
    case .tooMany(let response): return response
    }
    do throws(RestError) {
      guard !principal.isAnonymous else {
        throw RestError("42501", "nobody signed in who could be told changes")
      }
      let tables = try APIRoutes.tables(of: request)
      let mark = try APIRoutes.mark(of: request)
      guard let seat = streams.take(for: principal.owner) else {
        var response = respond(RestAnswer(.tooManyStreams, isAnonymous: false), to: context)
        response.headers[.retryAfter] = "30"
        return response
      }
      // Before it begins, it is known that there is something to read.
      let begin = try await notes(after: mark, for: principal)
      var headers: HTTPFields = [.contentType: APIRoutes.eventStream, .cacheControl: "no-store"]
      // A proxy that gathers what it hands on would keep it all.
      if let name = HTTPFields.Element.Name("x-accel-buffering") { headers[name] = "no" }
      let teller = RestTeller(to: principal, of: tables, rowsRemembered: Limits.streamRows)
      return Response(
        status: .ok, headers: headers,
        body: ResponseBody { [self] writer in
          try await tell(begin, teller, principal, seat, writer, request: request.head, context)
          try await writer.finish(nil)
        })
    } catch {
      return respond(RestAnswer(error, isAnonymous: principal.isAnonymous), to: context)
    }
  }

  /// Tells changes until the reader is gone, may not read any more, or has read for long enough.
  private func tell(
    _ begin: RestNotes, _ teller: RestTeller, _ principal: RestPrincipal,
    _ seat: StreamSeats.Seat, _ writer: any ResponseBodyWriter, request: HTTPRequest,
    _ context: CallContext
  ) async throws {
    defer { withExtendedLifetime(seat) {} }
    var writer = writer
    var teller = teller
    var notes = begin
    let start = clocks.boot()
    var (looked, heard) = (start, start)
    // How soon to come back, and the place where it begins, as something that says nothing else.
    try await writer.write(ByteBuffer(string: "retry: 3000\nid: \(begin.end)\n\n"))
    while true {
      let now = clocks.boot()
      if !notes.notes.isEmpty || notes.isBroken {
        guard let told = await events(of: notes, teller, for: principal) else { return }
        teller = told.teller
        var text = told.events.map(\.text).joined()
        // Also where nothing is told of it: a reader who comes back begins behind it.
        text += "id: \(notes.end)\n\n"
        try await APIRoutes.write(text, &writer)
        heard = now
      } else if now - heard >= .seconds(Limits.streamHereSeconds) {
        try await writer.write(ByteBuffer(string: ": here\n\n"))
        heard = now
      }
      guard now - start < .seconds(Limits.streamSeconds), !Task.isCancelled,
        !Task.isShuttingDownGracefully
      else { return }
      if now - looked >= .seconds(Limits.streamEntrySeconds) {
        guard await mayStill(principal, request) else { return }
        looked = now
      }
      if notes.notes.count < Limits.streamChanges {
        try await APIRoutes.pause(.seconds(Limits.streamLookSeconds))
      }
      do throws(RestError) {
        notes = try await self.notes(after: notes.end, for: principal)
      } catch {
        return
      }
    }
  }

  private struct Told: Sendable {
    var teller: RestTeller
    var events: [RestTeller.Event]
  }

  private func events(
    of notes: RestNotes, _ teller: RestTeller, for principal: RestPrincipal
  ) async -> Told? {
    let told = await reads.answer(for: principal.owner) { [api] () -> Told? in
      var teller = teller
      func opened(_ store: some RestStore) -> Told? {
        guard let events = try? teller.events(of: notes, from: store) else { return nil }
        return Told(teller: teller, events: events)
      }
      return opened(api.store)
    }
    return told ?? nil
  }

  private func notes(
    after mark: RestMark?, for principal: RestPrincipal
  ) async throws(RestError) -> RestNotes {
    let answer = await reads.answer(for: principal.owner) {
      [api] () -> Result<RestNotes, RestError> in
      do throws(RestError) {
        return .success(try api.store.notes(after: mark, limit: Limits.streamChanges))
      } catch {
        return .failure(error)
      }
    }
    guard let answer else { throw .noConnection }
    return try answer.get()
  }

  /// Whether the reader is who they were, and may read what they might.
  private func mayStill(_ principal: RestPrincipal, _ request: HTTPRequest) async -> Bool {
    let fields = request.headerFields
    let key = HTTPFields.Element.Name("apikey").flatMap { fields[$0] }
    guard
      let found = try? await api.authenticator.principal(
        of: Credentials(key: key, authorization: fields[.authorization], address: nil)),
      let asking = try? await asking(found)
    else { return false }
    return asking == principal
  }

  /// Lets some time pass.
  private static func pause(_ time: TimeAmount) async throws {
    try await MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: time) {}.futureResult
      .get()
  }

  /// Hands a text on in parts, as fast as it is read at the other end.
  private static func write(_ text: String, _ writer: inout any ResponseBodyWriter) async throws {
    var rest = ByteBuffer(string: text)
    while let part = rest.readSlice(length: min(rest.readableBytes, Limits.countedAnswerBytes)),
      part.readableBytes > 0
    {
      try await writer.write(part)
    }
  }

  private static func tables(of request: Request) throws(RestError) -> Set<String> {
    guard let wanted = request.uri.queryParameters["tables"] else { return Set(RestChanges.tables) }
    let names = wanted.split(separator: ",").map(String.init)
    for name in names where !RestChanges.tables.contains(name) {
      throw RestError(
        "PGRST205", "Could not find the table among those whose changes are told",
        hint: "There are \(RestChanges.tables.joined(separator: ", ")).", status: 404)
    }
    guard !names.isEmpty else { throw RestError("PGRST100", "tables names none") }
    return Set(names)
  }

  private static func mark(of request: Request) throws(RestError) -> RestMark? {
    guard let text = field(request, "last-event-id"), !text.isEmpty else { return nil }
    guard let mark = RestMark(text) else {
      throw RestError("PGRST100", "Last-Event-ID is none of an event here")
    }
    return mark
  }
}

extension RestError {
  fileprivate static let tooManyStreams = RestError(
    "53300", "too many read changes at the same time", status: 429)
}

extension RestTeller.Event {
  /// It as it stands in the stream. JSON has no line ends.
  fileprivate var text: String {
    let id = mark.map { "id: \($0)\n" } ?? ""
    return "\(id)event: \(name)\ndata: \(data)\n\n"
  }
}

/// Who reads changes: so many at the same time, and of each reader so many.
final class StreamSeats: Sendable {
  private struct State {
    var all = 0
    var byOwner: [String: Int] = [:]
  }

  private let state = Mutex(State())

  /// A place, until nobody holds it any more; nil where there is none.
  func take(for owner: String) -> Seat? {
    let isTaken = state.withLock { state in
      let own = state.byOwner[owner] ?? 0
      guard state.all < Limits.streams, own < Limits.streamsOfOne else { return false }
      state.all += 1
      state.byOwner[owner] = own + 1
      return true
    }
    return isTaken ? Seat(self, owner) : nil
  }

  fileprivate func give(_ owner: String) {
    state.withLock { state in
      state.all -= 1
      let own = (state.byOwner[owner] ?? 0) - 1
      state.byOwner[owner] = own > 0 ? own : nil
    }
  }

  /// A place of one reader.
  final class Seat: Sendable {
    private let seats: StreamSeats
    private let owner: String

    fileprivate init(_ seats: StreamSeats, _ owner: String) {
      self.seats = seats
      self.owner = owner
    }

    deinit { seats.give(owner) }
  }
}
