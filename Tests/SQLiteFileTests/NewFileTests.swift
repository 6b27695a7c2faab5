import Foundation
import Glibc
import SQLiteFile
import Storage
import TestSupport
import Testing

/// What is there already is never taken for a new database, and a new one is whole or not there.
@Suite struct NewFileTests {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("a.db")
  }

  private func open(_ path: String) throws(StorageError) -> SQLiteFile {
    try SQLiteFile.open(path, applicationID: 7, migrations: notes)
  }

  private func bytes() throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private func put(_ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  @Test func anEmptyFileIsNotANewOne() throws {
    try put([])
    for checks in [true, false] {
      #expect(throws: StorageError.emptyFile(path: path)) {
        try SQLiteFile.open(path, applicationID: 7, migrations: notes, checks: checks)
      }
      #expect(try bytes().isEmpty)
    }
  }

  @Test func aFileThatLostItsTablesIsNotANewOne() throws {
    let file = try open(path)
    for number in 0..<500 {
      try add("note \(number), of some length so that there are pages", to: file)
    }
    try file.close()
    let whole = try bytes()
    // The root of the schema without its cells; the first page alone; less than one; a header of
    // nothing; half of it.
    var withoutCells = whole
    withoutCells.replaceSubrange(103..<108, with: [0, 0, 0, 0, 0])
    let damaged = [
      withoutCells, Array(whole[..<4_096]), Array(whole[..<300]), Array(whole[..<1]),
      [UInt8](repeating: 0, count: whole.count), [UInt8](repeating: 0, count: 100) + whole[100...],
      Array(whole[..<(whole.count / 2)]),
    ]
    for (number, image) in damaged.enumerated() {
      try put(image)
      #expect(throws: StorageError.self, "image \(number)") { try open(path) }
      #expect(try bytes() == image, "image \(number) stays as it was")
    }
    try put(whole)
    #expect(try count(try open(path)) == 500)
  }

  @Test func aLinkThatLeadsNowhereMakesNoFile() throws {
    let target = directory.file("target.db")
    #expect(symlink(target, path) == 0)
    #expect(throws: StorageError.brokenLink(path: path)) { try open(path) }
    #expect(access(target, F_OK) != 0)
    // Once what it leads to is there, it is used.
    try open(target).close()
    let file = try open(path)
    try add("one", to: file)
    try file.close()
    #expect(try count(try open(target)) == 1)
  }

  @Test func aNewFileIsWholeAndAlone() throws {
    let file = try open(path)
    #expect(try permissions(path) & 0o007 == 0)
    try file.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(names == ["a.db"])
    #expect(try bytes().count > 4_096)
  }
}
