import Glibc
import NodeCore
import TestSupport
import Testing

@testable import PhotoFiles

/// Photographs as files: what is read, what is kept, and what is swept.
@Suite struct PhotoDirectoryTests {
  static let jpeg: [UInt8] =
    [
      0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63,
      0,
    ]
    + [0x12, 0x34, 0xFF, 0xD9]

  private let files: TemporaryDirectory
  private let directory: PhotoDirectory

  init() throws {
    files = try TemporaryDirectory()
    directory = PhotoDirectory(files.file("photos"))
  }

  private func error(_ path: String) -> PhotoFileError? {
    do throws(PhotoFileError) {
      _ = try Photograph(readingFrom: path)
      return nil
    } catch {
      return error
    }
  }

  // MARK: Reading

  @Test func aPhotographIsReadWhole() throws {
    let path = try files.write("a name that says nothing.zip", bytes: Self.jpeg)
    let photograph = try Photograph(readingFrom: path)
    #expect(photograph.bytes == Self.jpeg)
    #expect(photograph.kind == .jpeg)
  }

  @Test func theLastByteThatIsTakenIsTheLimit() throws {
    let most = Self.jpeg + [UInt8](repeating: 0, count: Limits.photoBytes - Self.jpeg.count)
    let taken = try files.write("most", bytes: most)
    #expect(try Photograph(readingFrom: taken).bytes.count == Limits.photoBytes)
    let beyond = try files.write("beyond", bytes: most + [0])
    #expect(error(beyond) == .refused(path: beyond, .tooLarge))
    #expect("\(try #require(error(beyond)))".contains("is larger than 2 MB"))
  }

  /// Nobody writes into it: opening it would wait for ever.
  @Test func aPipeIsRefusedAtOnce() throws {
    let path = files.file("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    #expect(error(path) == .notAFile(path: path, what: "a pipe"))
  }

  @Test func whatIsNoPlainFileIsRefused() throws {
    #expect(error(files.path) == .notAFile(path: files.path, what: "a directory"))
    #expect(error("/dev/zero") == .notAFile(path: "/dev/zero", what: "a device"))
    let gone = files.file("gone")
    #expect(error(gone) == .notOpened(path: gone, errno: ENOENT))
    let loop = try files.link("loop", to: files.file("loop"))
    #expect(error(loop) == .notOpened(path: loop, errno: ELOOP))
    let archive = try files.write("photo.jpg", "PK\u{3}\u{4}")
    #expect(error(archive) == .refused(path: archive, .notAPhotograph("a ZIP archive")))
    let empty = try files.write("empty.jpg")
    #expect(error(empty) == .refused(path: empty, .empty))
  }

  // MARK: Keeping

  @Test func whatIsKeptIsThereUnderANameOfItsOwn() throws {
    let photograph = try Photograph(Self.jpeg)
    let (first, second) = (try directory.keep(photograph), try directory.keep(photograph))
    #expect(first.path != second.path)
    #expect(first.count == Self.jpeg.count)
    #expect(first.contentType == "image/jpeg")
    #expect(directory.has(first) && directory.has(second))
    let file = try #require(directory.file(first.path))
    #expect(try Photograph(readingFrom: file) == photograph)
    #expect(directory.content().names.sorted() == [first.path, second.path].sorted())
    #expect(directory.content().bytes == Int64(2 * Self.jpeg.count))
    try directory.remove(first.path)
    try directory.remove(first.path)
    #expect(!directory.has(first))
  }

  @Test(arguments: [
    "../node.db", "a.jpg", "", "0123456789abcdef0123456789abcdef.gif", "/etc/passwd",
  ])
  func aNameThatIsNoneOfOursLeadsNowhere(name: String) throws {
    #expect(directory.file(name) == nil)
    #expect(!directory.has(StoredPhoto(path: name, count: 0, contentType: "image/jpeg")))
  }

  @Test func aPhotographOfAnotherSizeIsNotTheOneThatWasKept() throws {
    var stored = try directory.keep(try Photograph(Self.jpeg))
    stored.count += 1
    #expect(!directory.has(stored))
  }

  @Test func aDirectoryWithoutAParentIsToldWithItsSetting() throws {
    let nowhere = PhotoDirectory(files.file("no/photos"))
    #expect {
      try nowhere.keep(try Photograph(Self.jpeg))
    } throws: { error in
      "\(error)".contains("node.photo_directory") && (error as? PhotoStorageError)?.errno == ENOENT
    }
  }

  /// A disk that fills up while a photograph is written keeps nothing of it.
  @Test func aFullDiskKeepsNoHalfOfOne() throws {
    guard let disk = MountedDisk(kilobytes: 512) else { return }
    let photos = PhotoDirectory(disk.file("photos"))
    let small = try photos.keep(try Photograph(Self.jpeg))
    let large = try Photograph(Self.jpeg + [UInt8](repeating: 1, count: 1 << 20))
    #expect(throws: PhotoStorageError.self) { try photos.keep(large) }
    #expect(photos.content().names == [small.path])
    #expect(throws: PhotoStorageError.self) { try photos.demandRoom(for: large) }
  }

  @Test func databaseAndPhotographsShareWhatTheyMayTake() throws {
    let database = try files.write("node.db", bytes: [UInt8](repeating: 0, count: 1_000))
    let photograph = try Photograph(Self.jpeg)
    let size = Int64(Self.jpeg.count)
    let shared = PhotoDirectory(directory.path, beside: database, capacity: 1_000 + 2 * size)
    for _ in 0..<2 {
      try shared.demandRoom(for: photograph)
      _ = try shared.keep(photograph)
    }
    #expect(shared.usedBytes == 1_000 + 2 * size)
    #expect {
      try shared.demandRoom(for: photograph)
    } throws: { error in
      "\(error)".contains("storage.capacity")
    }
  }

  // MARK: Sweeping

  @Test func onlyWhatBelongsToNoPassageIsSwept() throws {
    let photograph = try Photograph(Self.jpeg)
    let (kept, orphan) = (try directory.keep(photograph), try directory.keep(photograph))
    try files.write("photos/\(orphan.path).new", "half of one")
    try files.write("photos/notes.txt", "of somebody else")
    #expect(directory.sweep { _ in [kept.path] } == 2)
    #expect(directory.content().names == [kept.path])
    #expect(exists(files.file("photos/notes.txt")))
    #expect(!exists(files.file("photos/\(orphan.path).new")))
  }

  @Test func nothingIsSweptWhileAPassageIsStillToBeRecorded() throws {
    let hold = try directory.hold()
    let stored = try directory.keep(try Photograph(Self.jpeg))
    #expect(directory.sweep { _ in [] } == nil)
    #expect(directory.has(stored))
    hold.end()
    #expect(directory.sweep { _ in [] } == 1)
  }

  private struct Unreadable: Error {}

  @Test func whatCannotBeToldStays() throws {
    let stored = try directory.keep(try Photograph(Self.jpeg))
    #expect(throws: Unreadable.self) {
      try directory.sweep { _ throws(Unreadable) in throw Unreadable() }
    }
    #expect(directory.has(stored))
  }
}
