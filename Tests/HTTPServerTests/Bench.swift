import CentralCore
import CentralSQLite
import CentralService
import Events
import Foundation
import Log
import Logging
import NIOCore
import Passages
import TestSupport
import Testing
import Time

@testable import HTTPServer

/// A central with its HTTP server, on a free port of this machine.
final class Bench: Sendable {
  let store: any CentralStore
  let central: CentralService
  let log: ServiceLog
  let clocks = TestClocks(wall: Bench.wall)
  private let directory: TemporaryDirectory
  private let api: CentralAPI?

  static let wall = WallTime(epochSeconds: 1_709_123_500)
  static let token = "12345"
  static let url = "https://hooks.example.org/sms/twilio"
  static let account = "AC" + String(repeating: "a", count: 32)

  /// - Parameter given: The store of the central; nil for one of its own.
  init(
    reserveBytes: Int64 = 4 << 20, api: CentralAPI? = nil, store given: (any CentralStore)? = nil
  ) throws {
    self.api = api
    directory = try TemporaryDirectory()
    if let given {
      store = given
    } else {
      store = try SQLiteCentralStore(
        path: directory.file("central.db"), reserveBytes: reserveBytes)
    }
    var rules = CentralRules()
    rules.ingress = .open
    central = try CentralService(
      machine: CentralMachine(store: store, rules: rules), clocks: clocks,
      onEvent: { _ in })
    log = ServiceLog(level: .debug, mask: .short, sinks: [])
  }

  /// Bounds in time that never come but that of what is thrown away after an answer, so that whatever
  /// closes has another reason, and what is to be answered is, however slow the machine is.
  static let patient: ConnectionBounds = {
    var bounds = ConnectionBounds()
    bounds.header = .hours(1)
    bounds.body = .hours(1)
    bounds.answer = .hours(1)
    bounds.idle = .hours(1)
    return bounds
  }()

  /// Runs `body` while the server runs; `body` is given the server's address.
  func serve(
    twilio: TwilioSettings? = .expected,
    _ body: @escaping @Sendable (String) async throws -> Void
  ) async throws {
    try await serve(twilio: twilio) { address, _ in try await body(address) }
  }

  /// Runs `body` with a client of the server's router, which needs no socket.
  func route(
    _ providers: [any WebhookProvider] = [TwilioProvider(.expected)],
    rules: DoorRules = DoorRules(), proxies: [String] = AddressBounds().proxies,
    _ body: (RouterClient) async throws -> Void
  ) async throws {
    var bounds = ConnectionBounds()
    bounds.addresses.proxies = proxies
    let server = server(providers, bounds: bounds, rules: rules)
    try central.start()
    defer { central.stop() }
    try await body(RouterClient(server))
    central.stop()
    await central.finished()
  }

  /// A server at a socket; nothing runs yet.
  func server(at socket: SocketPlace) -> HTTPService {
    server([TwilioProvider(.expected)], socket: socket)
  }

  private func server(
    _ providers: [any WebhookProvider], bounds: ConnectionBounds = ConnectionBounds(),
    rules: DoorRules = DoorRules(), socket: SocketPlace? = nil
  ) -> HTTPService {
    HTTPService(
      address: "127.0.0.1", port: 0, socket: socket, providers: providers, bounds: bounds,
      rules: rules, api: api,
      central: central, clocks: clocks, log: log, logger: RouterClient.logger)
  }

  /// Runs `body` while the server runs; `body` is given the server's address, and the server.
  func serve(
    twilio: TwilioSettings? = nil, bounds: ConnectionBounds = Bench.patient,
    _ body: @escaping @Sendable (String, HTTPService) async throws -> Void
  ) async throws {
    let server = server([TwilioProvider(twilio)], bounds: bounds)
    try central.start()
    server.start()
    let port = try #require(await server.boundPort())
    var failure: (any Error)?
    do {
      try await body("http://127.0.0.1:\(port)", server)
    } catch {
      failure = error
    }
    server.stop()
    try await onThread { Result { try server.join() } }.get()
    if let failure { throw failure }
    central.stop()
    await central.finished()
  }
}

extension TwilioSettings {
  /// What the tests' provider is expected to be.
  static let expected = TwilioSettings(
    signature: TwilioSignature(tokens: [Bench.token], publicURLs: [Bench.url]),
    accountSID: Bench.account, to: "+15005550006")
}

/// A text as the provider sends it.
struct ProviderText {
  var parameters: [(name: String, value: String)]

  init(body: String = "V1|BNP-A|BA1PA1234|CAR|1709123456|4567", sid: Int = 0) {
    let digits = String(sid)
    parameters = [
      ("MessageSid", "SM" + String(repeating: "0", count: 32 - digits.count) + digits),
      ("AccountSid", Bench.account), ("From", "+9779801234567"), ("To", "+15005550006"),
      ("Body", body), ("NumMedia", "0"), ("FromCity", ""),
    ]
  }

  mutating func set(_ name: String, _ value: String?) {
    parameters.removeAll { $0.name == name }
    if let value { parameters.append((name, value)) }
  }

  var form: [UInt8] {
    Array(
      parameters.map { encoded($0.name) + "=" + encoded($0.value) }.joined(separator: "&").utf8)
  }

  func signature(token: String = Bench.token, url: String = Bench.url) -> String {
    TwilioSignature.sign(url: url, parameters: parameters, token: token)
  }

  private func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: String(UnicodeScalar(byte))
      case 0x20: "+"
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}
