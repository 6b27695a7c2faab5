import GRDB
public import NodeCore
public import SQLiteFile
import Timing

/// What the network says about an accepted text.
public enum Delivery: String, Hashable, Sendable {
  /// The text is with its recipient.
  case delivered
  /// Not yet; the service centre goes on trying.
  case trying
  /// The service centre has given up.
  case failed
}

/// A status report, as far as the store needs it (3GPP TS 23.040 9.2.2.3).
public struct StatusReport: Hashable, Sendable {
  /// TP-MR: the reference that the text was accepted with.
  public var reference: UInt8
  /// TP-RA: the number the text went to.
  public var recipient: String
  /// What the status means for the text.
  public var delivery: Delivery
  /// TP-ST.
  public var status: UInt8

  /// A status report.
  public init(reference: UInt8, recipient: String, delivery: Delivery, status: UInt8) {
    self.reference = reference
    self.recipient = recipient
    self.delivery = delivery
    self.status = status
  }
}

/// Something that a modem of this node received.
public struct InboxEntry: Hashable, Sendable {
  /// What it turned out to be.
  public enum Content: Hashable, Sendable {
    /// A report on a text that was sent from here.
    case statusReport(StatusReport)
    /// A text from somebody; `sender` is a number or a name.
    case text(sender: String, text: String)
    /// A PDU that cannot be read; `reason` says why, in words.
    case undecodable(reason: String)
  }

  /// The PDU as the modem gave it, in hex.
  public var pdu: String
  /// What the PDU turned out to be.
  public var content: Content

  /// An entry.
  public init(pdu: String, content: Content) {
    self.pdu = pdu
    self.content = content
  }
}

/// What came of keeping something received.
public enum KeepOutcome: Hashable, Sendable {
  /// It is kept. `textID` is the text that a status report is about.
  case kept(textID: TextID?)
  /// It was kept before: the modem gave it twice.
  case known
}

extension StoreTransaction {
  /// Keeps something received, before the modem is told to delete it, and notes what a status report
  /// says at the text it is about.
  public func keep(_ entry: InboxEntry, at moment: Moment) throws(StorageError) -> KeepOutcome {
    try sorted {
      let known = try Bool.fetchOne(
        database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM inbox WHERE pdu = ?)"),
        arguments: [entry.pdu])
      if known == true {
        return .known
      }
      var textID: TextID?
      var values: (kind: String, sender: String?, text: String?, error: String?)
      switch entry.content {
      case .statusReport(let report):
        textID = try Deliveries.note(database, report, at: moment)
        values = ("status_report", report.recipient, nil, nil)
      case .text(let sender, let text):
        values = ("deliver", sender, text, nil)
      case .undecodable(let reason):
        values = ("undecodable", nil, nil, reason)
      }
      try database.cachedStatement(
        sql: """
          INSERT INTO inbox (pdu, received_ms, kind, sender, text, text_id, error)
          VALUES (?, ?, ?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        entry.pdu, moment.wall.milliseconds, values.kind, values.sender, values.text, textID,
        values.error,
      ])
      return .kept(textID: textID)
    }
  }
}

private enum Deliveries {
  /// Finds the text by reference and number, newest first, since the reference is one octet and
  /// comes round again; then notes what the report says unless something final is known.
  static func note(
    _ database: Database, _ report: StatusReport, at moment: Moment
  ) throws -> TextID? {
    let tail = TextWrites.phoneTail(report.recipient)
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT text_parts.text_id, text_parts.part FROM text_parts
          JOIN texts ON texts.id = text_parts.text_id
          WHERE text_parts.reference = ? AND texts.recipient_tail = ?
            AND coalesce(text_parts.delivery, 'trying') = 'trying'
          ORDER BY text_parts.text_id DESC LIMIT 1
          """), arguments: [Int64(report.reference), tail])
    guard let row else { return nil }
    let id: TextID = row[0]
    let part: Int = row[1]
    try database.cachedStatement(
      sql: """
        UPDATE text_parts SET delivery = ?, delivery_status = ?, delivery_ms = ?
        WHERE text_id = ? AND part = ?
        """
    ).execute(arguments: [
      report.delivery.rawValue, Int64(report.status), moment.wall.milliseconds, id, part,
    ])
    return id
  }
}
