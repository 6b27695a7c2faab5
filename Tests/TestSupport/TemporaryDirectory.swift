import Foundation
import Glibc

/// A directory of a test's own, removed with everything in it when the test lets go of it.
public final class TemporaryDirectory: Sendable {
  /// Where it is.
  public let path: String

  /// Makes one.
  public init() throws {
    path = NSTemporaryDirectory() + "checkpost-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a file in it.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file, with the directories above it, and returns its path.
  @discardableResult
  public func write(
    _ name: String, _ text: String = "", permissions: Int = 0o600
  ) throws -> String {
    try write(name, bytes: Array(text.utf8), permissions: permissions)
  }

  /// Writes a file, with the directories above it, and returns its path.
  @discardableResult
  public func write(_ name: String, bytes: [UInt8], permissions: Int = 0o600) throws -> String {
    try makeParent(of: name)
    let path = file(name)
    // One event for whoever watches the directory: neither another name first, nor a change of mode.
    let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode_t(permissions))
    guard number >= 0 else { throw POSIXError(.EIO) }
    defer { close(number) }
    guard Glibc.write(number, bytes, bytes.count) == bytes.count else { throw POSIXError(.EIO) }
    if permissions != 0o600 { fchmod(number, mode_t(permissions)) }
    return path
  }

  /// Adds to a file that is there.
  public func append(_ name: String, _ text: String) throws {
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file(name)))
    defer { try? handle.close() }
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(text.utf8))
  }

  /// Makes a link to `target`, with the directories above it, and returns its path.
  @discardableResult
  public func link(_ name: String, to target: String) throws -> String {
    try makeParent(of: name)
    try FileManager.default.createSymbolicLink(
      atPath: file(name), withDestinationPath: target)
    return file(name)
  }

  /// What stands in a file, as text.
  public func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: file(name))), as: UTF8.self)
  }

  private func makeParent(of name: String) throws {
    guard let slash = name.lastIndex(of: "/") else { return }
    try FileManager.default.createDirectory(
      atPath: file(String(name[..<slash])), withIntermediateDirectories: true)
  }
}
