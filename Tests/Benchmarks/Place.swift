import EventLoop
import Glibc

/// Where the benchmarks work: a directory of their own on the disk that is to be measured.
struct Place {
  /// The directory; removed at the end.
  let directory: String
  /// The program, built for release.
  let program: String

  /// Makes the directory beside the benchmarks' own build, or in `BENCH_DIRECTORY`, which may lie on
  /// a memory card; the program is looked for in the checkout, or is `BENCH_PROGRAM`.
  init() throws {
    let own = try Place.ownPath()
    let marker = "/.build/"
    let checkout = own.range(of: marker).map { String(own[..<$0.lowerBound]) }
    let build = checkout.map { $0 + marker.dropLast() }
    guard let base = Place.environment("BENCH_DIRECTORY") ?? build else {
      throw Failure("set BENCH_DIRECTORY to a directory on the disk to measure")
    }
    program =
      Place.environment("BENCH_PROGRAM") ?? (checkout ?? ".") + "/.build/release/checkpost"
    var template = Array((base + "/bench-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure(system: "\(base): make a directory") }
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// A path in the directory.
  func path(_ name: String) -> String {
    directory + "/" + name
  }

  /// A place of its own within this one.
  func within(_ name: String) throws -> Place {
    try makeDirectory(name)
    return Place(directory: path(name), program: program)
  }

  /// Makes a directory in it.
  func makeDirectory(_ name: String) throws {
    guard mkdir(path(name), 0o700) == 0 else { throw Failure(system: path(name)) }
  }

  /// Removes the directory with all that is in it.
  func remove() {
    Place.remove(directory)
  }

  private static func remove(_ directory: String) {
    for name in SystemFile.names(in: directory) {
      let path = directory + "/" + name
      if unlink(path) != 0, errno == EISDIR { remove(path) }
    }
    rmdir(directory)
  }

  private init(directory: String, program: String) {
    self.directory = directory
    self.program = program
  }

  static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Where this program lies.
  static func ownPath() throws -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &bytes, bytes.count)
    guard count > 0 else { throw Failure(system: "/proc/self/exe") }
    return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension String {
  /// Where a text stands for the first time in this one.
  func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      let rest = self[start...]
      if rest.hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
