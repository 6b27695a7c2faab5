import CentralCore
import Testing

@testable import HTTPServer

extension ProviderConformance {
  /// What is signed is the whole of a request: whichever byte of its body is another one, it is refused, and
  /// nothing of it is kept.
  ///
  /// The bit that changes makes no other spelling of the same letters, as one between large and small digits would.
  func everyByteCounts() async throws {
    let bench = try Bench()
    let path = fixture.provider.path
    let (query, headers, body) = fixture.request(HandedIn())
    try await bench.route([fixture.provider]) { client in
      func status(_ body: [UInt8]) async throws -> Int {
        try await client.send(
          query.isEmpty ? path : "\(path)?\(query)", method: "POST",
          headers: fixture.headers + headers, body
        ).status
      }
      for place in body.indices {
        var changed = body
        changed[place] ^= 1
        let answered = try await status(changed)
        #expect([400, 401, 403].contains(answered), "\(answered) with another byte \(place)")
      }
      #expect(try bench.store.overview().received == 0)
      #expect(try bench.store.inbox().isEmpty)
      // It was one byte each time that was in the way.
      #expect(try await status(body) == 200)
      #expect(try bench.store.overview().received == 1)
    }
  }
}
