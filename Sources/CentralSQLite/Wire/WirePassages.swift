import CentralCore
import GRDB
import Passages
import RestAPI
import SQLiteFile
import Storage
import Time

/// What writing passages over the API needs of the file, inside a transaction.
struct WirePassages: PassageStore {
  let database: Database
  let transaction: InboxTransaction
  let rules: JudgingRules
  let now: WallTime

  init(_ database: Database, path: String, rules: JudgingRules, now: WallTime) {
    self.database = database
    transaction = InboxTransaction(database: database, path: path)
    self.rules = rules
    self.now = now
  }

  func facts(of rows: [HandedPassage]) throws(PassageFailure) -> [HandedPassageFacts] {
    try sorted {
      try rows.map { row in
        let post = try WireName.name(.post, of: row.post, database)
        let person = try person(of: row.ranger)
        return HandedPassageFacts(
          isKnown: try transaction.record(identifiedBy: row.identity) != nil,
          isNameTaken: try row.name.map {
            try $0 != row.identity && transaction.isTaken($0)
          } ?? false,
          isOwnName: try isName(row.name, of: row.identity),
          post: post.map { CheckpostCode(asItStands: $0) },
          isOnSegment: try isOnSegment(post, row.segment), suffix: person?.suffix,
          rangerPost: person?.post)
      }
    }
  }

  private func isName(_ name: ClientID?, of identity: ClientID) throws -> Bool {
    guard let name else { return false }
    return try Bool.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT r.uuid = ?2 OR coalesce(p.uuid, '') = ?2 FROM identities i
            JOIN records r ON r.number = i.record LEFT JOIN passages p ON p.id = r.passage
          WHERE i.client_id = ?1
          """), arguments: [identity.description, name.description]) ?? false
  }

  private func isOnSegment(_ post: String?, _ segment: String) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM held_ends e
            JOIN wire_names w ON w.kind = 'segment' AND w.name = e.segment
            WHERE e.post = ?1 AND w.uuid = ?2)
          """), arguments: [post, segment]) ?? false
  }

  /// The last digits of a person's number, and the post that they are assigned to; nil of nobody that is known.
  private func person(of user: String) throws -> (suffix: PhoneSuffix, post: String?)? {
    try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT phone_number, assigned_checkpost_id FROM api_user_profiles WHERE id = ?"),
      arguments: [user]
    ).map { (PhoneSuffix(phoneNumber: $0[0]), $0[1]) }
  }

  func records(
    identifiedBy identities: [ClientID]
  ) throws(PassageFailure) -> [ClientID: KnownPassage] {
    try sorted {
      var found: [ClientID: KnownPassage] = [:]
      for identity in identities {
        found[identity] = try transaction.record(identifiedBy: identity)
          .map { KnownPassage($0.record) }
      }
      return found
    }
  }

  func identities(of filters: [RestFilter]) throws(PassageFailure) -> [ClientID] {
    guard let column = Catalogue.passages.column("client_id") else { return [] }
    return try sorted {
      try WireRows.keys(filters, column, of: Catalogue.passages, database)
        .compactMap { ClientID($0) }
    }
  }

  func posts(identified uuids: [String]) throws(PassageFailure) -> [String: CheckpostCode] {
    try sorted {
      var found: [String: CheckpostCode] = [:]
      for uuid in uuids {
        found[uuid] = try WireName.name(.post, of: uuid, database).map {
          CheckpostCode(asItStands: $0)
        }
      }
      return found
    }
  }

  func take(_ arrivals: [PassageArrival]) throws(PassageFailure) -> TakenArrivals {
    do {
      return try transaction.take(arrivals, rules: rules, at: now)
    } catch {
      throw .failed(error)
    }
  }

  func rows(of reads: [RestRead]) throws(PassageFailure) -> [String] {
    try sorted { try reads.flatMap { try WireRows.read($0, database) } }
  }

  private func sorted<Value>(_ body: () throws -> Value) throws(PassageFailure) -> Value {
    do {
      return try body()
    } catch let error as RestError {
      throw .refused(error)
    } catch let error as StorageError {
      throw .failed(error)
    } catch {
      throw .failed(SQLiteFile.classify(error, path: transaction.path))
    }
  }
}
