import EventLoop
import Glibc
import PostgreSQL
import TestSupport

/// What dashboards read over the API of a central on PostgreSQL, beside `psql` that is asked the same in one session.
enum RestFigure {
  private static let reads = 4_000
  private static let rowsRead = 20

  static func measure(
    _ place: Place, _ rows: PostgreSQLRows, _ report: inout Report
  ) async throws {
    let place = try place.within("rest")
    let central = try CentralProcess(
      place,
      store: """
          store: postgresql
          photos: \(place.path("photos"))
          postgresql:
            connection: \(rows.text)
        """, api: true)
    defer { central.end() }
    let key = try central.key(place)
    let plates = (0..<reads).map { number in
      let digits = String(1 + number * 7919 % CentralRows.vehicles)
      return "ZZ1PA" + String(repeating: "0", count: 6 - digits.utf8.count) + digits
    }
    let requests = plates.map { plate in
      Array(
        """
        GET /rest/v1/vehicle_passages?plate_number=eq.\(plate)&order=recorded_at.desc&limit=\(rowsRead) HTTP/1.1\r
        Host: central.example.org\r
        apikey: \(key)\r
        Authorization: Bearer \(key)\r
        \r

        """.utf8)
    }
    let questions = plates.map { plate in
      "SELECT * FROM public.vehicle_passages WHERE plate_number = '\(plate)'"
        + " ORDER BY recorded_at DESC LIMIT \(rowsRead);\n"
    }
    try TextFile.write(questions.joined(), to: place.path("read.sql"))
    _ = try Load.run(Array(requests.prefix(200)), port: central.port, connections: 1)
    let floor = try psql(place, rows)
    let one = try Load.run(requests, port: central.port, connections: 1)
    let several = try Load.run(requests, port: central.port, connections: 8)
    let rate = { (rate: Double) in "\(Format.number(rate, places: 0))/s" }
    report.add(
      Figure(
        name: "API, a vehicle's passages", measured: rate(one.rate),
        against: "psql, the same in one session", reference: rate(floor), ratio: floor / one.rate,
        target: nil, isMet: true))
    report.add(
      Figure(
        name: "API, the same over 8 connections", measured: rate(several.rate),
        against: "psql, the same in one session", reference: rate(floor),
        ratio: floor / several.rate, target: nil, isMet: true))
    report.add(
      Figure(
        name: "API, time to its answer, p99", measured: Format.time(one.times.part(99)),
        against: "psql, the mean", reference: Format.time(1e9 / floor),
        ratio: one.times.part(99) * floor / 1e9, target: nil, isMet: true))
    let memory = central.process.mostMemory
    report.add(
      Figure(
        name: "central on PostgreSQL, memory at its most", measured: Format.megabytes(memory),
        against: "as set", reference: "128 MB", ratio: nil, target: "<= 128 MB",
        isMet: memory <= 128_000))
  }

  /// Questions a second that `psql` asks and prints the answers of.
  private static func psql(_ place: Place, _ rows: PostgreSQLRows) throws -> Double {
    guard let binaries = PostgreSQLServer.binaries else { return 0 }
    let took = try Stopwatch.time {
      let process = try ChildProcess(
        "\(binaries)/psql",
        [
          "--no-psqlrc", "--quiet", "--file=\(place.path("read.sql"))",
          "--host=\(rows.server.directory)", "--port=\(rows.server.port)",
          "--username=\(rows.server.owner)", rows.database,
        ], output: place.path("psql.out"))
      process.waitForEnd()
    }
    let lines = TextFile.lines(place.path("psql.out")).count
    guard lines > 3 * reads else { throw Failure("psql printed \(lines) lines") }
    return Double(reads) / took * 1e9
  }
}
