import Control
import Dispatch
import EventLoop
import NodeCore
import NodeSQLite
import PhotoFiles
import Storage
import Synchronization
import Time

/// Keeps the photographs that commands hand to the running service, part by part, and those that it keeps
/// in order.
final class PhotoDesk: Sendable {
  private struct Upload {
    var bytes: [UInt8] = []
    var touched: BootInstant
  }

  private struct State {
    /// What is on its way, by what whoever sends it calls it.
    var uploads: [String: Upload] = [:]
    /// What is kept and belongs to no passage yet, since when.
    var waiting: [String: BootInstant] = [:]
    /// What the photographs take, and when that was counted.
    var used: (bytes: Int64, at: BootInstant)?
    /// When photographs without a passage were last looked for.
    var sweptAt: BootInstant?
    /// While something waits, nobody sweeps.
    var hold: PhotoDirectory.Hold?
  }

  /// Photographs that are on their way at a time: each takes memory.
  private static let mostUploads = 4
  /// How long a part, or the passage after the last one, may take.
  private static let patience: Duration = .seconds(120)

  /// Where they are kept.
  let directory: PhotoDirectory
  private let room: RoomMaker
  private let clocks: any Clocks
  /// A disk may take seconds for what it writes, and the control socket goes on meanwhile.
  private let queue = DispatchQueue(label: "photographs")
  private let state = Mutex(State())

  init(_ directory: PhotoDirectory, of store: SQLiteNodeStore, clocks: any Clocks) {
    room = RoomMaker(store, directory, clocks: clocks)
    self.directory = directory
    self.clocks = clocks
  }

  /// Removes the files of photographs that nothing needs any more.
  func remove(_ names: [String]) {
    for name in names { try? directory.remove(name) }
    state.withLock { $0.used = nil }
  }

  /// What the photographs take, counted a minute ago at most.
  var usedBytes: Int64 {
    let now = clocks.boot()
    if let used = state.withLock({ $0.used }), now - used.at < .seconds(60) { return used.bytes }
    let bytes = directory.content().bytes
    state.withLock { $0.used = (bytes, now) }
    return bytes
  }

  /// Takes a part, and answers it once it has come, or once the whole photograph is on disk.
  func take(_ part: Operations.Photo, _ reply: ControlReply) {
    queue.async { [self] in
      do throws(ControlRefusal) {
        reply.done(try take(part))
      } catch {
        reply.answer(.refused(error))
      }
    }
  }

  private func take(_ part: Operations.Photo) throws(ControlRefusal) -> Operations.Photo.Answer {
    guard let bytes = part.bytes, bytes.count <= Operations.Photo.partBytes,
      !part.upload.isEmpty, part.upload.utf8.count <= 64
    else {
      throw ControlRefusal(code: "bad_request", message: Operations.Photo.isMissing, exitCode: 64)
    }
    let whole = try state.withLock { state throws(ControlRefusal) -> [UInt8] in
      try PhotoDesk.add(bytes, of: part, to: &state, at: clocks.boot())
    }
    guard part.last else { return Operations.Photo.Answer(received: whole.count) }
    let photograph: Photograph
    do throws(PhotoFault) {
      photograph = try Photograph(whole)
    } catch {
      throw ControlRefusal(
        code: "bad_photo", message: "the photograph \(error)", exitCode: ExitStatus.badData.code)
    }
    do throws(PhotoStorageError) {
      let stored = try keep(photograph)
      return Operations.Photo.Answer(
        received: whole.count, name: stored.path, type: stored.contentType)
    } catch {
      throw ControlRefusal(
        code: Operations.Photo.notKept, message: error.description,
        exitCode: ExitStatus.inputOutput.code)
    }
  }

  private static func add(
    _ bytes: [UInt8], of part: Operations.Photo, to state: inout State, at now: BootInstant
  ) throws(ControlRefusal) -> [UInt8] {
    state.uploads = state.uploads.filter { now - $0.value.touched < patience }
    var upload = state.uploads[part.upload] ?? Upload(touched: now)
    guard part.at == upload.bytes.count, upload.bytes.count + bytes.count <= Limits.photoBytes
    else {
      state.uploads[part.upload] = nil
      throw ControlRefusal(
        code: "bad_request",
        message: "a part of a photograph does not follow on the one before; send it anew",
        exitCode: 64)
    }
    guard state.uploads[part.upload] != nil || state.uploads.count < mostUploads else {
      throw ControlRefusal(
        code: "busy", message: "\(mostUploads) photographs are on their way; try again in a moment",
        exitCode: ExitStatus.tryAgain.code)
    }
    upload.bytes += bytes
    upload.touched = now
    state.uploads[part.upload] = part.last ? nil : upload
    return upload.bytes
  }

  private func keep(_ photograph: Photograph) throws(PhotoStorageError) -> StoredPhoto {
    // Held before anything is written, so that a sweep never meets a photograph without its passage.
    if state.withLock({ $0.hold == nil }) {
      let hold = try directory.hold()
      state.withLock { $0.hold = hold }
    }
    try room.demandRoom(for: photograph)
    let stored = try directory.keep(photograph)
    let now = clocks.boot()
    state.withLock { $0.waiting[stored.path] = now }
    return stored
  }

  /// Takes note of what came of recording passages: photographs whose passage was there before are not
  /// needed, unless it is theirs.
  func recorded(
    _ requests: [RecordRequest], _ outcomes: [RecordOutcome]?, in store: any NodeStore
  ) {
    let named = requests.compactMap(\.photo?.path)
    guard !named.isEmpty else { return }
    queue.async { [self] in
      var unused: [String] = []
      for (request, outcome) in zip(requests, outcomes ?? []) {
        if case .recorded = outcome { continue }
        if let name = request.photo?.path { unused.append(name) }
      }
      // Where nobody knows what came of it, the photograph stays; a sweep will tell.
      if !unused.isEmpty, let known = try? store.knownPhotos(among: unused) {
        for name in unused where !known.contains(name) { try? directory.remove(name) }
      }
      letGo(of: named)
    }
  }

  private func letGo(of names: [String]) {
    let now = clocks.boot()
    state.withLock { state in
      for name in names { state.waiting[name] = nil }
      state.waiting = state.waiting.filter { now - $0.value < PhotoDesk.patience }
      if state.waiting.isEmpty {
        state.hold?.end()
        state.hold = nil
      }
    }
  }

  /// Sweeps, unless that was done within the last hours.
  func sweepNowAndThen(_ store: any NodeStore, told: @escaping @Sendable (Int) -> Void) {
    // Where nothing lies there is nothing to begin a thread for.
    guard !SystemFile.names(in: directory.path, limit: 1).isEmpty else { return }
    let now = clocks.boot()
    let isDue = state.withLock { state in
      if let swept = state.sweptAt, now - swept < .seconds(6 * 3_600) { return false }
      state.sweptAt = now
      return true
    }
    if isDue { sweep(store, told: told) }
  }

  /// Removes photographs that belong to no passage, unless some are just being recorded.
  ///
  /// - Parameter told: Handed how many there were, where there were any.
  func sweep(_ store: any NodeStore, told: @escaping @Sendable (Int) -> Void) {
    queue.async { [self] in
      letGo(of: [])
      let removed = try? directory.sweep { names throws(StorageError) in
        try store.knownPhotos(among: names)
      }
      if let removed, removed > 0 { told(removed) }
    }
  }

  /// Blocks until what was begun is done.
  func finish() {
    queue.sync {}
    state.withLock { state in
      state.hold?.end()
      state.hold = nil
    }
  }
}
