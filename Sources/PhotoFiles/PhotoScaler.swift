import EventLoop
import Glibc
import NodeCore
public import Time

/// Makes photographs smaller that have more bytes than one may have, with a program of the system: those of libvips
/// or of libjpeg, whichever is there. It works on a copy in a directory of its own, and is ended when it takes too
/// long or too much memory.
public struct PhotoScaler: Sendable {
  /// One way to a smaller file: programs that run one after the other.
  private typealias Way = [[String]]

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
  public func scaled(_ path: String) -> Photograph? {
    guard let kind = PhotoScaler.kind(of: path), let directory = makeDirectory() else { return nil }
    defer { remove(directory) }
    let source = "\(directory)/in.\(kind.suffix)"
    guard copy(path, to: source) else { return nil }
    let target = "\(directory)/out.jpg"
    let deadline = clocks.boot() + Limits.scalingWithin
    for way in ways(from: source, to: target, by: "\(directory)/between.ppm", kind) {
      guard run(way, until: deadline) else { continue }
      if let photograph = try? Photograph(readingFrom: target) { return photograph }
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
        ways.append([
          [program, source, "--size", "\(side)x\(side)>", "-o", "\(target)[Q=\(quality)]"]
        ])
      } else if let program = program("vips") {
        ways.append([
          [
            program, "thumbnail", source, "\(target)[Q=\(quality)]", String(side), "--size",
            "down",
          ]
        ])
      }
    }
    guard kind == .jpeg else { return ways }
    if let program = program("jpegtran") {
      ways.append([
        [program, "-copy", "none", "-optimize", "-progressive", "-outfile", target, source]
      ])
    }
    if let reader = program("djpeg"), let writer = program("cjpeg") {
      for (scale, quality) in [("1/1", 80), ("1/2", 80), ("1/4", 75)] {
        ways.append([
          [reader, "-scale", scale, "-outfile", between, source],
          [writer, "-quality", String(quality), "-outfile", target, between],
        ])
      }
    }
    return ways
  }

  private func program(_ name: String) -> String? {
    directories.lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  private func run(_ way: Way, until deadline: BootInstant) -> Bool {
    way.allSatisfy { arguments in
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

  private static func kind(of path: String) -> PhotoKind? {
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard number >= 0 else { return nil }
    defer { close(number) }
    var start = [UInt8](repeating: 0, count: 8)
    guard read(number, &start, start.count) == start.count else { return nil }
    return PhotoKind(beginning: start)
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

  /// Copies what may be a photograph and has not too many bytes even for that.
  private func copy(_ path: String, to target: String) -> Bool {
    let source = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard source >= 0 else { return false }
    defer { close(source) }
    var status = stat()
    guard fstat(source, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= Limits.scalableBytes
    else { return false }
    let number = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else { return false }
    defer { close(number) }
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var left = Int(status.st_size)
    while left > 0 {
      let count = read(source, &buffer, min(left, buffer.count))
      guard count > 0, write(number, &buffer, count) == count else { return false }
      left -= count
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
      guard case .refused(_, .tooLarge) = error, let scaled = scaler?.scaled(path) else {
        throw error
      }
      return (scaled, true)
    }
  }
}
