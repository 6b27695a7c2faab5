import EventLoop
import Foundation
import Glibc
import Synchronization
import Time

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

  /// The directory of its socket, and of what it writes.
  public let directory: String
  /// Its port on 127.0.0.1, which is also a part of the socket's name.
  public let port: Int
  /// The user to whom everything belongs, and who signs in on the socket without a password.
  public let owner = "owner"
  /// The certificate by which it shows itself, made for `localhost`, signed by itself.
  public var certificate: String { "\(directory)/server.crt" }

  private let control: ServerControl
  private let databases = Atomic(0)

  /// The one that all suites share, started by the first, which blocks meanwhile.
  public static let here: Result<PostgreSQLServer, TestFailure> = Result {
    () throws(TestFailure) in try PostgreSQLServer(isDurable: false)
  }

  /// The one that all suites share, started by the first.
  public static func shared() async throws -> PostgreSQLServer {
    try await onThread { () throws(TestFailure) in try here.get() }
  }

  /// Starts one.
  ///
  /// - Parameters:
  ///   - isDurable: Whether it waits for the disk, as a real one does.
  ///   - settings: Further lines of its `postgresql.conf`.
  ///   - leader: The server of which it is a copy and whose changes it takes from then on, with its settings; nil for
  ///     one of its own.
  public static func start(
    isDurable: Bool = false, settings: [String] = [], following leader: PostgreSQLServer? = nil
  ) async throws -> PostgreSQLServer {
    try await onThread { () throws(TestFailure) in
      try PostgreSQLServer(isDurable: isDurable, settings: settings, following: leader)
    }
  }

  private init(
    isDurable: Bool, settings: [String] = [], following leader: PostgreSQLServer? = nil
  ) throws(TestFailure) {
    guard let binaries = Self.binaries else { throw TestFailure(Self.missing) }
    let copied = leader.map { "host='\($0.directory)' port=\($0.port) user=\($0.owner)" } ?? ""
    // Another process may take the port before the server does.
    for _ in 0..<5 {
      let port = try Self.freePort()
      let control = try ServerControl(
        [Self.script, "server", binaries, "\(port)", isDurable ? "on" : "off", copied] + settings)
      guard let answer = control.answer(), answer.hasPrefix("ready ") else { continue }
      directory = String(answer.dropFirst(6))
      self.port = port
      self.control = control
      return
    }
    throw TestFailure("PostgreSQL does not start")
  }

  /// Makes a database of a test's own, and returns its name.
  public func makeDatabase() async throws -> String {
    let name = "test_\(databases.wrappingAdd(1, ordering: .relaxed).newValue)"
    try await tell("create \(name)")
    return name
  }

  /// Makes a tablespace on a disk, which becomes the server's; its name. It is in nobody's way once it is empty
  /// and dropped.
  public func makeTablespace(on disk: MountedDisk) throws -> String {
    let name = "space_\(databases.wrappingAdd(1, ordering: .relaxed).newValue)"
    try control.tell("space \(name) \(disk.path)")
    return name
  }

  /// Ends it as a power cut does: at once, without an answer to anybody.
  public func kill() async throws { try await tell("kill") }

  /// Ends it in order: those who are connected are told.
  public func stop() async throws { try await tell("stop") }

  /// Starts it again.
  public func start() async throws { try await tell("start") }

  /// Has one that follows another lead, and returns once it takes changes of its own.
  public func promote() async throws { try await tell("promote") }

  /// The same, for who blocks anyway.
  public func killNow() throws { try control.tell("kill") }

  /// The same, for who blocks anyway.
  public func stopNow() throws { try control.tell("stop") }

  /// The same, for who blocks anyway.
  public func startNow() throws { try control.tell("start") }

  private func tell(_ command: String) async throws {
    try await onThread { () throws(TestFailure) in try self.control.tell(command) }
  }

  private static func freePort() throws(TestFailure) -> Int {
    do {
      let (descriptor, port) = try Sockets.bound()
      close(descriptor)
      return Int(port)
    } catch {
      throw TestFailure("there is no free port")
    }
  }

  /// Runs beside the tests. When its standard input ends, so does the server, and the directory goes.
  private static let script = """
    set -euo pipefail
    # What other threads of the tests had open is theirs: they wait for its end.
    for descriptor in /proc/$$/fd/*; do
      number=${descriptor##*/}
      if ((number > 2)); then exec {number}>&-; fi
    done
    binaries=$1 port=$2 durable=$3 leader=$4
    shift 4
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
    if [[ -n $leader ]]; then
      "${as_user[@]}" "$binaries/pg_basebackup" "--pgdata=$run/data" "--dbname=$leader" --write-recovery-conf \
        --checkpoint=fast --no-sync --no-password </dev/null >"$directory/basebackup.log" 2>&1
    else
      "${as_user[@]}" "$binaries/initdb" "--pgdata=$run/data" --username=owner --auth=trust \
        --encoding=UTF8 --locale=C --no-sync >"$directory/initdb.log" 2>&1
      "${as_user[@]}" openssl req -x509 -nodes -days 2 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 \
        -subj /CN=localhost -addext subjectAltName=DNS:localhost \
        -keyout "$run/data/server.key" -out "$run/data/server.crt" 2>"$directory/openssl.log"
    fi
    cp "$run/data/server.crt" "$run/server.crt"
    printf '%s\\n' 'local all locked scram-sha-256' 'local all,replication all trust' \
      'host all all 127.0.0.1/32 scram-sha-256' >"$run/data/pg_hba.conf"
    cat >>"$run/data/postgresql.conf" <<END
    listen_addresses = '127.0.0.1'
    port = $port
    unix_socket_directories = '$run'
    fsync = $durable
    ssl = on
    shared_buffers = 32MB
    max_connections = 200
    # A migration locks each object that it makes, and many run side by side.
    max_locks_per_transaction = 256
    timezone = UTC
    END
    for line in "$@"; do echo "$line" >>"$run/data/postgresql.conf"; done
    launch() { control --log="$run/log" --wait --timeout=120 start; }
    launch
    echo "ready $run"
    make_space() {
      if [[ $(id -u) -eq 0 ]]; then chown "$user" "$2"; fi
      "$binaries/psql" "--host=$run" "--port=$port" --username=owner --dbname=postgres --quiet \
        --command="CREATE TABLESPACE $1 LOCATION '$2'" </dev/null >&2
    }
    while read -r command argument more; do
      case $command in
        space) make_space "$argument" "$more" ;;
        create) "$binaries/createdb" "--host=$run" "--port=$port" --username=owner "$argument" </dev/null >&2 ;;
        kill) control --mode=immediate stop ;;
        stop) control --mode=fast stop ;;
        promote) control --wait --timeout=120 promote ;;
        start) launch ;;
      esac && echo "done" || echo "failed"
    done
    """
}

/// The script that runs beside the tests, asked one thing at a time. It ends when this goes.
private final class ServerControl: Sendable {
  private let input: Descriptor
  private let output: Descriptor
  private let turn = Mutex(())

  init(_ arguments: [String]) throws(TestFailure) {
    var (into, from): ([Int32], [Int32]) = ([0, 0], [0, 0])
    guard pipe(&into) == 0, pipe(&from) == 0 else { throw TestFailure("there are no pipes") }
    for number in into + from { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    input = Descriptor(owning: into[1])
    output = Descriptor(owning: from[0])
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
      close(into[0])
      close(from[1])
    }
    posix_spawn_file_actions_adddup2(&actions, into[0], 0)
    posix_spawn_file_actions_adddup2(&actions, from[1], 1)
    // Ctrl-C is for the tests; the script ends after them, and so does what it started.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETPGROUP))
    let texts = ["/bin/bash", "-c"] + arguments
    let variables = [
      "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", "TMPDIR=\(NSTemporaryDirectory())",
    ]
    let pointers = texts.map { strdup($0) } + [nil]
    let environment = variables.map { strdup($0) } + [nil]
    defer { for pointer in pointers + environment { free(pointer) } }
    var child: pid_t = 0
    let status = Spawn.alone {
      posix_spawn(&child, "/bin/bash", &actions, &attributes, pointers, environment)
    }
    guard status == 0 else { throw TestFailure("there is no bash") }
  }

  /// Asks it to do something, and returns when it is done.
  func tell(_ command: String) throws(TestFailure) {
    let answer = turn.withLock { _ in
      let line = Array("\(command)\n".utf8)
      return write(input.value, line, line.count) == line.count ? self.answer() : nil
    }
    guard answer == "done" else {
      throw TestFailure("PostgreSQL, asked to \(command): \(answer ?? "no answer")")
    }
  }

  /// Its next line; nil when none comes.
  func answer() -> String? {
    let clocks = SystemClocks()
    let deadline = clocks.boot() + SpokenLines.patience
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while clocks.boot() < deadline {
      let interest = Interest(descriptor: output.value)
      guard !PollLoop.wait([interest], until: deadline, clocks: clocks)[0].isEmpty else { continue }
      guard read(output.value, &byte, 1) == 1 else { return nil }
      if byte == 0x0A { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return nil
  }
}
