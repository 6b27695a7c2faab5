import EventLoop
import Glibc
public import NodeCore
public import Time

/// Makes photographs smaller that have more bytes than one may have, with a program of the system: those of libvips
/// or of libjpeg, whichever is there. It works on a copy in a directory of its own, and is ended when it takes too
/// long or too much memory.
public struct PhotoScaler: Sendable {
  /// One way to a smaller file: programs that run one after the other.
  private struct Way {
    var commands: [[String]]
    /// Whether it turns the image as its orientation says; what does not loses that.
    var turns = false
  }

  private let directories: [String]
  private let temporary: String
  private let clocks: any Clocks

  /// A scaler.
  ///
  /// - Parameters:
  ///   - path: Where programs are looked for, as `PATH` has it.
  ///   - temporary: Where it makes its own directory.
  public init(path: String, temporary: String = "/tmp", clocks: any Clocks) {
    directories = path.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
    self.temporary = temporary
    self.clocks = clocks
  }

  /// The photograph of a file, made to fit; nil where no program here can.
  ///
  /// - Throws: Why the file is no whole photograph: a program would make one of what there is of it.
  public func scaled(_ path: String) throws(PhotoFault) -> Photograph? {
    guard let bytes = PhotoScaler.content(of: path), PhotoKind(beginning: bytes) != nil else {
      return nil
    }
    let kind = try PhotoKind(of: bytes, most: Limits.scalableBytes)
    guard let directory = makeDirectory() else { return nil }
    defer { remove(directory) }
    let source = "\(directory)/in.\(kind.suffix)"
    guard write(bytes, to: source) else { return nil }
    let orientation = kind == .jpeg ? JPEGOrientation(of: bytes) : .upright
    let target = "\(directory)/out.jpg"
    let deadline = clocks.boot() + Limits.scalingWithin
    for way in ways(from: source, to: target, by: "\(directory)/between.ppm", kind) {
      guard run(way, until: deadline), let made = try? Photograph(readingFrom: target) else {
        continue
      }
      if way.turns { return made }
      if let noted = try? Photograph(orientation.noted(in: made.bytes)) { return noted }
    }
    return nil
  }

  /// From the one that keeps the most to the one that keeps the least.
  private func ways(
    from source: String, to target: String, by between: String, _ kind: PhotoKind
  ) -> [Way] {
    var ways: [Way] = []
    for (side, quality) in [(2_560, 82), (1_600, 75)] {
      if let program = program("vipsthumbnail") {
        ways.append(
          Way(
            commands: [
              [
                program, "--vips-concurrency=1", source, "--size", "\(side)x\(side)>", "-o",
                "\(target)[Q=\(quality)]",
              ]
            ], turns: true))
      } else if let program = program("vips") {
        ways.append(
          Way(
            commands: [
              [
                program, "--vips-concurrency=1", "thumbnail", source, "\(target)[Q=\(quality)]",
                String(side), "--size", "down",
              ]
            ], turns: true))
      }
    }
    guard kind == .jpeg else { return ways }
    if let program = program("jpegtran") {
      ways.append(
        Way(commands: [
          [program, "-copy", "none", "-optimize", "-progressive", "-outfile", target, source]
        ]))
    }
    if let reader = program("djpeg"), let writer = program("cjpeg") {
      for (scale, quality) in [("1/1", 80), ("1/2", 80), ("1/4", 75), ("1/8", 75)] {
        ways.append(
          Way(commands: [
            [reader, "-scale", scale, "-outfile", between, source],
            [writer, "-quality", String(quality), "-outfile", target, between],
          ]))
      }
    }
    return ways
  }

  private func program(_ name: String) -> String? {
    directories.lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  private func run(_ way: Way, until deadline: BootInstant) -> Bool {
    way.commands.allSatisfy { arguments in
      let left = deadline - clocks.boot()
      guard left > .zero else { return false }
      // A picture can be far larger than its file.
      let bounds =
        program("prlimit").map {
          [$0, "--as=\(Limits.scalingBytes)", "--fsize=\(Limits.scalingBytes)", "--"]
        } ?? []
      let command = ChildCommand(bounds + arguments, timeout: left)
      return command.run(clocks: clocks) == .ended(code: 0)
    }
  }

  // MARK: Its files

  /// All of a file that has not too many bytes even for that; nil for what is no file.
  private static func content(of path: String) -> [UInt8]? {
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard number >= 0 else { return nil }
    defer { close(number) }
    var status = stat()
    guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= Limits.scalableBytes
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes[filled...].withUnsafeMutableBytes { read(number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      filled += count
    }
    return bytes
  }

  private func makeDirectory() -> String? {
    var template = Array("\(temporary)/checkpost-photo-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func remove(_ directory: String) {
    for name in SystemFile.names(in: directory) {
      unlink("\(directory)/\(name)")
    }
    rmdir(directory)
  }

  private func write(_ bytes: [UInt8], to target: String) -> Bool {
    let number = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else { return false }
    defer { close(number) }
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }
}

extension Photograph {
  /// Reads a photograph, and makes one smaller that has more bytes than one may have.
  ///
  /// - Parameter scaler: What makes it smaller; nil for nothing.
  /// - Returns: The photograph, and whether it is a smaller one than the file has.
  public static func fitting(
    _ path: String, by scaler: PhotoScaler?
  ) throws(PhotoFileError) -> (photograph: Photograph, isScaled: Bool) {
    do throws(PhotoFileError) {
      return (try Photograph(readingFrom: path), false)
    } catch {
      guard case .refused(_, .tooLarge) = error, let scaler else { throw error }
      let scaled: Photograph?
      do throws(PhotoFault) {
        scaled = try scaler.scaled(path)
      } catch {
        throw .refused(path: path, error)
      }
      guard let scaled else { throw error }
      return (scaled, true)
    }
  }
}
