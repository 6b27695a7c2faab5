import NodeCore
import Passages
import SeededRandom
import Supabase
import Testing
import Time

/// What is made of answers that are none, or not good ones.
@Suite struct FailureTests {
  typealias Kind = ServerFailure.Kind

  private static let identity =
    #"duplicate key value violates unique constraint "vehicle_passages_client_id_key""#

  /// What rows are refused with, by status and code.
  @Test(arguments: [
    (401, "PGRST301", "JWSError", Kind.credential), (401, "PGRST302", "m", .credential),
    (401, "PGRST303", "JWT expired", .credential), (401, "42501", "permission denied", .credential),
    (402, "x", "restricted", .trouble(.restricted)),
    (403, "42501", #"new row violates row-level security policy for table "t""#, .denied),
    (404, "PGRST205", "m", .trouble(.staleSchema)), (400, "PGRST204", "m", .trouble(.staleSchema)),
    (300, "PGRST201", "m", .trouble(.staleSchema)), (404, "PGRST202", "m", .trouble(.staleSchema)),
    (400, "42703", "m", .trouble(.staleSchema)),
    (404, "42P01", "m", .trouble(.staleSchema)), (400, "PGRST002", "m", .trouble(.failing)),
    (404, "PGRST003", "m", .trouble(.failing)),
    (405, "25006", "cannot execute INSERT in a read-only transaction", .trouble(.readOnly)),
    (405, "PGRST117", "m", .rejected), (406, "PGRST116", "m", .rejected),
    (409, "23505", identity, .duplicate),
    (
      409, "23505", #"duplicate key value violates unique constraint "vehicle_passages_pkey""#,
      .rejected
    ),
    (409, "23505", "vehicle_passages_client_id_key", .rejected),
    (
      409, "23503", #"violates foreign key constraint "vehicle_passages_ranger_id_fkey""#,
      .reference
    ),
    (409, "23P01", identity, .rejected), (400, "23514", "m", .rejected),
    (400, "23502", "m", .rejected), (400, "22P02", "m", .rejected), (400, "22007", "m", .rejected),
    (400, "P0001", "m", .rejected), (400, "PGRST102", "m", .rejected),
    (422, "22001", "m", .rejected),
    (413, "x", "too large", .rejected), (416, "PGRST103", "m", .rejected),
    (429, "over_request_rate_limit", "m", .trouble(.busy)),
    (500, "40001", "m", .trouble(.failing)), (500, "57014", "m", .trouble(.failing)),
    (503, "53300", "m", .trouble(.failing)), (503, "PGRST001", "m", .trouble(.failing)),
    (504, "PGRST003", "m", .trouble(.failing)), (540, "x", "paused", .trouble(.failing)),
    (544, "x", "m", .trouble(.failing)), (408, "x", "m", .trouble(.failing)),
  ])
  func aRefusalHasItsClass(_ status: Int, _ code: String, _ message: String, _ kind: Kind) throws {
    let failure = try #require(
      Samples.failure(
        of: .push(Samples.pushes()), status, Samples.error(code, message)))
    #expect(failure.kind == kind)
    #expect(failure.status == status)
    #expect(failure.code == code)
    #expect(failure.words.contains("\(status)"))
    #expect(failure.isOfServer)
  }

  /// The gateway's own refusals have no code.
  @Test(arguments: [
    (401, #"{"message":"No API key found in request","request_id":"x"}"#, Kind.credential),
    (401, #"{"message":"Invalid API key","hint":"Double check your API key."}"#, .credential),
    (402, #"{"message":"Service for this project is restricted"}"#, .trouble(.restricted)),
    (429, #"{"message":"Too many requests"}"#, .trouble(.busy)),
    (503, #"{"message":"name resolution failed"}"#, .trouble(.failing)),
    (400, #"{"message":"no Route matched with those values"}"#, .trouble(.failing)),
    (404, #"{"message":"no Route matched with those values"}"#, .outage(.captivePortal)),
    (404, #"{"error":"not found"}"#, .outage(.captivePortal)),
  ])
  func theGatewayHasItsOwnForm(_ status: Int, _ body: String, _ kind: Kind) {
    #expect(Samples.failure(of: .probe, status, body)?.kind == kind)
  }

  /// Of a batch it says nothing about the others: taken for success it would lose them.
  @Test func aDuplicateInABatchIsNoSuccess() throws {
    let failure = Samples.failure(
      of: .push(try Samples.pushes(2)), 409, Samples.error("23505", Self.identity))
    #expect(failure?.kind == .rejected)
    #expect(failure?.code == "23505")
  }

  /// Whatever does not speak as our server does is an outage, whatever its status, for every call.
  @Test func whatIsNotOurServerIsAnOutage() throws {
    let page = "<html>Sign in</html>"
    for call in try Samples.allCalls() {
      for status in [200, 201, 301, 302, 307, 400, 401, 402, 403, 404, 405, 409, 422, 451, 511] {
        #expect(
          Samples.failure(of: call, status, page, type: "text/html")?.kind
            == .outage(.captivePortal), "\(status)")
      }
      for status in [408, 425, 429, 500, 502, 503, 504, 521, 524, 599] {
        #expect(
          Samples.failure(of: call, status, page, type: "text/html")?.kind == .outage(.noAnswer),
          "\(status)")
      }
      // It redirects and shows a sign-in whatever it calls its content.
      for status in [302, 511] {
        #expect(
          Samples.failure(of: call, status, Samples.error("42501"))?.kind
            == .outage(.captivePortal))
      }
      for body in ["{}", "true", "[[]]", #"{"a":1}"#, "[1]"] {
        #expect(
          Samples.failure(of: call, 200, body)?.kind == .outage(.captivePortal), "\(body) \(call)")
      }
      // A photograph of which nothing is said is looked for, and is no outage yet.
      for status in call == .upload(Samples.photo) ? [401, 403] : [200, 202, 203, 401, 403] {
        #expect(
          Samples.failure(of: call, status, "", type: nil)?.kind == .outage(.captivePortal))
      }
      // Rows in a page are no rows.
      #expect(
        Samples.failure(of: call, 200, "[]", type: "text/html")?.kind == .outage(.captivePortal))
    }
  }

  @Test func whatIsCutOffIsNoAnswer() throws {
    for call in try Samples.allCalls() {
      for (status, body) in [(200, "["), (201, #"[{"id":"#), (200, ""), (500, "{")] {
        if call == .upload(Samples.photo), body.isEmpty { continue }
        #expect(Samples.failure(of: call, status, body)?.kind == .outage(.noAnswer), "\(body)")
      }
    }
  }

  @Test func rowsOfAnotherFormAreNotOurs() throws {
    for call in [
      ServerCall.push(try Samples.pushes()), .readBack([try Samples.passage().clientID]),
    ] {
      #expect(
        Samples.failure(of: call, 200, #"[{"id":"x"}]"#)?.kind == .outage(.captivePortal))
    }
  }

  @Test func tooLargeIsForGood() {
    #expect(
      Samples.failure(of: .upload(Samples.photo), 413, "<html>", type: "text/html")?.kind
        == .rejected)
  }

  /// The storage says 400 to everything, and means what stands in the body.
  @Test(arguments: [
    (
      400,
      #"{"statusCode":"403","error":"Unauthorized","message":"new row violates row-level security policy"}"#,
      Kind.denied
    ),
    (400, #"{"statusCode":"403","error":"Unauthorized","message":"jwt expired"}"#, .credential),
    (
      400,
      #"{"statusCode":"403","error":"Unauthorized","message":"\"exp\" claim timestamp check failed"}"#,
      .credential
    ),
    (
      400,
      #"{"statusCode":"403","error":"Unauthorized","message":"signature verification failed"}"#,
      .credential
    ),
    (
      400, #"{"statusCode":"409","error":"Duplicate","message":"The resource already exists"}"#,
      .trouble(.busy)
    ),
    (
      400,
      #"{"statusCode":"413","error":"Payload too large","message":"The object exceeded the maximum allowed size"}"#,
      .rejected
    ),
    (
      400,
      #"{"statusCode":"415","error":"invalid_mime_type","message":"mime type image/png is not supported"}"#,
      .rejected
    ),
    (
      400, #"{"statusCode":"404","error":"Bucket not found","message":"Bucket not found"}"#, .absent
    ),
    (
      400,
      #"{"statusCode":"544","error":"DatabaseTimeout","message":"The connection to the database timed out"}"#,
      .trouble(.failing)
    ),
    (
      429, #"{"statusCode":"429","code":"SlowDown","error":"SlowDown","message":"Too many"}"#,
      .trouble(.busy)
    ),
    (
      500, #"{"statusCode":"500","error":"Internal","message":"Internal Server Error"}"#,
      .trouble(.failing)
    ),
    (401, #"{"message":"Invalid API key"}"#, .credential),
  ])
  func theStorageMeansWhatItsBodySays(_ status: Int, _ body: String, _ kind: Kind) {
    let failure = Samples.failure(of: .upload(Samples.photo), status, body)
    #expect(failure?.kind == kind)
  }

  @Test(arguments: [
    (
      400, #"{"code":400,"error_code":"refresh_token_already_used","msg":"Invalid Refresh Token"}"#,
      Kind.credential, "refresh_token_already_used"
    ),
    (
      400, #"{"code":"refresh_token_not_found","message":"Invalid Refresh Token"}"#, .credential,
      "refresh_token_not_found"
    ),
    (
      400, #"{"error":"invalid_grant","error_description":"Invalid Refresh Token"}"#, .credential,
      "invalid_grant"
    ),
    (
      400, #"{"code":400,"error_code":"invalid_credentials","msg":"Invalid login credentials"}"#,
      .credential, "invalid_credentials"
    ),
    (
      403, #"{"code":403,"error_code":"user_banned","msg":"User is banned"}"#, .credential,
      "user_banned"
    ),
    (
      409,
      #"{"code":409,"error_code":"conflict","msg":"Too many concurrent token refresh requests"}"#,
      .trouble(.busy), "conflict"
    ),
    (
      429,
      #"{"code":429,"error_code":"over_request_rate_limit","msg":"Request rate limit reached"}"#,
      .trouble(.busy), "over_request_rate_limit"
    ),
    (
      500, #"{"code":500,"error_code":"unexpected_failure","msg":"Internal Server Error"}"#,
      .trouble(.failing), "unexpected_failure"
    ),
  ])
  func aTokenIsRefusedInItsOwnForm(
    _ status: Int, _ body: String, _ kind: Kind, _ code: String
  ) {
    for grant in [ServerCall.Grant.password, .refresh(Token("r"))] {
      let failure = Samples.failure(of: .signIn(grant), status, body)
      #expect(failure?.kind == kind)
      #expect(failure?.code == code)
    }
  }

  @Test(arguments: [
    (400, Kind.rejected), (409, .duplicate), (404, .absent), (401, .credential),
    (405, .rejected), (500, .trouble(.failing)), (403, .denied),
  ])
  func aPairIsRefusedByStatus(_ status: Int, _ kind: Kind) {
    #expect(
      Samples.failure(
        of: .match(entry: "a", exit: "b"), status,
        #"{"error":"Passage already matched","passage_id":"a"}"#)?.kind == kind)
  }

  @Test func aTokenOfTheFutureIsAClock() {
    let failure = Samples.failure(
      of: .probe, 401, Samples.error("PGRST303", "JWT issued at future"))
    #expect(failure?.kind == .credential)
    #expect(failure?.words.contains("clock") == true)
  }

  /// The server's message repeats what was sent; the words for people must not.
  @Test func wordsHoldNothingThatWasSent() throws {
    let secret = "BA1PA1234"
    for status in [200, 302, 400, 401, 402, 403, 404, 405, 409, 413, 422, 429, 500, 503, 511] {
      for code in ["22P02", "23505", "23503", "42501", "25006", "\(secret) x", secret + "\n"] {
        for message in [
          "invalid input: \"\(secret)\"", "constraint \"\(secret) \"", "Key (x)=(\(secret))",
        ] {
          for call in try Samples.allCalls() {
            let failure = try #require(
              Samples.failure(of: call, status, Samples.error(code, message)))
            #expect(!failure.words.contains(secret), "\(failure)")
            #expect(failure.code?.contains(secret) != true)
          }
        }
      }
    }
  }

  @Test(arguments: [
    ("7", 7), ("0", 1), ("1000000000", 3_600), ("99999999999999999999999", 3_600), ("-5", nil),
    ("soon", nil), ("", nil), ("Wed, 28 Feb 2024 12:31:26 GMT", 30),
    ("Wed, 28 Feb 2024 12:00:00 GMT", 1), ("Wed, 28 Feb 2035 12:00:00 GMT", 3_600), ("1.5", nil),
  ])
  func theServerSaysWhenToComeAgain(_ text: String, _ seconds: Int?) {
    let headers = ["retry-after": text, "date": "Wed, 28 Feb 2024 12:30:56 GMT"]
    for status in [429, 503] {
      #expect(
        Samples.failure(of: .probe, status, Samples.error("x"), headers: headers)?.retryAfter
          == seconds.map { .seconds($0) })
    }
    // A page of the network stops nobody for an hour.
    #expect(
      Samples.failure(of: .probe, 503, "<html>", type: "text/html", headers: headers)?.retryAfter
        == nil)
  }

  @Test func aDateToComeAgainNeedsTheServersClock() {
    #expect(
      Samples.failure(
        of: .probe, 429, Samples.error("x"),
        headers: ["retry-after": "Wed, 28 Feb 2024 12:31:26 GMT"])?.retryAfter == nil)
  }

  @Test func everyWayToGetNoAnswerHasItsReason() {
    let errors: [(ServerClientError, ServerFailure.Outage)] = [
      (.unaskable(reason: "a"), .cannotAsk), (.timedOut(.name), .noName),
      (.timedOut(.connection), .noAnswer), (.timedOut(.encryption), .noAnswer),
      (.timedOut(.answer), .noAnswer), (.unknownName, .noName), (.refused, .refused),
      (.noRoute(reason: "b"), .noRoute), (.noConnection(reason: "c"), .noAnswer),
      (.untrusted(reason: "d"), .untrusted), (.cutOff, .noAnswer), (.tooLong, .captivePortal),
      (.notHTTP, .captivePortal), (.unavailable(reason: "e"), .cannotAsk), (.ended, .cannotAsk),
    ]
    var words: Set<String> = []
    for (error, outage) in errors {
      let reply = Samples.api.reply(to: .probe, .failure(error))
      guard case .failure(let failure) = reply.result else {
        Issue.record("\(error)")
        continue
      }
      #expect(failure.kind == .outage(outage))
      #expect(failure.status == nil)
      #expect(!failure.isOfServer)
      words.insert(failure.words)
    }
    #expect(words.count == errors.count)
  }

  /// Nothing is wrong with the line when a file is gone.
  @Test func aPhotographThatCannotBeReadIsGivenUp() {
    let reply = Samples.api.reply(
      to: .upload(Samples.photo), .failure(.unreadable(reason: "it is gone")))
    #expect(reply.result == .failure(ServerFailure(.rejected, words: "it is gone")))
  }

  /// Whatever comes, something is made of it, and never a success of what is none.
  @Test func noBytesAreTooStrange() throws {
    var random = SplitMix64(seed: 20_261_123)
    let bodies = [
      Samples.error("23505", Self.identity), "[{\"id\":\"x\"}]", "{\"message\":\"m\"}",
      #"{"statusCode":"403","message":"jwt"}"#,
    ]
    let calls = try Samples.allCalls()
    for round in 0..<4_000 {
      var body = Array(bodies[round % bodies.count].utf8)
      for _ in 0..<(round % 4) {
        let place = Int(random.next() % UInt64(body.count))
        body[place] = UInt8(truncatingIfNeeded: random.next())
      }
      let status = [400, 401, 409, 500, 200, 404][Int(random.next() % 6)]
      let call = calls[Int(random.next() % UInt64(calls.count))]
      let reply = Samples.api.reply(
        to: call,
        .success(ServerAnswer(status: status, contentType: "application/json", body: body)))
      if status >= 300, case .success = reply.result { Issue.record("\(status) \(call)") }
    }
  }
}
