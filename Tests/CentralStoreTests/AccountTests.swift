import Accounts
import CentralCore
import Passages
import Storage
import Testing
import Time

/// What a store of accounts keeps, and what it refuses.
@Suite("Accounts in a store")
struct AccountTests {
  private let now = WallTime(epochSeconds: 1_790_000_000)

  private func store(_ kind: StoreKind) throws -> (Bench, any AccountStore) {
    let bench = try Bench(kind)
    return (bench, try #require(bench.store as? any AccountStore))
  }

  private func account(_ name: String, _ number: UInt64 = 1, phone: String? = nil) throws -> Account
  {
    Account(
      id: AccountID(random: number, number),
      login: try #require(LoginName(name, domain: "bnp.local")),
      fullName: "Sita K.C.", role: .ranger, phone: phone, post: try CheckpostCode("BNP-A"),
      createdAt: now)
  }

  private func digest(_ byte: UInt8) throws -> TokenDigest {
    try #require(TokenDigest([UInt8](repeating: byte, count: 32)))
  }

  @Test("is there again as it was kept, by identifier and by name", arguments: StoreKind.shipped)
  func roundTrip(kind: StoreKind) throws {
    let (bench, store) = try store(kind)
    defer { withExtendedLifetime(bench) {} }
    var sita = try account("sita", phone: "+9779841114567")
    let conflict = try store.accountTransaction { rows throws(StorageError) in
      try rows.insert(sita, password: "$scrypt$x")
    }
    #expect(conflict == nil)
    let login = sita.login
    let id = sita.id
    let read = try store.readAccounts { rows throws(StorageError) in
      (try rows.account(id), try rows.account(login: login), try rows.password(of: id))
    }
    #expect(read.0 == sita)
    #expect(read.1 == sita)
    #expect(read.2 == "$scrypt$x")
    sita.isActive = false
    sita.role = .admin
    sita.post = nil
    sita.phone = nil
    sita.updatedAt = now + .seconds(5)
    let changed = sita
    let after = try store.accountTransaction { rows throws(StorageError) in
      _ = try rows.update(changed)
      try rows.setPassword("$scrypt$y", of: id, at: changed.updatedAt)
      return (try rows.accounts(), try rows.password(of: id))
    }
    #expect(after.0 == [changed])
    #expect(after.1 == "$scrypt$y")
  }

  @Test(
    "is refused where a name or a number is taken, or the post is unknown, and the rest goes on",
    arguments: StoreKind.shipped)
  func conflicts(kind: StoreKind) throws {
    let (bench, store) = try store(kind)
    defer { withExtendedLifetime(bench) {} }
    let first = try account("sita", 1, phone: "+9779841114567")
    let sameName = try account("sita", 2)
    let samePhone = try account("ram", 3, phone: "+9779841114567")
    var lost = try account("hari", 4)
    lost.post = try CheckpostCode("XYZ-9")
    let nowhere = lost
    let last = try account("gita", 5)
    let answers = try store.accountTransaction { rows throws(StorageError) in
      var answers: [AccountConflict?] = []
      for account in [first, sameName, samePhone, nowhere, last] {
        answers.append(try rows.insert(account, password: nil))
      }
      return answers
    }
    #expect(answers == [nil, .loginTaken, .phoneTaken, .unknownPost, nil])
    let names = try store.readAccounts { rows throws(StorageError) in
      try rows.accounts().map(\.login.address)
    }
    #expect(names == ["gita@bnp.local", "sita@bnp.local"])
  }

  @Test(
    "keeps a session with the hashes of its tokens, and an ended one ended",
    arguments: StoreKind.shipped)
  func sessions(kind: StoreKind) throws {
    let (bench, store) = try store(kind)
    defer { withExtendedLifetime(bench) {} }
    let sita = try account("sita")
    let tokens = try (0..<3).map { try digest(UInt8($0)) }
    var session = Session(id: "s-1", account: sita.id, createdAt: now)
    let begun = session
    try store.accountTransaction { rows throws(StorageError) in
      _ = try rows.insert(sita, password: nil)
      try rows.keep(begun, token: tokens[0])
    }
    session.generation = 1
    session.nonce = [1, 2, 3]
    session.refreshedAt = now + .seconds(60)
    let next = session
    let read = try store.accountTransaction { rows throws(StorageError) in
      try rows.keep(next, token: tokens[1])
      return (
        try rows.session("s-1"), try rows.session(token: tokens[0])?.generation,
        try rows.session(token: tokens[1])?.generation,
        try rows.session(token: tokens[2])?.generation,
        try rows.openSessions(of: sita.id)
      )
    }
    #expect(read.0 == next)
    #expect(read.1 == 0)
    #expect(read.2 == 1)
    #expect(read.3 == nil)
    #expect(read.4 == [next])
    let ended = try store.accountTransaction { rows throws(StorageError) in
      (
        try rows.endSessions(of: sita.id, except: "s-1", .ended, at: next.refreshedAt),
        try rows.endSessions(of: sita.id, except: nil, .signedOut, at: next.refreshedAt),
        try rows.endSessions(of: sita.id, except: nil, .ended, at: next.refreshedAt),
        try rows.session(token: tokens[1])?.session.end, try rows.openSessions(of: sita.id)
      )
    }
    #expect(ended.0 == 0)
    #expect(ended.1 == 1)
    #expect(ended.2 == 0)
    #expect(ended.3 == .signedOut)
    #expect(ended.4 == [])
    #expect(throws: StorageError.self) {
      try store.accountTransaction { rows throws(StorageError) in try rows.keep(next, token: nil) }
    }
  }

  @Test("ends the sessions of who is disabled, for good", arguments: StoreKind.shipped)
  func disabling(kind: StoreKind) throws {
    let (bench, store) = try store(kind)
    defer { withExtendedLifetime(bench) {} }
    let sita = try account("sita")
    let session = Session(id: "s-1", account: sita.id, createdAt: now)
    let ends = try [false, true].map { isActive in
      var changed = sita
      changed.isActive = isActive
      let account = changed
      return try store.accountTransaction { rows throws(StorageError) in
        if !isActive {
          _ = try rows.insert(sita, password: nil)
          try rows.keep(session, token: nil)
        }
        _ = try rows.update(account)
        return try rows.session("s-1")?.end
      }
    }
    #expect(ends == [.ended, .ended])
  }

  /// Another program may write the table.
  @Test("ends the sessions of who is disabled by SQL", .needsPostgreSQL) func disablingBySQL()
    throws
  {
    let place = try PostgreSQLPlace()
    let bench = try Bench(place)
    defer { withExtendedLifetime(bench) {} }
    let store = try #require(bench.store as? any AccountStore)
    let sita = try account("sita")
    let session = Session(id: "s-1", account: sita.id, createdAt: now)
    try store.accountTransaction { rows throws(StorageError) in
      _ = try rows.insert(sita, password: nil)
      try rows.keep(session, token: nil)
    }
    for isActive in [false, true] {
      try place.execute("UPDATE checkpost.accounts SET active = \(isActive)")
      let end = try store.accountTransaction { rows throws(StorageError) -> Session.End? in
        try rows.session("s-1")?.end
      }
      #expect(end == .ended)
    }
  }

  @Test(
    "forgets the oldest tokens of a session, and sessions that nobody uses",
    arguments: StoreKind.shipped)
  func forgetting(kind: StoreKind) throws {
    let (bench, store) = try store(kind)
    defer { withExtendedLifetime(bench) {} }
    let sita = try account("sita")
    let id = sita.id
    let start = now
    let digests = try (0..<1_100).map { number in
      try #require(
        TokenDigest((0..<32).map { $0 < 2 ? UInt8(truncatingIfNeeded: number >> ($0 * 8)) : 7 }))
    }
    let found = try store.accountTransaction { rows throws(StorageError) in
      _ = try rows.insert(sita, password: nil)
      for (number, digest) in digests.enumerated() {
        let session = Session(id: "s", account: id, createdAt: start, generation: number)
        try rows.keep(session, token: digest)
      }
      var found: [Bool] = []
      for digest in digests { found.append(try rows.session(token: digest) != nil) }
      return found
    }
    #expect(found.filter { $0 }.count == 1_000)
    #expect(found.suffix(1_000).allSatisfy { $0 })
    let day = Duration.seconds(86_400)
    let left = try store.accountTransaction { rows throws(StorageError) in
      // Of the newest nothing is forgotten, however far ahead the clock is.
      try rows.forgetSessions(unusedFor: day, at: start + day * 900)
      let before = try rows.session("s") != nil
      let later = Session(id: "t", account: id, createdAt: start + day * 2)
      try rows.keep(later, token: nil)
      // Nor for the sake of one that is dated ahead.
      try rows.forgetSessions(unusedFor: day, at: start)
      let between = try rows.session("s") != nil
      try rows.forgetSessions(unusedFor: day, at: start + day * 2)
      return (
        before, between, try rows.session("s"), try rows.session(token: digests[1_099]),
        try rows.session("t")
      )
    }
    #expect(left.0)
    #expect(left.1)
    #expect(left.2 == nil)
    #expect(left.3 == nil)
    #expect(left.4 != nil)
  }

  @Test(
    "keeps keys with their hash, their post and their dates; a revoked one stays revoked",
    arguments: StoreKind.shipped)
  func keys(kind: StoreKind) throws {
    let (bench, store) = try store(kind)
    defer { withExtendedLifetime(bench) {} }
    let key = APIKey(
      prefix: "k3v9x2ab", name: "BNP-A's box", role: .post, post: try CheckpostCode("BNP-A"),
      digest: try digest(9), createdAt: now, validFrom: now, validUntil: now + .seconds(60))
    var nowhere = key
    nowhere.prefix = "k3v9x2ac"
    nowhere.post = try CheckpostCode("XYZ-9")
    let unplaced = nowhere
    let start = now
    let read = try store.accountTransaction { rows throws(StorageError) in
      (
        [try rows.insert(key), try rows.insert(key), try rows.insert(unplaced)],
        try rows.key("k3v9x2ab"), try rows.keys(), try rows.key("k3v9x2ac")
      )
    }
    #expect(read.0 == [nil, .prefixTaken, .unknownPost])
    #expect(read.1 == key)
    #expect(read.2 == [key])
    #expect(read.3 == nil)
    let after = try store.accountTransaction { rows throws(StorageError) in
      try rows.noteUse(of: "k3v9x2ab", at: start + .seconds(5))
      let revoked = [
        try rows.revokeKey("k3v9x2ab", at: start + .seconds(9)),
        try rows.revokeKey("k3v9x2ab", at: start + .seconds(10)),
        try rows.revokeKey("nothing1", at: start),
      ]
      return (revoked, try rows.key("k3v9x2ab"))
    }
    #expect(after.0 == [true, false, false])
    #expect(after.1?.usedAt == now + .seconds(5))
    #expect(after.1?.revokedAt == now + .seconds(9))
  }

  @Test("knows the segment of a post, and none of a post without one", arguments: StoreKind.shipped)
  func segments(kind: StoreKind) throws {
    let (bench, store) = try store(kind)
    try bench.put(.post(try post("BNP-C")))
    let codes = try ["BNP-A", "BNP-C", "XYZ-9"].map { try CheckpostCode($0) }
    let segments = try store.readAccounts { rows throws(StorageError) in
      var segments: [String?] = []
      for code in codes { segments.append(try rows.segment(of: code)) }
      return segments
    }
    #expect(segments == ["Banepa", nil, nil])
  }

  @Test(
    "keeps what was done, newest first, and lets nobody change it", arguments: StoreKind.shipped)
  func audit(kind: StoreKind) throws {
    let (bench, store) = try store(kind)
    let entries = AuditEntry.Kind.allCases.map { kind in
      AuditEntry(
        at: now, kind, account: AccountID(random: 1, 1), key: "k3v9x2ab", address: "10.0.0.1",
        actor: "uid 0", detail: "x")
    }
    let read = try store.accountTransaction { rows throws(StorageError) in
      for entry in entries { try rows.record(entry) }
      return (try rows.audit(limit: 100), try rows.audit(limit: 1))
    }
    #expect(read.0 == entries.reversed())
    #expect(read.1 == [entries[entries.count - 1]])
    let place = try #require(bench.place as? any SQLPlace)
    #expect(throws: (any Error).self) {
      try place.execute("UPDATE audit SET actor = 'somebody else'")
    }
  }

  @Test(
    "writes nothing while it only looks, and nothing of what failed", arguments: StoreKind.shipped)
  func transactions(kind: StoreKind) throws {
    let (bench, store) = try store(kind)
    defer { withExtendedLifetime(bench) {} }
    let sita = try account("sita")
    #expect(throws: StorageError.self) {
      try store.accountTransaction { rows throws(StorageError) in
        _ = try rows.insert(sita, password: nil)
        throw StorageError(.failed, of: "x", problem: "it fails", remedy: "nothing")
      }
    }
    let count = try store.readAccounts { rows throws(StorageError) in try rows.accounts().count }
    #expect(count == 0)
  }
}
