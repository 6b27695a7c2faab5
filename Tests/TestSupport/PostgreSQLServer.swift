import Foundation
import Glibc
import Synchronization

/// A PostgreSQL of the tests' own: Debian's package, in a directory and on a socket of its own, as a user that is
/// not root. It ends with the process that started it, whichever way that ends, and leaves nothing behind.
public final class PostgreSQLServer: Sendable {
  /// Where its programs are, the newest version first; nil where it is not installed.
  public static let binaries: String? = {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    return versions.compactMap(Int.init).sorted(by: >).map { "\(root)/\($0)/bin" }
      .first { exists("\($0)/initdb") }
  }()

  /// Why suites that need it are disabled where it is not.
  public static let missing = "PostgreSQL is not installed; `make test` installs it"

  private struct Held {
    var process: ChildProcess
    var databases = 0
  }

  /// The directory of its socket, and of what it writes.
  public let directory: String
  /// Its port on 127.0.0.1, which is also a part of the socket's name.
  public let port: Int
  /// The user to whom everything belongs, and who signs in on the socket without a password.
  public let owner = "owner"
  /// The certificate by which it shows itself, made for `localhost`, signed by itself.
  public var certificate: String { "\(directory)/server.crt" }

  private let held: Mutex<Held>

  private static let starting = Task { try await start() }

  /// The one that all suites share, started by the first.
  public static func shared() async throws -> PostgreSQLServer {
    try await starting.value
  }

  /// Starts one.
  ///
  /// - Parameter isDurable: Whether it waits for the disk, as a real one does.
  public static func start(isDurable: Bool = false) async throws -> PostgreSQLServer {
    try await onThread { () throws(TestFailure) in try PostgreSQLServer(isDurable: isDurable) }
  }

  private init(isDurable: Bool) throws(TestFailure) {
    guard let binaries = Self.binaries else { throw TestFailure(Self.missing) }
    // Another process may take the port before the server does.
    for _ in 0..<5 {
      do {
        let port = try Self.freePort()
        let process = try ChildProcess(
          "/bin/bash", ["-c", Self.script, "server", binaries, "\(port)", isDurable ? "on" : "off"],
          environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "TMPDIR": NSTemporaryDirectory()])
        let answer = process.lines.next() ?? ""
        guard answer.hasPrefix("ready ") else { continue }
        directory = String(answer.dropFirst(6))
        self.port = port
        held = Mutex(Held(process: process))
        return
      } catch {
        throw TestFailure("\(error)")
      }
    }
    throw TestFailure("PostgreSQL does not start")
  }

  /// Makes a database of a test's own, and returns its name.
  public func makeDatabase() async throws -> String {
    try await onThread { () throws(TestFailure) in
      try self.held.withLock { held throws(TestFailure) in
        held.databases += 1
        let name = "test_\(held.databases)"
        try Self.tell("create \(name)", held.process)
        return name
      }
    }
  }

  /// Ends it as a power cut does: at once, without an answer to anybody.
  public func kill() async throws { try await tell("kill") }

  /// Ends it in order: those who are connected are told.
  public func stop() async throws { try await tell("stop") }

  /// Starts it again.
  public func start() async throws { try await tell("start") }

  private func tell(_ command: String) async throws {
    try await onThread { () throws(TestFailure) in
      try self.held.withLock { held throws(TestFailure) in try Self.tell(command, held.process) }
    }
  }

  private static func tell(_ command: String, _ process: ChildProcess) throws(TestFailure) {
    process.say("\(command)\n")
    let answer = process.lines.next()
    guard answer == "done" else {
      throw TestFailure("PostgreSQL, asked to \(command): \(answer ?? "no answer")")
    }
  }

  private static func freePort() throws -> Int {
    let (descriptor, port) = try Sockets.bound()
    close(descriptor)
    return Int(port)
  }

  /// Runs beside the tests. When its standard input ends, so does the server, and the directory goes.
  private static let script = """
    set -euo pipefail
    binaries=$1 port=$2 durable=$3
    directory=$(mktemp -d "$TMPDIR/cp-pg.XXXXXX")
    chmod 711 "$directory"
    run=$directory/run
    mkdir "$run"
    as_user=()
    if [[ $(id -u) -eq 0 ]]; then
      user=postgres
      id -u "$user" >/dev/null 2>&1 || user=nobody
      chown "$user" "$run"
      as_user=(setpriv "--reuid=$user" "--regid=$(id -g "$user")" --clear-groups --)
    fi
    control() { "${as_user[@]}" "$binaries/pg_ctl" "--pgdata=$run/data" --silent "$@" </dev/null >&2; }
    finish() {
      trap - EXIT INT TERM
      control --mode=immediate stop 2>/dev/null || true
      rm -rf --one-file-system "$directory"
    }
    trap finish EXIT
    trap 'exit 143' INT TERM
    cd "$run"
    "${as_user[@]}" "$binaries/initdb" "--pgdata=$run/data" --username=owner --auth=trust \
      --encoding=UTF8 --locale=C --no-sync >"$directory/initdb.log" 2>&1
    "${as_user[@]}" openssl req -x509 -nodes -days 2 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 \
      -subj /CN=localhost -addext subjectAltName=DNS:localhost \
      -keyout "$run/data/server.key" -out "$run/data/server.crt" 2>"$directory/openssl.log"
    cp "$run/data/server.crt" "$run/server.crt"
    printf '%s\\n' 'local all locked scram-sha-256' 'local all all trust' \
      'host all all 127.0.0.1/32 scram-sha-256' >"$run/data/pg_hba.conf"
    cat >>"$run/data/postgresql.conf" <<END
    listen_addresses = '127.0.0.1'
    port = $port
    unix_socket_directories = '$run'
    fsync = $durable
    ssl = on
    shared_buffers = 32MB
    max_connections = 60
    timezone = UTC
    END
    launch() { control --log="$run/log" --wait --timeout=120 start; }
    launch
    echo "ready $run"
    while read -r command argument; do
      case $command in
        create) "$binaries/createdb" "--host=$run" "--port=$port" --username=owner "$argument" </dev/null >&2 ;;
        kill) control --mode=immediate stop ;;
        stop) control --mode=fast stop ;;
        start) launch ;;
      esac && echo "done" || echo "failed"
    done
    """
}
