import SQLiteFile
import Storage
import Testing

@Suite struct MessageTests {
  static let all: [StorageError] = [
    .readOnly(path: "/p/n.db"), .readOnlyFileSystem(path: "/p/n.db"),
    .brokenLink(path: "/p/n.db"), .emptyFile(path: "/p/n.db"), .replaced(path: "/p/n.db"),
    .locked(path: "/p/n.db"), .tookTooLong(path: "/p/n.db"),
    .corrupt(path: "/p/n.db", detail: "d"),
    .diskFull(path: "/p/n.db"), .noPermission(path: "/p/n.db"),
    .missingDirectory(path: "/p/n.db"), .missingFile(path: "/p/n.db"),
    .isDirectory(path: "/p/n.db"), .notADatabase(path: "/p/n.db"),
    .foreignDatabase(path: "/p/n.db", found: 3), .newerSchema(path: "/p/n.db"),
    .olderSchema(path: "/p/n.db"), .notDurable(path: "/p/n.db", found: "1"),
    .inUse(path: "/p/n.db"), .deviceFailed(path: "/p/n.db", detail: "d"),
    .refusedChange(path: "/p/n.db", detail: "d"), .other(path: "/p/n.db", detail: "d"),
  ]

  @Test(arguments: all) func everyMessageNamesTheFileAndARemedy(_ error: StorageError) {
    #expect(error.message.contains("/p/n.db"))
    #expect(error.place == "/p/n.db")
    #expect(error.message.hasSuffix("."))
    #expect(error.message.split(separator: ". ").count >= 2, "what is wrong, then what to do")
  }

  @Test func onlyWhatPassesByItselfIsTransient() {
    let transient = MessageTests.all.filter(\.isTransient)
    #expect(
      transient == [
        .readOnlyFileSystem(path: "/p/n.db"), .replaced(path: "/p/n.db"),
        .locked(path: "/p/n.db"), .tookTooLong(path: "/p/n.db"),
        .diskFull(path: "/p/n.db"),
      ])
  }
}
