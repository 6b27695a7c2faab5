import Glibc

/// Measures speed and size, each figure beside its floor or its peer.
///
/// Arguments name the figures to measure, `v1 pdu record due text air sync week idle ingest ingest-postgresql webhook
/// peers peers-idle`; without any, all are.
@main
struct Benchmarks {
  private typealias Measure = @Sendable (Place, inout Report) async throws -> Void

  private static let figures: [(name: String, measure: Measure)] = [
    ("v1", { try DecodingFigures.passages(&$1) }),
    ("pdu", { try DecodingFigures.messages(&$1) }),
    ("record", { try RecordFigure.measure($0, &$1) }),
    ("due", { try DueFigure.measure($0, &$1) }),
    ("text", { try await TextFigure.measure($0, &$1) }),
    ("air", { try await AirFigure.measure($0, &$1) }),
    ("sync", { try await SyncFigure.measure($0, &$1) }),
    ("week", { try await WeekFigure.measure($0, &$1) }),
    ("idle", { try IdleFigure.measure($0, &$1) }),
    ("ingest", { try IngestFigure.measure($0, &$1) }),
    ("ingest-postgresql", { try await PostgreSQLIngestFigure.measure($0, &$1) }),
    ("webhook", { try WebhookFigure.measure($0, &$1) }),
    ("peers", { try await PeerFigure.measure($0, &$1) }),
    ("peers-idle", { try PeerIdleFigure.measure($0, &$1) }),
  ]

  static func main() async throws {
    let wanted = CommandLine.arguments.dropFirst()
    if wanted.first == EmptyServer.argument { return try await EmptyServer.serve() }
    if wanted.first == StoringServer.argument, let path = wanted.dropFirst().first {
      return try await StoringServer.serve(path)
    }
    for name in wanted where !figures.contains(where: { $0.name == name }) {
      fail("there is no figure \(name); there are \(figures.map(\.name).joined(separator: " "))")
    }
    do {
      let place = try Place()
      defer { if Place.environment("BENCH_KEEP") == nil { place.remove() } }
      var report = Report(place)
      for figure in figures where wanted.isEmpty || wanted.contains(figure.name) {
        Watchdog.start(figure.name)
        try await figure.measure(place, &report)
      }
      report.end()
    } catch {
      fail("\(error)")
    }
  }

  private static func fail(_ words: String) -> Never {
    let line = Array("benchmarks: \(words)\n".utf8)
    write(STDERR_FILENO, line, line.count)
    exit(1)
  }
}

/// What kept a figure from being measured.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ words: String) {
    description = words
  }

  /// A call of the system that failed, with the system's reason.
  init(system words: String) {
    description = "\(words): \(String(cString: strerror(errno)))"
  }
}

/// Ends the process when a figure never ends.
enum Watchdog {
  private static let seconds: UInt32 = 900

  static func start(_ figure: String) {
    signal(SIGALRM) { _ in
      let words: StaticString = "benchmarks: a figure did not end within 15 minutes\n"
      write(STDERR_FILENO, words.utf8Start, words.utf8CodeUnitCount)
      _exit(1)
    }
    alarm(seconds + IdleFigure.seconds)
  }
}
