import Accounts
import NodeCore
import ServerHTTP
import Supabase
import Testing

@testable import HTTPServer

/// A node of this program signs in here as it does at any server of that kind.
@Suite("A node signs in at the central")
struct NodeSignInTests {
  private struct Line {
    let client: CurlServerClient
    let api: SupabaseAPI

    init(_ url: String, user: String = "sita", password: String = "east-gate-1", key: String?) {
      client = CurlServerClient(
        ServerEndpoint(url: url, apiKey: key, timeout: .seconds(600)))
      api = SupabaseAPI(
        login: SupabaseAPI.Login(user: user, domain: "bnp.local", password: Token(password)))
    }

    func call(_ call: ServerCall) async -> ServerReply {
      await withCheckedContinuation { continuation in
        client.call(call, by: api) { continuation.resume(returning: $0) }
      }
    }

    func session(_ call: ServerCall) async throws -> GrantedSession {
      guard case .session(let session) = try await self.call(call).result.get() else {
        throw Unexpected()
      }
      return session
    }

    struct Unexpected: Error {}
  }

  @Test("and renews what it got, with a key and without", arguments: [true, false])
  func signsIn(hasKey: Bool) async throws {
    let bench = try AuthBench()
    let key = hasKey ? try bench.addKey(.anonymous).text : nil
    try await bench.serve { url in
      let line = Line(url, key: key)
      defer { line.client.end() }
      let first = try await line.session(.signIn(.password))
      #expect(first.userID == AuthBench.sita.text)
      #expect(first.accessToken.subject == AuthBench.sita.text)
      #expect(first.lasts == .seconds(1_800))
      let second = try await line.session(.signIn(.refresh(first.refreshToken)))
      // It crashed before the answer was on its disk.
      let again = try await line.session(.signIn(.refresh(first.refreshToken)))
      #expect(again.refreshToken == second.refreshToken)
      let third = try await line.session(.signIn(.refresh(second.refreshToken)))
      // It was restored from a backup: the session is over, and the password begins another.
      let replay = await line.call(.signIn(.refresh(first.refreshToken)))
      #expect(replay.kind == .credential)
      #expect((await line.call(.signIn(.refresh(third.refreshToken)))).kind == .credential)
      #expect(try await line.session(.signIn(.password)).userID == AuthBench.sita.text)
    }
  }

  @Test("and is told what is wrong with what it shows")
  func refused() async throws {
    let bench = try AuthBench()
    try await bench.serve { url in
      for line in [
        Line(url, password: "wrong-gate-1", key: nil), Line(url, user: "nobody", key: nil),
        Line(url, key: "wrong"),
      ] {
        defer { line.client.end() }
        #expect((await line.call(.signIn(.password))).kind == .credential)
      }
    }
  }

  @Test("and comes back later when it is told to")
  func slowed() async throws {
    let bench = try AuthBench()
    try await bench.serve { url in
      let wrong = Line(url, password: "wrong-gate-1", key: nil)
      defer { wrong.client.end() }
      for _ in 0..<5 { #expect((await wrong.call(.signIn(.password))).kind == .credential) }
      let line = Line(url, key: nil)
      defer { line.client.end() }
      guard case .failure(let failure) = (await line.call(.signIn(.password))).result else {
        Issue.record("it was let in")
        return
      }
      #expect(failure.kind == .trouble(.busy))
      #expect(failure.retryAfter == .seconds(3))
    }
  }
}

extension ServerReply {
  /// What went wrong; nil when nothing did.
  fileprivate var kind: ServerFailure.Kind? {
    if case .failure(let failure) = result { failure.kind } else { nil }
  }
}
