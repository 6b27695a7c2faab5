import PostgreSQL
import Testing

@Suite struct ErrorKindTests {
  @Test(
    arguments: [
      ("40001", .retryAtOnce), ("40P01", .retryAtOnce), ("08006", .reconnect),
      ("08P01", .reconnect), ("57P01", .reconnect), ("57P02", .reconnect), ("57P03", .reconnect),
      ("25P03", .reconnect), ("55P03", .lockTimeout), ("57014", .statementTimeout),
      ("53100", .diskFull), ("53300", .tooManyConnections), ("53200", .tooManyConnections),
      ("53400", .overloaded), ("25006", .readOnly), ("23505", .constraint), ("23503", .constraint),
      ("23502", .constraint), ("23514", .constraint), ("23P01", .constraint),
      ("44000", .constraint),
      ("22P02", .data), ("22003", .data), ("42501", .denied), ("28P01", .denied),
      ("28000", .denied), ("42P01", .programming), ("42601", .programming), ("25P02", .programming),
      ("3D000", .settings), ("57P04", .settings), ("XX001", .damaged), ("XX000", .other),
      ("P0001", .constraint), ("99999", .other),
    ] as [(String, PostgreSQLError.Kind)])
  func everyConditionHasAKind(_ code: String, _ kind: PostgreSQLError.Kind) throws {
    let state = try #require(SQLState(code))
    #expect(PostgreSQLError.Kind(state) == kind)
    let report = PostgreSQLReport(state, message: "words")
    #expect(PostgreSQLError.refused(report).kind == kind)
    #expect(PostgreSQLError.notConnected(.signIn, reason: "words", state: state).kind == kind)
  }

  @Test(arguments: ["", "4000", "400011", "4000a", "40 01", "４0001"])
  func whatIsNoCodeIsNone(_ text: String) {
    #expect(SQLState(text) == nil)
  }

  @Test func whatMayBeDoneIsNeverCalledFailed() {
    let error = PostgreSQLError.outcomeUnknown(reason: "the connection ended")
    #expect(error.kind == .outcomeUnknown)
    #expect(!error.isTransient, "it is not asked again just so")
    #expect(error.description.contains("unknown"))
    #expect(!error.description.contains("failed"))
  }

  @Test func whatTheServerSaysOfValuesIsInNoDescription() throws {
    let secret = "BA1PA1234"
    for code in ["22P02", "22001", "P0001"] {
      let report = PostgreSQLReport(
        try #require(SQLState(code)), message: "invalid input: \"\(secret)\"",
        detail: "Key (plate)=(\(secret)).", table: "passages", column: "plate")
      let error = PostgreSQLError.refused(report)
      for text in ["\(error)", String(reflecting: error), "\(report)", error.problem] {
        #expect(!text.contains(secret))
        #expect(text.contains(code))
        #expect(text.contains("passages"))
      }
    }
    let unique = PostgreSQLReport(
      .uniqueViolation, message: "duplicate key value violates unique constraint \"one\"",
      detail: "Key (plate)=(\(secret)) already exists.", constraint: "one", table: "passages")
    #expect(
      "\(unique)"
        == "23505: duplicate key value violates unique constraint \"one\" (table passages)")
  }

  @Test func everyKindSaysWhatHelps() {
    for kind in PostgreSQLError.Kind.allCases { #expect(kind.remedy.count > 5) }
    // What helps fits what is wrong, and nobody is told that a command goes on by itself.
    #expect(PostgreSQLError.noLibrary(reason: "x").remedy == "apt-get install libpq5")
    let unnamed = PostgreSQLError.unusableSettings(reason: "no user is named")
    #expect(unnamed.remedy.contains("central.postgresql.connection"))
    #expect(!unnamed.remedy.contains("libpq5"))
    let missing = PostgreSQLError.notConnected(
      .signIn, reason: "database \"x\" does not exist", state: SQLState("3D000"))
    #expect(missing.remedy.contains("createdb"))
    #expect(PostgreSQLError.Kind.reconnect.remedy.contains("a service tries again"))
    for phase in PostgreSQLPhase.allCases { #expect(!phase.words.isEmpty) }
  }

  @Test func aStatementThatIsStaleIsTriedAgain() throws {
    let changed = PostgreSQLReport(
      .notSupported, message: "words in any language", routine: "RevalidateCachedQuery")
    #expect(PostgreSQLError.refused(changed).kind == .retryAtOnce)
    let other = PostgreSQLReport(.notSupported, message: "words", routine: "transformStmt")
    #expect(PostgreSQLError.refused(other).kind == .programming)
  }
}
