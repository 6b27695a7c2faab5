import CentralService
import Glibc
import TestSupport
import Testing

@testable import HTTPServer

/// What is held in memory for those who send and read slowly is bounded, for each and for all together.
@Suite(.timeLimit(.minutes(10))) struct HeldBytesTests {
  @Test func aShareIsGivenBackWithItsLastHolder() throws {
    let budget = ByteBudget(most: 100, ofOne: 60)
    var one: ByteBudget.Share? = budget.share(of: "a")
    let two = budget.share(of: "a")
    let other = budget.share(of: "b")
    #expect(one?.grow(by: 40) == true)
    #expect(!two.grow(by: 21) && two.grow(by: 20))
    #expect(!other.grow(by: 41) && other.grow(by: 40))
    #expect(budget.held == 100)
    one = nil
    #expect(budget.held == 60)
    #expect(two.grow(by: 40) && !other.grow(by: 1))
    withExtendedLifetime((two, other)) {}
  }

  /// A photograph that stops short of its end.
  private static func beginning(_ number: Int, _ bytes: Int) -> String {
    let digits = String(number)
    let name =
      "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    return "POST /storage/v1/object/passage-photos/\(name).jpg HTTP/1.1\r\nHost: test\r\n"
      + "Authorization: Bearer east\r\nContent-Type: image/jpeg\r\nContent-Length: \(bytes)\r\n\r\n"
  }

  @Test func manyBodiesOfOneKeepNobodyElseOut() async throws {
    let api = try APIBench()
    try await api.bench.serve { address, server in
      let port = try address.port
      let size = 2_000_000
      let whole = Limits.heldBodyBytesOfOne / size + 1
      let client = RouterClient(server)
      try await onThread {
        Result {
          let connections = try (0..<whole).map { _ in try RawConnection(port) }
          for (number, connection) in connections.enumerated() {
            connection.send(Self.beginning(number, size))
          }
          // All but the last byte of each, as fast as they are taken.
          let pieces = [UInt8](repeating: 7, count: size - 1)
          var sent = [Int](repeating: 0, count: connections.count)
          var refused: Int?
          while refused == nil, sent.contains(where: { $0 < pieces.count }) {
            for (index, connection) in connections.enumerated() where sent[index] < pieces.count {
              let end = min(sent[index] + 65_536, pieces.count)
              sent[index] += connection.sendNow(Array(pieces[sent[index]..<end])) ?? pieces.count
            }
            refused = connections.firstIndex { $0.isReadable(within: 0) }
          }
          // All was taken by the system: who is refused is told soon.
          refused = refused ?? RawConnection.firstReadable(of: connections)
          let answer = refused.map { connections[$0].receive(answers: 1) } ?? ""
          #expect(answer.hasPrefix("HTTP/1.1 503 "), "\(answer)")
          #expect(answer.contains("SlowDown"))
        }
      }.get()
      // The others of them are gone by now, and what they held as well, sooner or later.
      var status = 0
      repeat {
        status = try await client.ask(
          "POST", "/storage/v1/object/passage-photos/00000000-0000-4000-8000-000000000099.jpg",
          APIBench.jpeg, [("Content-Type", "image/jpeg")]
        ).status
      } while status == 503
      #expect(status == 200)
    }
  }

  /// That there is no room is nothing that is wrong with the body: the caller comes again.
  @Test func aFunctionWhoseBodyHasNoRoomIsAskedAgain() async throws {
    let api = try APIBench()
    try await api.bench.route { client in
      let path = "/functions/v1/match-passage"
      let body = Array(
        "{\"entry_passage_id\":\"\(APIBench.sita)\",\"exit_passage_id\":\"\(APIBench.east)\"}"
          .utf8)
      let bodies = try #require(client.server.api?.bodies)
      var share: ByteBudget.Share? = bodies.share(of: APIBench.sita)
      #expect(share?.grow(by: Limits.heldBodyBytesOfOne) == true)
      let crowded = try await client.ask("POST", path, body)
      #expect(crowded.status == 503 && crowded.headers["retry-after"] != nil)
      #expect(crowded.body == "{\"error\":\"Try again\"}")
      // Another account has room of its own.
      #expect(try await client.ask("POST", path, body, as: "west").status != 503)
      share = nil
      let later = try await client.ask("POST", path, body)
      #expect(later.status != 503 && later.body.contains("error"), "\(later.body)")
    }
  }

  /// Over a socket of the file system, which takes little for a client that does not read: what the system holds is
  /// none of the server's memory.
  @Test func answersThatAreNotReadAreBounded() async throws {
    let api = try APIBench()
    let socket = api.directory.file("http.sock")
    let path = "/storage/v1/object/passage-photos/large.jpg"
    let large = APIBench.jpeg + [UInt8](repeating: 7, count: 2_000_000)
    let count = Limits.heldAnswerBytesOfOne / large.count + 2
    try api.bench.central.start()
    let server = api.bench.server(at: SocketPlace(path: socket, permissions: 0o600))
    server.start()
    #expect(await server.boundPort() != nil)
    let answers = await onThread {
      Result {
        let put = try RawConnection(path: socket)
        put.send(
          "POST \(path) HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer service\r\n"
            + "Content-Type: image/jpeg\r\nContent-Length: \(large.count)\r\n\r\n")
        Sockets.write(put.descriptor, large)
        #expect(put.receive(answers: 1).hasPrefix("HTTP/1.1 200 "))
        // Nobody reads what they asked for but its beginning.
        let readers = try (0..<count).map { _ in try RawConnection(path: socket) }
        return readers.map { reader in
          reader.send("GET \(path) HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer service\r\n\r\n")
          var start = [UInt8](repeating: 0, count: 12)
          if reader.isReadable() { _ = Glibc.read(reader.descriptor, &start, start.count) }
          return String(decoding: start, as: UTF8.self)
        }
      }
    }
    server.stop()
    try await onThread { Result { try server.join() } }.get()
    api.bench.central.stop()
    await api.bench.central.finished()
    let told = try answers.get()
    #expect(told.first == "HTTP/1.1 200")
    #expect(told.last == "HTTP/1.1 503", "\(told)")
  }
}
