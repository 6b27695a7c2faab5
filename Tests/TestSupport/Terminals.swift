public import Foundation
import Glibc

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
