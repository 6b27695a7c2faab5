import EventLoop
import Glibc

/// A process of the program, its output in a file.
final class ChildProcess {
  let id: pid_t
  private var hasEnded = false

  /// Starts `program`, with an environment that holds none of our settings.
  init(_ program: String, _ arguments: [String], output: String) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(
      &actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
    words.append(nil)
    var environment = [strdup("PATH=/usr/bin:/bin"), nil]
    defer { for word in words + environment { free(word) } }
    // A thread of a pool has signals blocked, and a child would have them blocked for ever.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var id: pid_t = 0
    let status = posix_spawn(&id, program, &actions, &attributes, &words, &environment)
    guard status == 0 else {
      throw Failure("\(program): \(String(cString: strerror(status))); build it for release first")
    }
    self.id = id
  }

  deinit {
    end()
  }

  /// Asks it to end, and waits until it has.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    kill(id, SIGTERM)
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
  }

  /// Waits until it has ended by itself.
  func waitForEnd() {
    guard !hasEnded else { return }
    hasEnded = true
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
  }

  /// Times its threads, and those of the processes it made, went to sleep by themselves, which is as
  /// often as they were woken.
  func sleeps() -> Int {
    family.reduce(0) { sum, process in
      SystemFile.names(in: "/proc/\(process)/task").reduce(sum) { sum, thread in
        sum + field("voluntary_ctxt_switches:", of: "/proc/\(process)/task/\(thread)/status")
      }
    }
  }

  /// Nanoseconds that it and the processes it made have had of processors.
  func processor() -> Int64 {
    family.reduce(0) { sum, process in
      var clock: clockid_t = 0
      return clock_getcpuclockid(process, &clock) == 0 ? sum + Stopwatch.nanoseconds(clock) : sum
    }
  }

  /// The process, and those that it made.
  private var family: [pid_t] {
    let children = TextFile.lines("/proc/\(id)/task/\(id)/children").first ?? ""
    return [id] + children.split(separator: " ").compactMap { pid_t($0) }
  }

  var threads: Int { SystemFile.names(in: "/proc/\(id)/task").count }

  /// Kilobytes of its memory and that of the processes it made, under a name of `smaps_rollup`.
  func memory(_ name: String) -> Int {
    family.reduce(0) { $0 + field(name + ":", of: "/proc/\($1)/smaps_rollup") }
  }

  /// Kilobytes of memory that it had at its most.
  var mostMemory: Int { field("VmHWM:", of: "/proc/\(id)/status") }

  private func field(_ name: String, of path: String) -> Int {
    for line in TextFile.lines(path) where line.hasPrefix(name) {
      let words = line.dropFirst(name.count).split { $0 == " " || $0 == "\t" }
      return words.first.flatMap { Int($0) } ?? 0
    }
    return 0
  }
}

/// Small text files.
enum TextFile {
  static func lines(_ path: String) -> [Substring] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }

  static func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "w") else { throw Failure(system: path) }
    defer { fclose(file) }
    guard fputs(text, file) >= 0 else { throw Failure(system: path) }
  }

  static func copy(_ source: String, to path: String) throws {
    guard let from = fopen(source, "r") else {
      throw Failure("\(source): is not there; build the program for release first")
    }
    defer { fclose(from) }
    guard let to = fopen(path, "w") else { throw Failure(system: path) }
    defer { fclose(to) }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = fread(&buffer, 1, buffer.count, from)
      if count == 0 { break }
      guard fwrite(buffer, 1, count, to) == count else { throw Failure(system: path) }
    }
    chmod(path, 0o700)
  }
}
