import EventLoop
import Glibc
public import Time

/// Takes a USB device off the bus and puts it back, as pulling it out and plugging it in would do to
/// its firmware: the kernel forgets it and greets it anew (`authorized` in sysfs).
public struct USBReset: Sendable {
  private let root: String

  /// Resets by the tree at `root`, which is the kernel's unless tests make one.
  public init(root: String = "/sys") {
    self.root = root
  }

  /// How long the device is left off the bus.
  private static let pause = Duration.seconds(1)

  /// What became of a reset.
  public struct Outcome: Hashable, Sendable {
    /// Whether the device was off the bus and is back.
    public let isDone: Bool
    /// How it went, and what helps.
    public let words: String
  }

  /// Whether this user may reset the device that a port belongs to; nil when it belongs to none.
  public func isPermitted(portAt path: String) -> Bool? {
    device(ofPortAt: path).map { access($0 + "/authorized", W_OK) == 0 }
  }

  /// Resets the device that a port belongs to, and says how it went. Blocks for the second that the
  /// device is off the bus.
  public func reset(portAt path: String, clocks: any Clocks) -> Outcome {
    guard let device = device(ofPortAt: path) else {
      return Outcome(isDone: false, words: "\(path) belongs to no USB device")
    }
    let switchPath = device + "/authorized"
    for (value, isLast) in [("0", false), ("1", true)] {
      if let failure = write(value, to: switchPath) {
        return Outcome(
          isDone: false,
          words: "\(switchPath): \(failure); install udev/60-checkpost-modem.rules, which lets the"
            + " group dialout do it, and plug the modem in again")
      }
      if !isLast {
        // Nothing tells that its capacitors are empty.
        _ = PollLoop.wait([], until: clocks.boot() + USBReset.pause, clocks: clocks)
      }
    }
    return Outcome(
      isDone: true, words: "the device of \(path) was taken off the USB bus and put back")
  }

  /// The directory of the USB device in which the port's driver lies; nil when there is none.
  private func device(ofPortAt path: String) -> String? {
    let name = (resolved(path) ?? path).split(separator: "/").last.map(String.init) ?? ""
    guard var directory = resolved("\(root)/class/tty/\(name)/device") else { return nil }
    while directory.count > root.count {
      if access(directory + "/authorized", F_OK) == 0, access(directory + "/idVendor", F_OK) == 0 {
        return directory
      }
      guard let slash = directory.lastIndex(of: "/") else { return nil }
      directory = String(directory[..<slash])
    }
    return nil
  }

  private func resolved(_ path: String) -> String? {
    guard let pointer = realpath(path, nil) else { return nil }
    defer { free(pointer) }
    return String(cString: pointer)
  }

  private func write(_ value: String, to path: String) -> String? {
    let number = open(path, O_WRONLY | O_CLOEXEC)
    guard number >= 0 else { return systemMessage(errno) }
    defer { close(number) }
    return Glibc.write(number, value, value.utf8.count) == value.utf8.count
      ? nil : systemMessage(errno)
  }
}
