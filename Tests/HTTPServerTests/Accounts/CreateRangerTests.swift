import Accounts
import JSON
import Passages
import Storage
import Testing

@testable import HTTPServer

@Suite("An admin makes the account of a ranger")
struct CreateRangerTests {
  private let path = "/functions/v1/create-ranger"
  private let gita: [String: JSONValue] = [
    "username": "gita", "password": "north-gate-3", "full_name": "Gita Rai",
    "phone_number": "9841114568",
    "assigned_checkpost_id": .text("ac48f464-17dc-8d4c-8177-a8fc93ff65d7"),
    "assigned_park_id": nil,
  ]

  private func token(_ bench: AuthBench, _ name: String, _ password: String) async throws
    -> [(String, String)]
  {
    [("Authorization", "Bearer \(try await bench.signIn(name, password).accessToken)")]
  }

  @Test("who signs in then, at that post")
  func made() async throws {
    let bench = try AuthBench()
    let admin = try await token(bench, "hari", "west-gate-2")
    let answer = try await bench.ask(path, headers: admin, .object(gita))
    #expect(answer.status == 201)
    #expect(answer.json["user"]?["email"] == "gita@bnp.local")
    #expect(answer.json["user"]?["full_name"] == "Gita Rai")
    #expect(answer.json["user"]?["role"] == "ranger")
    #expect(answer.json["user"]?["password"] == nil)
    let signedIn = try await bench.signIn("gita", "north-gate-3")
    #expect(signedIn.json["user"]?["id"] == answer.json["user"]?["id"])
    #expect(await bench.principal(bearer: signedIn.accessToken) == "ranger BNP-A Banke")
    let entry = try bench.audit().first { $0.kind == .accountAdded }
    #expect(entry?.actor == AuthBench.hari.text)
    #expect(entry?.account?.text == answer.json["user"]?["id"]?.text)
  }

  @Test("and nobody else does")
  func rights() async throws {
    let bench = try AuthBench()
    let sita = try await token(bench, "sita", "east-gate-1")
    let anonymous = try bench.addKey(.anonymous).text
    func status(_ headers: [(String, String)], method: String = "POST") async throws -> Int {
      try await bench.ask(path, method: method, headers: headers, .object(gita)).status
    }
    #expect(try await status([]) == 401)
    #expect(try await status([("apikey", anonymous)]) == 401)
    #expect(try await status([("apikey", "x")]) == 401)
    #expect(try await status(sita) == 403)
    #expect(try await status(sita, method: "GET") == 405)
    #expect(try bench.change { rows throws(StorageError) in try rows.accounts().count } == 2)
    #expect(try await status([("apikey", try bench.addKey(.service).text)]) == 201)
  }

  @Test("by a key, which the log of who did what names")
  func byKey() async throws {
    let bench = try AuthBench()
    let (key, text) = try bench.addKey(.service)
    #expect(try await bench.ask(path, headers: [("apikey", text)], .object(gita)).status == 201)
    let entry = try bench.audit().first { $0.kind == .accountAdded }
    #expect(entry?.actor == "key \(key.prefix)")
  }

  @Test("not more often than a key may ask")
  func often() async throws {
    var rules = DoorRules()
    rules.limits.keyWrites = 2
    let bench = try AuthBench()
    let headers = [("apikey", try bench.addKey(.service).text)]
    let client = bench.client(rules)
    var answers: [AuthAnswer] = []
    for _ in 0..<3 { answers.append(try await bench.ask(path, headers: headers, .null, client)) }
    #expect(answers.map(\.status) == [400, 400, 429])
    #expect(answers.last?.headers["retry-after"] != nil)
  }

  @Test("and what is refused on the way there is counted with the rest")
  func counted() async throws {
    let bench = try AuthBench()
    let client = bench.client()
    _ = try await bench.ask(path, headers: [("apikey", "x")], .object(gita), client)
    for _ in 0..<6 {
      _ = try await bench.ask(
        "/auth/v1/token?grant_type=password",
        headers: [], ["email": "sita", "password": "wrong-gate-9"], client)
    }
    let counts = client.server.refusalCounts
    #expect(counts.map(\.name) == ["access_refused", "sign_in_refused", "sign_in_slowed"])
    #expect(counts.map(\.count) == [1, 5, 1])
  }

  @Test("asked in another way, GoTrue's paths say so")
  func otherMethods() async throws {
    let bench = try AuthBench()
    for (method, route) in [("GET", "token"), ("POST", "user"), ("GET", "logout")] {
      let answer = try await bench.ask("/auth/v1/\(route)", method: method)
      #expect(answer.status == 405 && answer.json["error_code"] == "method_not_allowed")
    }
    let unknown = try await bench.ask("/auth/v1/nothing", method: "GET")
    #expect(unknown.status == 404 && unknown.json["error_code"] == "not_found")
  }

  @Test("but not of one who is there, nor of what is none")
  func refused() async throws {
    let bench = try AuthBench()
    let admin = try await token(bench, "hari", "west-gate-2")
    func status(_ change: (inout [String: JSONValue]) -> Void) async throws -> Int {
      var body = gita
      change(&body)
      let answer = try await bench.ask(path, headers: admin, .object(body))
      #expect(answer.status == 201 || answer.json["error"]?.text?.isEmpty == false)
      return answer.status
    }
    for key in ["username", "password", "full_name"] {
      #expect(try await status { $0[key] = nil } == 400)
      #expect(try await status { $0[key] = 7 } == 400)
      #expect(try await status { $0[key] = "" } == 400)
    }
    #expect(try await status { $0["username"] = "gi ta" } == 400)
    #expect(try await status { $0["username"] = "gita@elsewhere.org" } == 400)
    #expect(try await status { $0["username"] = "गीता" } == 400)
    #expect(try await status { $0["password"] = "1234567" } == 400)
    #expect(try await status { $0["phone_number"] = "nobody" } == 400)
    #expect(try await status { $0["assigned_checkpost_id"] = "BNP-A" } == 400)
    #expect(try await status { $0["assigned_checkpost_id"] = "' OR 1=1 --" } == 400)
    #expect(try await status { $0["username"] = "Sita" } == 409)
    #expect(try await status { $0["phone_number"] = "+9779841114567" } == 409)
    #expect(try bench.change { rows throws(StorageError) in try rows.accounts().count } == 2)
    #expect(try await status { $0["assigned_checkpost_id"] = .null } == 201)
    #expect(try await status { _ in } == 409)
  }
}
