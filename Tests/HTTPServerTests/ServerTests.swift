import HTTPServer
import NodeCore
import ServerHTTP
import Supabase
import Testing

struct ServerTests {
  @Test func itIsAlive() async throws {
    let bench = try Bench()
    try await bench.serve { address in
      let answer = try await send(address + "/healthz")
      #expect(answer.status == 200)
      #expect(answer.body == "{\"status\":\"ok\"}\n")
    }
  }

  @Test(arguments: ["/", "/functions/v1/sms-webhook", "/functions/v1", "/rest/v1/vehicle_passages"])
  func nothingElseIsThere(_ path: String) async throws {
    let bench = try Bench()
    try await bench.serve { address in
      let answer = try await send(address + path)
      #expect([404, 405].contains(answer.status))
    }
  }

  @Test func headersThatAreTooLargeAreRefused() async throws {
    let bench = try Bench()
    try await bench.serve { address in
      let answer = try await send(
        address + "/functions/v1/sms-webhook", [],
        signature: String(repeating: "x", count: 20_000))
      #expect([400, 431].contains(answer.status))
      let alive = try await send(address + "/healthz")
      #expect(alive.status == 200)
    }
  }

  /// Our own centre takes no passages over HTTP, so it is no server to be online with.
  @Test func theCentreItselfIsNoServerForPassages() async throws {
    let bench = try Bench()
    try await bench.serve { address in
      let client = CurlServerClient(ServerEndpoint(url: address, timeout: .seconds(600)))
      let reply = await withCheckedContinuation { continuation in
        client.call(.probe, by: SupabaseAPI()) { continuation.resume(returning: $0) }
      }
      client.end()
      guard case .failure(let failure) = reply.result else {
        Issue.record("\(reply)")
        return
      }
      #expect(failure.words.contains("404"))
      #expect(!failure.isOfServer)
    }
  }
}
