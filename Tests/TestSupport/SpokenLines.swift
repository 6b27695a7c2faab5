import EventLoop
public import Foundation
import Time

/// What a program says, line by line as it comes. Nobody waits for it without end.
public struct SpokenLines {
  /// What had come when nothing more did, in time or because the program had ended.
  public struct Silent: Error {
    /// The words that were waited for.
    public let wanted: [[String]]
    /// What was said instead.
    public let said: [String]

    /// Nothing of `wanted` came.
    public init(wanted: [[String]], said: [String]) {
      self.wanted = wanted
      self.said = said
    }
  }

  /// How long a program may take to say something: other tests may hold the machine for long.
  public static let patience = Duration.seconds(300)

  private let handle: FileHandle
  private var pending: [UInt8] = []

  /// The lines that come from there.
  public init(_ handle: FileHandle) {
    self.handle = handle
  }

  /// The next line, without its end; nil when none comes.
  public mutating func next(within patience: Duration = patience) -> String? {
    while true {
      if let end = pending.firstIndex(of: 0x0A) {
        defer { pending.removeFirst(end + 1) }
        return String(decoding: pending[..<end], as: UTF8.self)
      }
      guard let more = SpokenLines.bytes(from: handle, within: patience) else { return nil }
      pending += more
    }
  }

  /// The lines that come, up to the one by which there has been a line for each of `wanted`, in any
  /// order, with all of its words.
  public mutating func read(untilEach wanted: [[String]]) throws -> [String] {
    var missing = wanted
    var said: [String] = []
    while !missing.isEmpty {
      guard let line = next() else { throw Silent(wanted: missing, said: said) }
      said.append(line)
      missing.removeAll { words in words.allSatisfy { line.contains($0) } }
    }
    return said
  }

  /// Hands what comes from now on to `each`, on a thread of the system's, so that no amount of it can
  /// block the program.
  public func hand(to each: @escaping @Sendable (Data) -> Void) {
    if !pending.isEmpty { each(Data(pending)) }
    handle.readabilityHandler = { handle in
      let data = handle.availableData
      if data.isEmpty { handle.readabilityHandler = nil } else { each(data) }
    }
  }

  /// What comes next, of any length; nil when nothing comes.
  public static func bytes(from handle: FileHandle, within patience: Duration = patience) -> Data? {
    let clocks = SystemClocks()
    let deadline = clocks.boot() + patience
    let interest = Interest(descriptor: handle.fileDescriptor)
    while PollLoop.wait([interest], until: deadline, clocks: clocks) == [[]] {
      // A signal ends the wait, too.
      if clocks.boot() >= deadline { return nil }
    }
    let data = handle.availableData
    return data.isEmpty ? nil : data
  }
}
