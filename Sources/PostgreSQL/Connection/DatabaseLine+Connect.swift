import CPostgreSQL
import EventLoop
import Time

extension DatabaseLine {
  /// A line to the first server of the settings that takes it.
  static func connect(
    _ settings: PostgreSQLSettings, until deadline: BootInstant?, _ patience: DatabasePatience
  ) throws(PostgreSQLError) -> DatabaseLine {
    if let words = cpostgresql_load() { throw noLibrary(words) }
    let faults = settings.faults
    guard faults.isEmpty else {
      throw .unusableSettings(reason: faults.joined(separator: "; "))
    }
    let password = try settings.password.read()
    var failure: PostgreSQLError?
    for server in settings.servers {
      do throws(PostgreSQLError) {
        return try connect(settings, server, password, deadline, patience)
      } catch {
        if error == .ended { throw error }
        // What a server said tells more than that another one is not there.
        if failure?.state == nil || error.state != nil { failure = error }
      }
    }
    throw failure ?? .notConnected(.connection, reason: "no server is named")
  }

  private static func connect(
    _ settings: PostgreSQLSettings, _ server: PostgreSQLSettings.Server, _ password: String?,
    _ deadline: BootInstant?, _ patience: DatabasePatience
  ) throws(PostgreSQLError) -> DatabaseLine {
    var addresses: [String?] = [server.address]
    if !server.isSocket, server.address == nil {
      let end = patience.clocks.boot() + settings.nameTimeout
      addresses = try AddressLookup.addresses(
        of: server.host, until: deadline.map { min($0, end) } ?? end, patience)
    }
    var failure: PostgreSQLError?
    for address in addresses {
      let pairs = settings.parameters(of: server, at: address, password: password)
      do throws(PostgreSQLError) {
        return try connect(pairs, settings, deadline, patience)
      } catch {
        if error == .ended { throw error }
        failure = error
        // The server is there and does not want us: its other addresses will not either.
        if error.state != nil { break }
      }
    }
    throw failure ?? .notConnected(.name, reason: "\(server.host) has no address")
  }

  private static func connect(
    _ pairs: [(keyword: String, value: String)], _ settings: PostgreSQLSettings,
    _ deadline: BootInstant?, _ patience: DatabasePatience
  ) throws(PostgreSQLError) -> DatabaseLine {
    let farewell = Farewell()
    let pointer = withCStrings(pairs.map(\.keyword)) { keywords in
      withCStrings(pairs.map(\.value)) { values in
        cpostgresql_start(keywords, values, farewell.pointer)
      }
    }
    guard let pointer else {
      throw .notConnected(.connection, reason: "there is no memory to connect with")
    }
    let line = DatabaseLine(pointer, farewell, patience)
    try line.connect(settings, until: deadline)
    guard cpostgresql_set_nonblocking(pointer) == 0 else { throw line.lost() }
    return line
  }

  /// Goes through the steps of connecting, each with its time.
  private func connect(
    _ settings: PostgreSQLSettings, until deadline: BootInstant?
  ) throws(PostgreSQLError) {
    let whole = settings.connectTimeout + settings.tlsTimeout + settings.signInTimeout
    let last = min(patience.clocks.boot() + whole, deadline ?? BootInstant(nanoseconds: .max))
    var phase = PostgreSQLPhase.connection
    var end = min(last, patience.clocks.boot() + settings.connectTimeout)
    var polling = CPOSTGRESQL_POLL_WRITING
    while true {
      let status = cpostgresql_connection_status(pointer)
      guard status != CPOSTGRESQL_BAD.rawValue, polling != CPOSTGRESQL_POLL_FAILED else {
        let words = LibraryWords(cpostgresql_message(pointer).map { String(cString: $0) } ?? "")
        throw .notConnected(phase, reason: words.reason, state: words.state)
      }
      if polling == CPOSTGRESQL_POLL_OK { return }
      let now = DatabaseLine.phase(status)
      if now != phase {
        phase = now
        end = min(last, patience.clocks.boot() + settings.time(for: phase))
      }
      let isReading = polling == CPOSTGRESQL_POLL_READING
      try patience.wait(
        for: Interest(descriptor: descriptor, readable: isReading, writable: !isReading),
        until: end, phase)
      polling = cpostgresql_poll(pointer)
    }
  }

  private static func phase(_ status: Int32) -> PostgreSQLPhase {
    switch UInt32(status) {
    case CPOSTGRESQL_REACHING.rawValue: .connection
    case CPOSTGRESQL_SECURING.rawValue: .tls
    default: .signIn
    }
  }

  private static func withCStrings<Value>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Value
  ) -> Value {
    var space: [CChar] = []
    var starts: [Int] = []
    for text in texts {
      starts.append(space.count)
      space += text.utf8.map { CChar(bitPattern: $0) } + [0]
    }
    return space.withUnsafeBufferPointer { space in
      let pointers = starts.map { space.baseAddress?.advanced(by: $0) } + [nil]
      return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
    }
  }
}

extension PostgreSQLSettings {
  fileprivate func time(for phase: PostgreSQLPhase) -> Duration {
    switch phase {
    case .name: nameTimeout
    case .connection: connectTimeout
    case .tls: tlsTimeout
    case .signIn, .queue, .answer: signInTimeout
    }
  }
}

extension DatabaseLine {
  /// Why a library of this name cannot serve; nil when it can.
  static func fault(ofLibrary name: String) -> PostgreSQLError? {
    cpostgresql_probe(name).map(noLibrary)
  }

  private static func noLibrary(_ words: UnsafePointer<CChar>) -> PostgreSQLError {
    .noLibrary(reason: "\(String(cString: words)); it is in Debian's package libpq5")
  }
}
