import EventLoop
import Glibc
import ServerModel
import Time

/// What changed the server, in a file that only grows: read again, it makes the same server.
///
/// An entry is a line with the time, the fault that befell the request, method and target, and the
/// lengths of what follows: the header fields and the body. One that was not written whole is dropped.
struct Journal {
  private let path: String
  private let file: Descriptor
  private var waiting: [UInt8] = []

  /// Opens a journal, or begins one, and lets the model take again what stands in it.
  init(_ path: String, replayingInto model: inout ServerModel) throws(ServerSimulatorError) {
    self.path = path
    let number = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND, 0o600)
    guard number >= 0 else { throw .journal(path: path, operation: "open it", errno: errno) }
    file = Descriptor(owning: number)
    let bytes = try Self.content(of: number, path)
    let kept = try Self.replay(bytes, path, into: &model)
    guard ftruncate(number, off_t(kept)) == 0, fsync(number) == 0 else {
      throw .journal(path: path, operation: "cut what was not written whole", errno: errno)
    }
  }

  /// Notes a request for the next ``commit()``.
  mutating func append(_ request: ModelRequest, fault: ModelFault?, at now: WallTime) {
    let headers = request.headers.sorted { $0.key < $1.key }
      .map { "\($0.key): \($0.value)\n" }.joined()
    let line =
      "\(now.milliseconds) \(fault?.rawValue ?? "-") \(request.method) \(request.target)"
      + " \(headers.utf8.count) \(request.body.count)\n"
    waiting += Array(line.utf8) + Array(headers.utf8) + request.body + [10]
  }

  /// Writes what was noted, and returns once it is on the disk.
  mutating func commit() throws(ServerSimulatorError) {
    guard !waiting.isEmpty else { return }
    var rest = waiting[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(file.value, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .journal(path: path, operation: "write", errno: errno) }
      rest = rest.dropFirst(count)
    }
    guard fdatasync(file.value) == 0 else {
      throw .journal(path: path, operation: "flush it to the disk", errno: errno)
    }
    waiting = []
  }

  private static func content(
    of number: Int32, _ path: String
  ) throws(ServerSimulatorError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: Limits.readBytes)
    while true {
      let count = read(number, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .journal(path: path, operation: "read it", errno: errno) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// Lets a model take the entries; how many bytes of them were whole.
  private static func replay(
    _ bytes: [UInt8], _ path: String, into model: inout ServerModel
  ) throws(ServerSimulatorError) -> Int {
    var place = 0
    while let line = bytes[place...].firstIndex(of: 10) {
      let words = String(decoding: bytes[place..<line], as: UTF8.self).split(separator: " ")
      guard words.count == 6, let time = Int64(words[0]), let headers = Int(words[4]),
        let body = Int(words[5]), headers >= 0, body >= 0,
        words[1] == "-" || ModelFault(rawValue: String(words[1])) != nil
      else { throw .notAJournal(path: path, byte: place) }
      let start = line + 1
      let end = start + headers + body
      guard end < bytes.count else { break }
      var fields: [String: String] = [:]
      for field in bytes[start..<start + headers].split(separator: 10) {
        let parts = String(decoding: field, as: UTF8.self).split(separator: ":", maxSplits: 1)
        if parts.count == 2 { fields[String(parts[0])] = String(parts[1].dropFirst()) }
      }
      model.repeat(
        ModelRequest(
          String(words[2]), String(words[3]), headers: fields,
          body: Array(bytes[start + headers..<end])),
        fault: ModelFault(rawValue: String(words[1])), at: WallTime(milliseconds: time))
      place = end + 1
    }
    return place
  }
}
