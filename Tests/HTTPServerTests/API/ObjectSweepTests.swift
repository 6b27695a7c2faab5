import CentralCore
import Glibc
import TestSupport
import Testing
import Time

@testable import HTTPServer

/// Photographs that no passage ever named, as files.
@Suite struct ObjectSweepTests {
  private let directory: TemporaryDirectory
  private let objects: ObjectDirectory
  private let moment = WallTime(epochSeconds: 1_700_000_000)

  init() throws {
    directory = try TemporaryDirectory()
    objects = ObjectDirectory(directory.file("photos"), reserveBytes: 0)
  }

  private func write(
    _ name: String, _ bytes: [UInt8] = APIBench.jpeg, secondsBefore age: Int = 1
  ) throws {
    let file = try directory.write("photos/\(name)", bytes: bytes)
    let time = timespec(tv_sec: Int(moment.epochSeconds) - age, tv_nsec: 0)
    let isSet = utimensat(AT_FDCWD, file, [time, time], 0) == 0
    #expect(isSet)
  }

  private func isThere(_ name: String) -> Bool {
    access(directory.file("photos/\(name)"), F_OK) == 0
  }

  private struct Look: Equatable {
    var removed: Int
    var asked: [String]
  }

  private func sweep(
    named: Set<String> = [], after: String? = nil, limit: Int = 100
  ) -> Look {
    var sweep = PhotographSweep(
      after: after.flatMap { PhotoName($0) }, writtenBefore: moment, limit: limit)
    var asked: [String] = []
    let removed = objects.sweep(&sweep) { names in
      asked = names.map(\.text)
      return Set(names.filter { named.contains($0.text) })
    }
    return Look(removed: removed, asked: asked)
  }

  @Test func whatIsOldAndNamedByNothingGoes() throws {
    try write("named.jpg")
    try write("orphan.jpg")
    try write("young.jpg", secondsBefore: 0)
    try write("notes.txt", Array("of somebody else".utf8))
    try write(".draft-1-1")
    try write(".draft-1-2", secondsBefore: 0)
    let swept = sweep(named: ["named.jpg"])
    #expect(swept.removed == 1)
    #expect(swept.asked == ["named.jpg", "notes.txt", "orphan.jpg"])
    for name in ["named.jpg", "young.jpg", "notes.txt", ".draft-1-2"] {
      #expect(isThere(name), "\(name)")
    }
    for name in ["orphan.jpg", ".draft-1-1"] { #expect(!isThere(name), "\(name)") }
  }

  @Test func aLookIsAboutSoManyAtMost() throws {
    for name in ["a.jpg", "b.jpg", "c.jpg"] { try write(name) }
    #expect(sweep(after: "a.jpg", limit: 1) == Look(removed: 1, asked: ["b.jpg"]))
    #expect(sweep(after: "b.jpg", limit: 1) == Look(removed: 1, asked: ["c.jpg"]))
    #expect(isThere("a.jpg"))
  }

  /// One that was handed in once more while it was asked whether something names it.
  @Test func whatIsReplacedMeanwhileStays() throws {
    try write("a.jpg")
    var sweep = PhotographSweep(after: nil, writtenBefore: moment, limit: 9)
    let name = try #require(PhotoName("a.jpg"))
    let removed = try objects.sweep(&sweep) { names throws(ObjectDirectory.Fault) in
      try objects.keep(APIBench.jpeg, as: name, .always)
      return []
    }
    #expect(removed == 0)
    #expect(isThere("a.jpg"))
  }

  @Test func whereNoPhotographWasKeptNothingIsAsked() {
    #expect(sweep() == Look(removed: 0, asked: []))
  }
}
