import RestAPI
import Storage
import Testing

/// What a store that fails is to clients.
struct StorageFailureTests {
  private func failure(_ kind: StorageError.Kind) -> StorageError {
    StorageError(kind, of: "postgresql", problem: "", remedy: "")
  }

  /// While no server that takes changes is reachable, as in a failover, nothing says that it could not be read.
  @Test func whatTakesNoChangesMayBeReadSoonAgain() {
    let write = RestError(failure(.readOnly))
    #expect(write.status(isAnonymous: false) == 405)
    #expect(write.code == "25006")
    let read = RestError(reading: failure(.readOnly))
    #expect(read.status(isAnonymous: false) == 503)
    #expect(read.code == "PGRST002")
    for kind in [StorageError.Kind.full, .busy, .failed] {
      #expect(RestError(reading: failure(kind)).code == RestError(failure(kind)).code)
    }
  }
}
