import CentralCore
import GSM
import Passages
import PostgreSQL

/// Where messages stand once facts are written down one after the other: of each message the last word.
struct InboxStandings {
  /// Where a message stands.
  fileprivate struct Standing {
    var state: InboxItem.State
    var reason: Reason?
    var client: String?
  }

  /// All that is written of a message.
  private struct Whole {
    var sender: String
    var standing: Standing
    var warnings: String?
    var part: MessagePart?
  }

  private var whole: [Int64: Whole] = [:]
  /// Of a part that a long message completed only how it stands is written.
  private var parts: [Int64: Standing] = [:]

  /// - Parameter repeated: The messages whose passage was known already.
  init(_ facts: [InboxFact], repeated: Set<Int64>) {
    for fact in facts {
      let standing = Standing(fact.change, isRepeated: repeated.contains(fact.id))
      parts[fact.id] = nil
      whole[fact.id] = Whole(
        sender: fact.sender, standing: standing, warnings: fact.change.warningWords,
        part: fact.part)
      for id in fact.others {
        if whole[id] == nil { parts[id] = standing } else { whole[id]?.standing = standing }
      }
    }
  }

  /// What writes them, in one round trip. The rows are locked in their order first, as whoever keeps messages once
  /// more does, so that nobody waits for each other.
  var commands: [PostgreSQLCommand] {
    let numbers = whole.keys.sorted()
    let rows = numbers.compactMap { whole[$0] }
    var commands = [
      PostgreSQLCommand(
        "SELECT FROM checkpost.inbox WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE",
        [.integers((numbers + parts.keys).sorted())]),
      PostgreSQLCommand(
        """
        UPDATE checkpost.inbox i SET sender = f.sender, state = f.state, reason = f.reason,
          words = f.words, client_id = f.client_id::uuid, warnings = f.warnings,
          part_key = f.part_key, part = f.part, parts = f.parts, dismissed_at = NULL,
          dismissed_by = NULL
        FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
          $7::text[], $8::text[], $9::integer[], $10::integer[])
          AS f(id, state, reason, words, client_id, sender, warnings, part_key, part, parts)
        WHERE i.id = f.id
        """,
        Self.values(numbers, rows.map(\.standing)) + [
          .texts(rows.map(\.sender.storable)), .texts(rows.map(\.warnings)),
          .texts(rows.map(\.part?.key)),
          .integers(rows.map { $0.part.map { Int64($0.part) } }),
          .integers(rows.map { $0.part.map { Int64($0.total) } }),
        ]),
    ]
    if !parts.isEmpty {
      let numbers = parts.keys.sorted()
      commands.append(
        PostgreSQLCommand(
          """
          UPDATE checkpost.inbox i SET state = f.state, reason = f.reason, words = f.words,
            client_id = f.client_id::uuid, dismissed_at = NULL, dismissed_by = NULL
          FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[])
            AS f(id, state, reason, words, client_id)
          WHERE i.id = f.id
          """, Self.values(numbers, numbers.compactMap { parts[$0] })))
    }
    return commands
  }

  private static func values(_ numbers: [Int64], _ standings: [Standing]) -> [PostgreSQLValue] {
    [
      .integers(numbers), .texts(standings.map(\.state.rawValue)),
      .texts(standings.map(\.reason?.code)),
      .texts(standings.map { $0.reason?.message.storable }),
      .texts(standings.map(\.client)),
    ]
  }
}

extension InboxStandings.Standing {
  fileprivate init(_ change: InboxFact.Change, isRepeated: Bool) {
    switch change {
    case .report: self.init(state: .report)
    case .heartbeat: self.init(state: .heartbeat)
    case .waits: self.init(state: .part)
    case .refused(let reason): self.init(state: .undecodable, reason: reason)
    case .passage(let passage, _, _):
      self.init(
        state: isRepeated ? .duplicate : .decoded, client: passage.clientID.description)
    }
  }
}

extension InboxFact.Change {
  fileprivate var warningWords: String? {
    guard case .passage(_, let warnings, _) = self, !warnings.isEmpty else { return nil }
    return warnings.map(\.rawValue).joined(separator: " ")
  }
}

extension String {
  /// The text with a visible sign where it has a zero character, which PostgreSQL keeps in none.
  fileprivate var storable: String {
    guard utf8.contains(0) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\0" ? "\u{2400}" : $0 }))
  }
}
