import Glibc
import TestSupport
import Testing

@testable import HTTPServer

@Suite struct StorageRouteTests {
  private static let name = "00000000-0000-4001-8000-000000000001.jpg"
  private static let path = "/storage/v1/object/passage-photos/\(name)"
  private static let jpeg = [("Content-Type", "image/jpeg")]
  private static let upsert = [("Content-Type", "image/jpeg"), ("x-upsert", "true")]

  private func withPassage(_ body: (RouterClient, APIBench) async throws -> Void) async throws {
    let api = try APIBench()
    try await api.bench.route { client in
      let put = try await client.ask(
        "POST", "/rest/v1/vehicle_passages", Array(APIBench.passage(1).utf8))
      #expect(put.status == 201)
      try await body(client, api)
    }
  }

  @Test func aPhotographIsKeptOnceOrReplaced() async throws {
    try await withPassage { client, api in
      let kept = try await client.ask("POST", Self.path, APIBench.jpeg, Self.upsert)
      #expect(kept.status == 200 && kept.body.contains("\"Key\":\"passage-photos/\(Self.name)\""))
      #expect(SystemFiles.read("\(api.photos)/\(Self.name)") == APIBench.jpeg)
      let duplicate = try await client.ask("POST", Self.path, APIBench.jpeg, Self.jpeg)
      #expect(duplicate.status == 400 && duplicate.body.contains("\"statusCode\":\"409\""))
      let other = APIBench.jpeg + [1]
      #expect(try await client.ask("POST", Self.path, other, Self.upsert).status == 200)
      #expect(SystemFiles.read("\(api.photos)/\(Self.name)") == other)
      #expect(try await client.ask("PUT", Self.path, APIBench.jpeg, Self.jpeg).status == 200)
      #expect(SystemFiles.names(api.photos) == [Self.name])

      let read = try await client.ask("GET", Self.path)
      #expect(read.status == 200 && read.headers["content-type"] == "image/jpeg")
      let head = try await client.ask("HEAD", Self.path)
      #expect(head.headers["etag"] == read.headers["etag"] && head.body.isEmpty)
      #expect(head.headers["content-length"] == "\(APIBench.jpeg.count)")
      let marked = try await client.ask(
        "GET", "/storage/v1/object/authenticated/passage-photos/\(Self.name)")
      #expect(marked.status == 200)
    }
  }

  @Test func whoMayNot() async throws {
    try await withPassage { client, api in
      for who in ["anon", "west"] {
        let refused = try await client.ask("POST", Self.path, APIBench.jpeg, as: who, Self.upsert)
        #expect(refused.status == 400 && refused.body.contains("row-level security"), "\(who)")
      }
      let old = try await client.ask("POST", Self.path, APIBench.jpeg, as: "expired", Self.jpeg)
      #expect(old.status == 400 && old.body.contains("\\\"exp\\\" claim"))
      #expect(SystemFiles.names(api.photos) == [])
      #expect(try await client.ask("POST", Self.path, APIBench.jpeg, Self.jpeg).status == 200)
      #expect(try await client.ask("GET", Self.path, as: "west").status == 200)
      #expect(try await client.ask("GET", Self.path, as: "anon").body.contains("\"404\""))
      #expect(try await client.ask("DELETE", Self.path, as: "west").body.contains("\"403\""))
    }
  }

  @Test func oneOfAPassageToComeIsTakenOnce() async throws {
    try await withPassage { client, _ in
      let path = "/storage/v1/object/passage-photos/00000000-0000-4009-8000-000000000009.jpg"
      #expect(try await client.ask("POST", path, APIBench.jpeg, Self.upsert).status == 200)
      let again = try await client.ask("POST", path, APIBench.jpeg, Self.upsert)
      #expect(again.body.contains("\"statusCode\":\"409\""))
    }
  }

  /// The passage has the name of the one that came first; the photograph has that of the one that came then.
  @Test func oneUnderAnotherIdentityIsOfThePassageToo() async throws {
    try await withPassage { client, _ in
      let again = try await client.ask(
        "POST", "/rest/v1/vehicle_passages", Array(APIBench.passage(2).utf8))
      #expect(again.status == 201)
      let path = "/storage/v1/object/passage-photos/00000000-0000-4002-8000-000000000002.jpg"
      for _ in 0..<2 {
        let kept = try await client.ask("POST", path, APIBench.jpeg, Self.upsert)
        #expect(kept.status == 200)
      }
      for method in ["GET", "HEAD"] {
        #expect(try await client.ask(method, path).status == 200)
        #expect(try await client.ask(method, path, as: "west").status == 200)
      }
      let foreign = try await client.ask("POST", path, APIBench.jpeg, as: "west", Self.upsert)
      #expect(foreign.body.contains("row-level security"))
    }
  }

  @Test(arguments: [
    ("passage-photos/..%2F..%2Fetc%2Fpasswd", "InvalidKey"), ("passage-photos/../x.jpg", "Key"),
    ("passage-photos/a/b.jpg", "InvalidKey"), ("passage-photos/.hidden.jpg", "InvalidKey"),
    ("passage-photos/%00.jpg", "InvalidKey"), ("passage-photos/a%20b.jpg", "InvalidKey"),
    ("secrets/a.jpg", "NoSuchBucket"),
    ("public/secrets/a.jpg", "NoSuchBucket"),
  ])
  func namesThatAreNone(path: String, code: String) async throws {
    try await withPassage { client, api in
      let refused = try await client.ask(
        "POST", "/storage/v1/object/\(path)", APIBench.jpeg, as: "service", Self.upsert)
      #expect(refused.status == 400 && refused.body.contains(code), "\(refused.body)")
      #expect(SystemFiles.names(api.photos) == [])
    }
  }

  /// A name that a browser takes for something else than a photograph, wherever the folder is shown.
  @Test(arguments: ["html", "svg", "js", "xhtml", "jpg.html", "html.jpg", "php.png", "jpg."])
  func namesThatBrowsersExecuteAreRefused(ending: String) async throws {
    try await withPassage { client, api in
      let path =
        "/storage/v1/object/passage-photos/00000000-0000-4001-8000-000000000001.\(ending)"
      for who in ["east", "service"] {
        let refused = try await client.ask("POST", path, APIBench.jpeg, as: who, Self.upsert)
        #expect(refused.status == 400 && refused.body.contains("InvalidKey"), "\(refused.body)")
      }
      #expect(SystemFiles.names(api.photos) == [])
    }
  }

  private static func path(_ number: Int) -> String {
    let digits = String(number)
    let name =
      "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    return "/storage/v1/object/passage-photos/\(name).jpg"
  }

  /// A passage of the eastern post under the identity of such a photograph.
  private static func passage(_ number: Int) -> [UInt8] {
    let digits = String(number)
    let name =
      "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    return Array(
      APIBench.passage(1, "BA1PA\(1_000 + number)").replacing(
        "00000000-0000-4001-8000-000000000001", with: name
      ).utf8)
  }

  @Test func whoHandsInPhotographsOfNoPassageHasABound() async throws {
    let api = try APIBench()
    try await api.bench.route { client in
      for number in 1...Limits.waitingPhotographs {
        let kept = try await client.ask("POST", Self.path(number), APIBench.jpeg, Self.jpeg)
        #expect(kept.status == 200)
      }
      func more(_ who: String) async throws -> Int {
        try await client.ask("POST", Self.path(500), APIBench.jpeg, as: who, Self.jpeg).status
      }
      #expect(try await more("east") == 429)
      let lying = SystemFiles.names(api.photos).filter { !$0.hasPrefix(".") }
      #expect(lying.count == Limits.waitingPhotographs)
      // Passages come, and it is looked once a minute.
      let put = try await client.ask("POST", "/rest/v1/vehicle_passages", Self.passage(7))
      #expect(put.status == 201, "\(put.body)")
      #expect(try await more("east") == 429)
      api.bench.clocks.pass(.seconds(61))
      #expect(try await more("east") == 200)
      // Nobody else is bounded by that, nor are photographs of passages.
      let west = try await client.ask("POST", Self.path(600), APIBench.jpeg, as: "west", Self.jpeg)
      #expect(west.status == 200)
      let own = try await client.ask("POST", Self.path(7), APIBench.jpeg, Self.upsert)
      #expect(own.status == 200)
    }
    // A new start knows them.
    let again = ObjectDirectory(api.photos, reserveBytes: 0)
    #expect(again.waiting(of: APIBench.sita).count == Limits.waitingPhotographs)
  }

  @Test func thePostOfThePassageHasTheLastWord() async throws {
    let api = try APIBench()
    try await api.bench.route { client in
      let strange = APIBench.jpeg + [9]
      let first = try await client.ask("POST", Self.path(7), strange, as: "west", Self.jpeg)
      #expect(first.status == 200)
      let put = try await client.ask("POST", "/rest/v1/vehicle_passages", Self.passage(7))
      #expect(put.status == 201, "\(put.body)")
      // As a node does, which replaces nothing.
      let own = try await client.ask("POST", Self.path(7), APIBench.jpeg, Self.jpeg)
      #expect(own.status == 200, "\(own.body)")
      let read = try await client.ask("GET", Self.path(7))
      #expect(read.headers["content-length"] == "\(APIBench.jpeg.count)")
      let again = try await client.ask("POST", Self.path(7), strange, Self.jpeg)
      #expect(again.body.contains("\"statusCode\":\"409\""))
      let late = try await client.ask("POST", Self.path(7), strange, as: "west", Self.upsert)
      #expect(late.body.contains("row-level security"))
      #expect(SystemFiles.names(api.photos).count == 1)
    }
  }

  /// Somebody who may write in the folder puts something there that is no file.
  @Test(.timeLimit(.minutes(1))) func whatIsNoFileBlocksNobody() async throws {
    try await withPassage { client, api in
      mkdir(api.photos, 0o755)
      let isMade = mkfifo("\(api.photos)/\(Self.name)", 0o644) == 0
      #expect(isMade)
      let isMarked =
        mkfifo("\(api.photos)/.waiting-00000000-0000-4009-8000-000000000009.jpg", 0o644) == 0
      #expect(isMarked)
      let read = try await client.ask("GET", Self.path)
      #expect(read.status == 400 && read.body.contains("\"404\""))
      let other = try await client.ask("POST", Self.path(3), APIBench.jpeg, Self.jpeg)
      #expect(other.status == 200)
      let bucket = "/storage/v1/object"
      let listed = try await client.ask(
        "POST", "\(bucket)/list/passage-photos", Array("{}".utf8), as: "service")
      #expect(listed.status == 200 && !listed.body.contains(Self.name), "\(listed.body)")
      for path in ["info/passage-photos/\(Self.name)", "sign/passage-photos/\(Self.name)"] {
        let shown = try await client.ask(
          path.hasPrefix("info") ? "GET" : "POST", "\(bucket)/\(path)",
          Array((path.hasPrefix("info") ? "" : "{\"expiresIn\":60}").utf8), as: "service")
        #expect(shown.body.contains("\"404\""), "\(path): \(shown.body)")
      }
      // Nor does it keep the next start.
      #expect(ObjectDirectory(api.photos, reserveBytes: 0).waiting(of: APIBench.sita).count == 1)
      let own = try await client.ask("POST", Self.path, APIBench.jpeg, Self.upsert)
      #expect(own.status == 200)
    }
  }

  @Test func contentsThatAreNone() async throws {
    try await withPassage { client, api in
      let text = try await client.ask("POST", Self.path, Array("<html>".utf8), Self.jpeg)
      #expect(text.body.contains("\"statusCode\":\"415\""))
      let markup = try await client.ask(
        "POST", Self.path, APIBench.jpeg, [("Content-Type", "text/html")])
      #expect(markup.body.contains("\"statusCode\":\"415\""))
      let large = APIBench.jpeg + [UInt8](repeating: 0, count: 2 << 20)
      let tooLarge = try await client.ask("POST", Self.path, large, Self.jpeg)
      #expect(tooLarge.status == 400 && tooLarge.body.contains("\"statusCode\":\"413\""))
      #expect(SystemFiles.names(api.photos) == [])
    }
  }

  @Test func aFormWithAFileIsTaken() async throws {
    try await withPassage { client, api in
      var form = Array(
        "--mark\r\nContent-Disposition: form-data; name=\"cacheControl\"\r\n\r\n3600".utf8)
      form += Array(
        "\r\n--mark\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.jpg\"\r\n".utf8)
      form += Array("Content-Type: image/jpeg\r\n\r\n".utf8) + APIBench.jpeg
      form += Array("\r\n--mark--\r\n".utf8)
      let multipart = [("Content-Type", "multipart/form-data; boundary=mark")]
      let kept = try await client.ask("POST", Self.path, form, multipart)
      #expect(kept.status == 200)
      #expect(SystemFiles.read("\(api.photos)/\(Self.name)") == APIBench.jpeg)
      let broken = try await client.ask("PUT", Self.path, Array(form.prefix(120)), multipart)
      #expect(broken.status == 400)
    }
  }
}

/// Files as they lie on disk.
enum SystemFiles {
  static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var content = [UInt8](repeating: 0, count: 4_096)
    let count = fread(&content, 1, content.count, file)
    return Array(content.prefix(count))
  }

  static func names(_ path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
