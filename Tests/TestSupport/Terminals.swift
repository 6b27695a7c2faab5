import EventLoop
public import Foundation
import Glibc
import Time

/// Opens the slave side of a terminal, or a modem's port, for a test.
///
/// `FileHandle` alone would make it the controlling terminal of a process that leads a session and has none:
/// programs that the test starts are in the background of it then, where reading fails, and its end would
/// end the test process.
public func openTerminal(_ path: String) throws -> FileHandle {
  let number = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
  guard number >= 0 else { throw TestFailure("cannot open \(path)") }
  return FileHandle(fileDescriptor: number, closeOnDealloc: true)
}

/// A terminal of a size, on which a program shows something to a person.
public final class SizedTerminal {
  private let terminal: PseudoTerminal
  private let slave: FileHandle

  /// A terminal with so many columns and 60 rows.
  public init(columns: Int) throws {
    terminal = try PseudoTerminal()
    slave = try openTerminal(terminal.slavePath)
    var size = winsize()
    (size.ws_col, size.ws_row) = (UInt16(columns), 60)
    guard ioctl(slave.fileDescriptor, UInt(TIOCSWINSZ), &size) == 0 else {
      throw TestFailure("a terminal takes no size")
    }
  }

  /// Starts a program whose output goes there, and whose input is empty.
  ///
  /// - Parameters:
  ///   - environment: What stands in its environment beside the time zone, which is UTC.
  ///   - errors: Whether standard error goes there, too.
  public func start(
    _ program: String, _ arguments: [String], environment: [String: String] = [:],
    errors: Bool = false
  ) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = environment.merging(["TZ": "UTC"]) { given, _ in given }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = slave
    if errors { process.standardError = slave }
    try process.start()
    return process
  }

  /// What is shown next; nil when nothing comes in time.
  public func text(within patience: Duration = SpokenLines.patience) -> String? {
    let clocks = SystemClocks()
    let deadline = clocks.boot() + patience
    var bytes: [UInt8] = []
    repeat {
      _ = PollLoop.wait(
        [Interest(descriptor: terminal.master.descriptor)], until: deadline, clocks: clocks)
      _ = terminal.master.read(into: &bytes, limit: 65_536)
      if !bytes.isEmpty { return String(decoding: bytes, as: UTF8.self) }
    } while clocks.boot() < deadline
    return nil
  }

  /// All that is shown up to the end of a program.
  public func rest(of process: Process) -> String {
    var said = ""
    while process.isRunning { said += text(within: .milliseconds(100)) ?? "" }
    while let more = text(within: .zero) { said += more }
    return said
  }
}
