import Storage
import Testing

struct StorageErrorTests {
  @Test func saysWhatIsWrongAndWhatHelps() {
    let error = StorageError(
      .full, of: "/p/n.db", problem: "There is no space left for the database /p/n.db",
      remedy: "Free space")
    #expect(error.message == "There is no space left for the database /p/n.db. Free space.")
    #expect("\(error)" == error.message)
  }

  @Test func waitingHelpsWhereTheStoreIsInOrder() {
    #expect(
      StorageError.Kind.allCases.filter(\.isTransient) == [.busy, .full, .readOnly, .lost])
  }

  @Test func onlyTheKindAndTheWordsTellErrorsApart() {
    let one = StorageError(.busy, of: "a", problem: "p", remedy: "r")
    #expect(one == StorageError(.busy, of: "a", problem: "p", remedy: "r"))
    #expect(one != StorageError(.busy, of: "a", problem: "p", remedy: "r", detail: "d"))
    #expect(one != StorageError(.lost, of: "a", problem: "p", remedy: "r"))
  }
}
