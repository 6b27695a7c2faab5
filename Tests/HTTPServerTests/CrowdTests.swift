import CentralCore
import CentralService
import Events
import Log
import NIOCore
import TestSupport
import Testing
import Time

@testable import HTTPServer

/// Connections that run out: of one address, and altogether; and a central that can keep nothing.
@Suite(.timeLimit(.minutes(15))) struct CrowdTests {
  static let beginning = "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 15000\r\n\r\n"

  /// With bounds in time that never come, so that whatever closes has another reason.
  func patient(_ connections: Int = 8) -> ConnectionBounds {
    var bounds = ConnectionBounds()
    bounds.header = .hours(1)
    bounds.body = .hours(1)
    bounds.answer = .hours(1)
    bounds.idle = .hours(1)
    bounds.linger = .hours(1)
    bounds.givesWayAfter = .milliseconds(100)
    bounds.connections = connections
    return bounds
  }

  func isHealthy(_ port: UInt16, from source: UInt32 = 0x7F00_0001) async -> Bool {
    await onThread {
      guard let connection = try? RawConnection(port, from: source) else { return false }
      connection.send("GET /healthz HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n")
      return connection.receive().hasPrefix("HTTP/1.1 200 ")
    }
  }

  @Test(arguments: [
    "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 15000\r\n", "P", "",
    "GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 15000\r\n\r\nx",
  ])
  func whoWaitsTheLongestGivesWay(_ beginning: String) async throws {
    let bench = try Bench()
    try await bench.serve(bounds: patient()) { address, server in
      let port = try address.port
      #expect(server.alarms.isEmpty)
      let crowd = try await onThread {
        Result { try SlowCrowd(40, to: port, beginning: beginning) }
      }.get()
      for _ in 0..<3 { #expect(await isHealthy(port)) }
      #expect(server.alarms.count == 1)
      #expect(server.alarms.first?.contains("all 8 connections") == true)
      crowd.stop()
    }
    #expect((bench.log.counts["http_connections_full"] ?? 0) > 0)
    #expect((bench.log.counts["http_connections_full"] ?? 0) <= 10, "a flood fills no log")
  }

  /// One whose request is being answered keeps its connection, however many want one.
  @Test func whoIsBeingAnsweredKeepsItsConnection() async throws {
    let api = try APIBench()
    let path = "/storage/v1/object/passage-photos/large.jpg"
    let large = APIBench.jpeg + [UInt8](repeating: 7, count: 2_000_000)
    try await api.bench.serve(bounds: patient()) { address, server in
      let port = try address.port
      let reader = try await onThread {
        Result {
          let put = try RawConnection(port)
          put.send(
            "POST \(path) HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer service\r\n"
              + "Content-Type: image/jpeg\r\nContent-Length: \(large.count)\r\n\r\n")
          Sockets.write(put.descriptor, large)
          #expect(put.receive(answers: 1).hasPrefix("HTTP/1.1 200 "))
          let reader = try RawConnection(port, taking: 16_384)
          reader.send(
            "GET \(path) HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer service\r\n\r\n")
          // Its beginning is here, so the request was read; the rest waits until it is read here.
          #expect(String(decoding: reader.receive(bytes: 13), as: UTF8.self) == "HTTP/1.1 200 ")
          return reader
        }
      }.get()
      let crowd = try await onThread {
        Result { try SlowCrowd(40, to: port, beginning: CrowdTests.beginning) }
      }.get()
      for _ in 0..<3 { #expect(await isHealthy(port)) }
      let rest = await onThread { reader.receive(bytes: large.count) }
      #expect(rest.count == large.count)
      crowd.stop()
      #expect(!server.alarms.isEmpty)
    }
  }

  @Test func anAddressHasSoManyConnectionsAndOthersHaveTheirs() async throws {
    let bench = try Bench()
    var bounds = patient(64)
    bounds.addresses = AddressBounds(
      connectionsPerAddress: 4, proxies: ["::ffff:127.0.0.1", "0:0:0:0:0:0:0:1"])
    try await bench.serve(bounds: bounds) { [bounds] address, server in
      let port = try address.port
      let one: UInt32 = 0x7F00_0002
      let other: UInt32 = 0x7F00_0003
      let crowd = try await onThread {
        Result { try SlowCrowd(4, to: port, from: one, beginning: CrowdTests.beginning) }
      }.get()
      let isRefused = await onThread { () -> Bool in
        guard let connection = try? RawConnection(port, from: one) else { return true }
        return connection.isGone(within: RawConnection.patience)
      }
      #expect(isRefused)
      #expect(await isHealthy(port, from: other))
      #expect(server.alarms.count == 1)
      #expect(server.alarms.first?.contains("central.http.proxies") == true)
      let proxied = try await onThread {
        Result { try SlowCrowd(20, to: port, beginning: CrowdTests.beginning) }
      }.get()
      #expect(await isHealthy(port), "a proxy has as many as there are")
      proxied.stop()
      crowd.stop()
      #expect(bounds.connections == 64)
    }
    #expect(bench.log.counts["http_address_full"] == 1)
    #expect(bench.log.counts["http_connections_full"] == nil)
  }

  /// Once an address has closed some of its connections it may have others.
  @Test func whatWasClosedCountsNoMore() async throws {
    let bench = try Bench()
    var bounds = patient(64)
    bounds.addresses = AddressBounds(connectionsPerAddress: 2, proxies: [])
    try await bench.serve(bounds: bounds) { address, _ in
      let port = try address.port
      // Each is closed by the server before the next one comes.
      for _ in 0..<20 {
        let isGone = await onThread { () -> Bool in
          guard let connection = try? RawConnection(port) else { return false }
          connection.send("GET /healthz HTTP/1.0\r\n\r\n")
          return connection.receive().hasPrefix("HTTP/1.1 200 ") && connection.isGone()
        }
        #expect(isGone)
      }
    }
    #expect(bench.log.counts["http_address_full"] == nil)
  }

  @Test func aCentreThatCanKeepNothingSaysSo() async throws {
    let bench = try Bench(reserveBytes: .max)
    try await bench.serve { address in
      let answer = try await send(address + "/healthz")
      #expect(answer.status == 503)
      #expect(answer.body == "{\"status\":\"unavailable\"}\n")
      let text = ProviderText()
      let refused = try await send(
        address + "/functions/v1/sms-webhook", text.form, signature: text.signature())
      #expect(refused.status == 503)
    }
    #expect(try bench.store.overview().received == 0)
  }
}

extension HTTPService {
  /// What somebody is told of its connections.
  fileprivate var alarms: [String] {
    var facts = CentralFacts()
    facts.connections = connectionFacts
    return facts.problems(at: WallTime(epochSeconds: 1_795_000_000)).map(\.sentence)
  }
}
