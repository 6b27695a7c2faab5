import CentralCore
import Passages
import RestAPI
import TestSupport
import Testing
import Time

@testable import HTTPServer

/// What clients of Supabase's storage ask beside handing a photograph in and showing it.
@Suite struct PhotographTests {
  private static let name = "00000000-0000-4001-8000-000000000001.jpg"
  private static let other = "00000000-0000-4002-8000-000000000002.jpg"
  private static let bucket = "/storage/v1/object/passage-photos"
  private static let jpeg = [("Content-Type", "image/jpeg")]

  private func withPhotographs(_ body: (RouterClient, APIBench) async throws -> Void) async throws {
    let api = try APIBench()
    try await api.bench.route { client in
      for (number, name) in [(1, Self.name), (2, Self.other)] {
        var passage = APIBench.passage(number, "BA1PA\(number)")
        passage = passage.replacing("\"source\"", with: "\"photo_path\":\"\(name)\",\"source\"")
        let put = try await client.ask("POST", "/rest/v1/vehicle_passages", Array(passage.utf8))
        #expect(put.status == 201, "\(put.body)")
        let kept = try await client.ask("POST", "\(Self.bucket)/\(name)", APIBench.jpeg, Self.jpeg)
        #expect(kept.status == 200)
      }
      try await body(client, api)
    }
  }

  private func names(_ answer: Answer) -> [String] {
    guard case .list(let list)? = RestJSON(Array(answer.body.utf8)) else { return [] }
    return list.compactMap { $0.object?["name"]?.text }
  }

  @Test func photographsAreListed() async throws {
    try await withPhotographs { client, _ in
      func list(_ body: String, as who: String = "service") async throws -> Answer {
        try await client.ask(
          "POST", "/storage/v1/object/list/passage-photos", Array(body.utf8), as: who)
      }
      for who in ["service", "east", "west"] {
        #expect(try await names(list("{\"prefix\":\"\"}", as: who)) == [Self.name, Self.other])
        #expect(
          try await names(
            list("{\"limit\":1,\"sortBy\":{\"column\":\"name\",\"order\":\"desc\"}}", as: who))
            == [Self.other])
        #expect(try await names(list("{\"limit\":5,\"offset\":1}", as: who)) == [Self.other])
        #expect(
          try await names(list("{\"prefix\":\"00000000-0000-4002\"}", as: who)) == [Self.other])
        #expect(try await names(list("{\"search\":\"4001\"}", as: who)) == [Self.name])
        #expect(try await names(list("{\"prefix\":\"%' OR 1\"}", as: who)) == [])
      }
      #expect(try await names(list("{}", as: "anon")) == [])
      let first = try await list("{\"limit\":1}")
      #expect(first.body.contains("\"size\":\(APIBench.jpeg.count)"), "\(first.body)")
      for wrong in [
        "", "[]", "{\"limit\":0}", "{\"limit\":1001}", "{\"sortBy\":{\"column\":\"x\"}}",
      ] {
        #expect(try await list(wrong).body.contains("\"400\""), "\(wrong)")
      }
      let page = try await client.ask(
        "POST", "/storage/v1/object/list-v2/passage-photos", Array("{\"limit\":1}".utf8))
      #expect(page.body.contains("\"hasNext\":true") && page.body.contains(Self.name))
      let next = try await client.ask(
        "POST", "/storage/v1/object/list-v2/passage-photos",
        Array("{\"limit\":1,\"cursor\":\"\(Self.name)\"}".utf8))
      #expect(next.body.contains("\"hasNext\":false") && next.body.contains(Self.other))
    }
  }

  @Test func aPhotographIsDescribed() async throws {
    try await withPhotographs { client, _ in
      for path in ["info/passage-photos", "info/authenticated/passage-photos"] {
        let info = try await client.ask("GET", "/storage/v1/object/\(path)/\(Self.name)")
        let told = RestJSON(Array(info.body.utf8))?.object
        #expect(info.status == 200 && told?["content_type"]?.text == "image/jpeg", "\(info.body)")
        #expect(told?["size"] == .number("\(APIBench.jpeg.count)"))
      }
      let missing = try await client.ask(
        "GET", "/storage/v1/object/info/passage-photos/00000000-0000-4001-8000-000000000009.jpg",
        as: "service")
      #expect(missing.status == 400 && missing.body.contains("\"statusCode\":\"404\""))
      #expect(missing.body.contains("\"error\":\"not_found\""))
      let none = try await client.ask(
        "GET", "/storage/v1/object/info/passage-photos/\(Self.name)", as: "anon")
      #expect(none.body.contains("\"error\":\"not_found\""))
      let bucket = try await client.ask("GET", "/storage/v1/bucket/passage-photos")
      #expect(bucket.status == 200 && bucket.body.contains("\"public\":false"))
      #expect(try await client.ask("GET", "/storage/v1/bucket").body.hasPrefix("[{"))
      for (method, path) in [
        ("POST", "object/move"), ("POST", "object/copy"), ("POST", "bucket"),
        ("GET", "render/image/authenticated/passage-photos/a.jpg"), ("POST", "upload/resumable"),
      ] {
        let absent = try await client.ask(method, "/storage/v1/\(path)", as: "service")
        #expect(absent.body.contains("\"NotImplemented\""), "\(path): \(absent.body)")
      }
    }
  }

  @Test func adminsRemovePhotographs() async throws {
    try await withPhotographs { client, api in
      let body = Array("{\"prefixes\":[\"\(Self.name)\",\"no.jpg\",\"../x\"]}".utf8)
      let foreign = try await client.ask("DELETE", Self.bucket, body)
      #expect(foreign.status == 200 && foreign.body == "[]")
      #expect(SystemFiles.names(api.photos).count == 2)
      let removed = try await client.ask("DELETE", Self.bucket, body, as: "service")
      #expect(names(removed) == [Self.name])
      #expect(try await client.ask("GET", "\(Self.bucket)/\(Self.name)").body.contains("\"404\""))
      let one = try await client.ask("DELETE", "\(Self.bucket)/\(Self.other)", as: "service")
      #expect(one.body == "{\"message\":\"Successfully deleted\"}")
      #expect(SystemFiles.names(api.photos) == [])
      let again = try await client.ask("DELETE", "\(Self.bucket)/\(Self.other)", as: "service")
      #expect(again.body.contains("\"statusCode\":\"404\""))
    }
  }

  @Test func anAddressShowsAPhotographForAWhile() async throws {
    try await withPhotographs { client, api in
      func sign(_ name: String, _ body: String, as who: String = "east") async throws -> Answer {
        try await client.ask(
          "POST", "/storage/v1/object/sign/passage-photos/\(name)", Array(body.utf8), as: who)
      }
      let signed = try await sign(Self.name, "{\"expiresIn\":\"60\"}")
      let path = try #require(
        RestJSON(Array(signed.body.utf8))?.object?["signedURL"]?.text, "\(signed.body)")
      #expect(path.hasPrefix("/object/sign/passage-photos/\(Self.name)?token="))
      // The address alone is enough.
      let shown = try await client.ask("GET", "/storage/v1\(path)", as: nil)
      #expect(shown.status == 200 && shown.headers["content-type"] == "image/jpeg")
      let saved = try await client.ask("GET", "/storage/v1\(path)&download=", as: nil)
      #expect(saved.headers["content-disposition"] == "attachment; filename=\"\(Self.name)\"")
      // It is that of one photograph, is none of uploads, and no access token.
      for wrong in [
        path.replacing(Self.name, with: Self.other), String(path.dropLast()), "\(path)x",
        "/object/sign/passage-photos/\(Self.name)?token=x",
      ] {
        let refused = try await client.ask("GET", "/storage/v1\(wrong)", as: nil)
        #expect(refused.body.contains("InvalidSignature"), "\(refused.body)")
      }
      #expect(
        try await client.ask("GET", "/storage/v1/object/sign/passage-photos/\(Self.name)", as: nil)
          .body.contains("token"))
      let put = try await client.ask(
        "PUT", "/storage/v1" + path.replacing("/object/", with: "/object/upload/"), APIBench.jpeg,
        as: nil, Self.jpeg)
      #expect(put.body.contains("InvalidSignature"))
      api.bench.clocks.pass(.seconds(61))
      let late = try await client.ask("GET", "/storage/v1\(path)", as: nil)
      #expect(late.body.contains("InvalidJWT") && late.body.contains("exp"))

      for (name, body, who) in [
        (Self.name, "{}", "east"), (Self.name, "{\"expiresIn\":0}", "east"),
        (Self.name, "{\"expiresIn\":604801}", "service"),
      ] {
        #expect(try await sign(name, body, as: who).body.contains("\"400\""))
      }
      #expect(try await sign(Self.name, "{\"expiresIn\":9}", as: "anon").body.contains("not_found"))
      let many = try await client.ask(
        "POST", "/storage/v1/object/sign/passage-photos",
        Array("{\"expiresIn\":60,\"paths\":[\"\(Self.name)\",\"no.jpg\"]}".utf8))
      guard case .list(let list)? = RestJSON(Array(many.body.utf8)) else {
        Issue.record("\(many.body)")
        return
      }
      #expect(list.first?.object?["error"] == .null && list.last?.object?["signedURL"] == .null)
    }
  }

  @Test func anAddressTakesAPhotographForAWhile() async throws {
    try await withPhotographs { client, api in
      let name = "00000000-0000-4007-8000-000000000007.jpg"
      func sign(_ name: String, as who: String, upsert: Bool = false) async throws -> Answer {
        try await client.ask(
          "POST", "/storage/v1/object/upload/sign/passage-photos/\(name)", [], as: who,
          upsert ? [("x-upsert", "true")] : [])
      }
      let signed = try await sign(name, as: "east")
      let path = try #require(
        RestJSON(Array(signed.body.utf8))?.object?["url"]?.text, "\(signed.body)")
      let kept = try await client.ask(
        "PUT", "/storage/v1\(path)", APIBench.jpeg, as: nil, Self.jpeg)
      #expect(kept.status == 200 && kept.body.contains("passage-photos/\(name)"), "\(kept.body)")
      let again = try await client.ask(
        "PUT", "/storage/v1\(path)", APIBench.jpeg, as: nil, Self.jpeg)
      #expect(again.body.contains("\"statusCode\":\"409\""))
      // What somebody may not write they get no address for, nor for what is there.
      #expect(try await sign(Self.name, as: "west", upsert: true).body.contains("row-level"))
      #expect(try await sign(name, as: "anon").body.contains("row-level"))
      #expect(try await sign(Self.name, as: "east").body.contains("\"409\""))
      #expect(try await sign("a.html", as: "service").body.contains("InvalidKey"))
      let replacing = try await sign(Self.name, as: "east", upsert: true)
      let second = try #require(RestJSON(Array(replacing.body.utf8))?.object?["url"]?.text)
      let bytes = APIBench.jpeg + [7]
      #expect(
        try await client.ask("PUT", "/storage/v1\(second)", bytes, as: nil, Self.jpeg).status == 200
      )
      #expect(SystemFiles.read("\(api.photos)/\(Self.name)") == bytes)
      api.bench.clocks.pass(.seconds(7_201))
      let late = try await client.ask("PUT", "/storage/v1\(second)", bytes, as: nil, Self.jpeg)
      #expect(late.body.contains("InvalidJWT"))
    }
  }
}
