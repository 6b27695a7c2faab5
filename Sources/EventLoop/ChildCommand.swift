import CLinux
import Glibc
public import Time

/// A program of the operator's that is run and waited for: by its path and arguments, without a shell,
/// with nothing on its standard input, and ended when it takes too long.
public struct ChildCommand: Hashable, Sendable {
  /// What became of it.
  public enum Outcome: Hashable, Sendable {
    /// It ended with this code, 0 for success.
    case ended(code: Int32)
    /// It was ended by a signal, which was not ours.
    case killed(signal: Int32)
    /// It took too long, and was ended.
    case timedOut
    /// It could not be started.
    case notStarted(reason: String)
  }

  /// The path of the program and its arguments.
  public var arguments: [String]
  /// How long it may take.
  public var timeout: Duration

  /// Variables that it has besides those of this process, such as a password: others of this user can see them
  /// as long as it runs, the command line everybody.
  public var environment: [String: String] = [:]
  /// The file for what it writes to standard error; nil where nobody reads that.
  public var errors: String?

  /// A command.
  public init(_ arguments: [String], timeout: Duration) {
    self.arguments = arguments
    self.timeout = timeout
  }

  /// Runs it and blocks until it has ended.
  public func run(clocks: any Clocks) -> Outcome {
    guard let program = arguments.first else { return .notStarted(reason: "no program is named") }
    var child: pid_t = 0
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for number in 0...2 as ClosedRange<Int32> {
      if number == STDERR_FILENO, let errors {
        posix_spawn_file_actions_addopen(
          &actions, number, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      } else {
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      }
    }
    // The service has its signals blocked, and a group of its own lets all of it be ended.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETPGROUP))
    var pointers = arguments.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    pointers.append(nil)
    var variables = variables()
    defer { for variable in variables { free(variable) } }
    variables.append(nil)
    let status = posix_spawn(&child, program, &actions, &attributes, pointers, variables)
    guard status == 0 else {
      return .notStarted(reason: "\(program): \(systemMessage(status))")
    }
    return wait(for: child, until: clocks.boot() + timeout, clocks)
  }

  /// The variables of this process, those of the command in place of their like.
  private func variables() -> [UnsafeMutablePointer<CChar>?] {
    var values: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while let variable = next.pointee {
      let name = String(cString: variable).prefix { $0 != "=" }
      if environment[String(name)] == nil { values.append(strdup(variable)) }
      next += 1
    }
    return values + environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") }
  }

  private func wait(
    for child: pid_t, until deadline: BootInstant, _ clocks: any Clocks
  ) -> Outcome {
    var isLate = false
    let number = clinux_watch_process(child)
    if number >= 0 {
      let watch = Descriptor(owning: number)
      defer { watch.close() }
      while !isLate {
        let ready = PollLoop.wait(
          [Interest(descriptor: watch.value)], until: deadline, clocks: clocks)
        if !ready[0].isEmpty { break }
        isLate = clocks.boot() >= deadline
      }
    } else {
      isLate = true
    }
    if isLate { kill(-child, SIGKILL) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    if isLate { return .timedOut }
    let signal = status & 0x7F
    return signal == 0 ? .ended(code: (status >> 8) & 0xFF) : .killed(signal: signal)
  }
}
