import CSV
import JSON
import Passages
import Text

/// Reads a file of passages, CSV or JSON Lines, block by block; a broken row costs itself alone.
public struct PassageReader {
  /// What a line of the file gives.
  public typealias Entry = Result<PassageRow, RowFault>

  /// What is wrong with a row.
  public struct RowFault: Error, Hashable {
    /// Where it stands in its file, counted from 1.
    public var line: Int
    /// What is wrong.
    public var words: String

    /// What is wrong with the row of that line.
    public init(line: Int, words: String) {
      self.line = line
      self.words = words
    }
  }

  /// Why a file is no table of passages at all.
  public struct TableFault: Error, Hashable, CustomStringConvertible {
    let name: String
    let line: Int
    let reason: String

    /// Where it is wrong, and how.
    public var description: String { "\(name): line \(line): \(reason)" }
  }

  private enum State {
    case csv(CSVTable)
    case jsonLines(NumberedLines)
    case typed(NumberedLines)
  }

  /// The columns that a CSV file has at least.
  static let columns = ["recorded_at", "plate", "vehicle_type"]

  /// The members of a JSON object that are read.
  private static let keys = [
    "plate_number_raw", "plate", "plate_number", "vehicle_type", "checkpost", "recorded_at",
    "recorded_epoch", "ranger_phone", "ranger_phone_suffix", "ranger", "segment", "photo_path",
    "client_id", "priority", "v1",
  ]

  /// Lines of a JSON Lines file, as long as those of a CSV file may be.
  private static var lines: NumberedLines { NumberedLines(limit: CSV.Limits.lineBytes) }

  private let name: String
  /// Whether somebody may be typing: then a time may be missing, and the names of the columns too.
  private let isTyped: Bool
  /// What came before it is known what it is.
  private var head: [UInt8] = []
  private var state: State?

  /// A reader of a file with that name; of a file without a telling name the first byte decides.
  ///
  /// - Parameter isTyped: Whether somebody may be typing the lines: then they need no time, and without a
  ///   first line that names columns each is read as ``EntryLine``.
  public init(name: String, isTyped: Bool = false) {
    self.name = name
    self.isTyped = isTyped
    if isTyped { return }
    if name.hasSuffix(".csv") {
      state = .csv(CSVTable(requiring: PassageReader.columns))
    } else if name.hasSuffix(".jsonl") || name.hasSuffix(".ndjson") || name.hasSuffix(".json") {
      state = .jsonLines(PassageReader.lines)
    }
  }

  /// Takes the next bytes of the file.
  ///
  /// - Throws: ``TableFault`` when the header of a CSV file lacks a column.
  public mutating func read(_ bytes: [UInt8]) throws(TableFault) -> [Entry] {
    if isTyped, state == nil {
      head += bytes
      guard let state = PassageReader.typed(head, isWhole: head.count > CSV.Limits.lineBytes) else {
        return []
      }
      self.state = state
      defer { head = [] }
      return try take(head)
    }
    if state == nil, let first = bytes.first(where: { $0 > 0x20 }) {
      state =
        first == UInt8(ascii: "{")
        ? .jsonLines(PassageReader.lines) : .csv(CSVTable(requiring: PassageReader.columns))
    }
    return try take(bytes)
  }

  /// What begins with these bytes of a keyboard or a pipe; nil until a line has come.
  ///
  /// - Parameter isWhole: Whether no more will come of the first line.
  private static func typed(_ head: [UInt8], isWhole: Bool) -> State? {
    let rest = head.drop { $0 <= 0x20 }
    guard let first = rest.first else { return nil }
    if first == UInt8(ascii: "{") { return .jsonLines(lines) }
    let line = rest.prefix { $0 != 0x0A }
    guard line.count < rest.count || isWhole else { return nil }
    let names = String(decoding: line, as: UTF8.self).lowercased().split(separator: ",").map {
      $0.filter { $0 != "\"" && !$0.isWhitespace && $0 != "\u{FEFF}" }
    }
    return names.contains { keys.contains($0) }
      ? .csv(CSVTable(requiring: columns.filter { $0 != "recorded_at" })) : .typed(lines)
  }

  private mutating func take(_ bytes: [UInt8]) throws(TableFault) -> [Entry] {
    let name = name
    return try step { state throws(TableFault) in
      switch state {
      case .csv(var table):
        let entries = try PassageReader.csv(name) { () throws(CSVTable.Fault) in
          try table.read(bytes)
        }
        state = .csv(table)
        return entries
      case .jsonLines(var lines):
        let entries = lines.read(bytes).compactMap(PassageReader.json)
        state = .jsonLines(lines)
        return entries
      case .typed(var lines):
        let entries = lines.read(bytes).compactMap(PassageReader.typed)
        state = .typed(lines)
        return entries
      }
    }
  }

  /// Takes what is left at the end of the file.
  public mutating func finish() throws(TableFault) -> [Entry] {
    var entries: [Entry] = []
    if state == nil, !head.isEmpty {
      state = PassageReader.typed(head, isWhole: true)
      entries = try take(head)
      head = []
    }
    return try entries + rest()
  }

  private mutating func rest() throws(TableFault) -> [Entry] {
    let name = name
    return try step { state throws(TableFault) in
      switch state {
      case .csv(var table):
        try PassageReader.csv(name) { () throws(CSVTable.Fault) in try table.finish() }
      case .jsonLines(var lines): lines.finish().compactMap(PassageReader.json)
      case .typed(var lines): lines.finish().compactMap(PassageReader.typed)
      }
    }
  }

  private mutating func step(
    _ work: (inout State) throws(TableFault) -> [Entry]
  ) throws(TableFault) -> [Entry] {
    guard var current = state else { return [] }
    defer { state = current }
    return try work(&current)
  }

  private static func csv(
    _ name: String, _ read: () throws(CSVTable.Fault) -> [CSVTable.Entry]
  ) throws(TableFault) -> [Entry] {
    do throws(CSVTable.Fault) {
      return try read().map { entry in
        switch entry {
        case .success(let record): .success(PassageReader.row(record))
        case .failure(let fault):
          .failure(RowFault(line: fault.line, words: fault.reason.description))
        }
      }
    } catch {
      throw TableFault(name: name, line: error.line, reason: "\(error.reason)")
    }
  }

  private static func row(_ record: CSVRecord) -> PassageRow {
    PassageRow(
      line: record.line, plate: record["plate"], vehicleType: record["vehicle_type"],
      checkpost: record["checkpost"], recordedAt: record["recorded_at"],
      rangerPhone: record["ranger_phone"], rangerSuffix: record["ranger_phone_suffix"],
      ranger: record["ranger"], segment: record["segment"], photoPath: record["photo_path"],
      clientID: record["client_id"], priority: record["priority"], v1: record["v1"])
  }

  private static func typed(_ line: NumberedLines.Line) -> Entry? {
    guard !line.isTooLong else {
      return .failure(RowFault(line: line.number, words: "the line is too long"))
    }
    guard let text = String(validating: line.bytes, as: UTF8.self) else {
      return .failure(RowFault(line: line.number, words: "\(CSVFault.invalidUTF8)"))
    }
    guard let entry = EntryLine(text) else { return nil }
    var row = PassageRow(line: line.number)
    row.plate = entry.plate
    row.vehicleType = entry.type.map { EntryLine.type($0)?.rawValue ?? $0 }
    row.recordedAt = entry.time
    return .success(row)
  }

  private static func json(_ line: NumberedLines.Line) -> Entry? {
    guard !line.isTooLong else {
      return .failure(RowFault(line: line.number, words: "the line is too long"))
    }
    guard line.bytes.contains(where: { $0 > 0x20 }) else { return nil }
    guard let object = JSONText.decode(line.bytes)?.object else {
      return .failure(RowFault(line: line.number, words: "is no JSON object"))
    }
    let other = PassageReader.keys.first { name in
      switch object[name] {
      case .text, .integer, .null, nil: false
      default: true
      }
    }
    if let other, let value = object[other] {
      let shown = ((try? JSONText.encode(value)) ?? "another kind").prefix(60)
      return .failure(
        RowFault(
          line: line.number, words: "\(other) is \(shown), neither text nor a whole number"))
    }
    func text(_ names: String...) -> String? {
      for name in names {
        switch object[name] {
        case .text(let text): return text
        case .integer(let number): return String(number)
        default: continue
        }
      }
      return nil
    }
    return .success(
      PassageRow(
        line: line.number, plate: text("plate_number_raw", "plate", "plate_number"),
        vehicleType: text("vehicle_type"), checkpost: text("checkpost"),
        recordedAt: text("recorded_at", "recorded_epoch"), rangerPhone: text("ranger_phone"),
        rangerSuffix: text("ranger_phone_suffix"), ranger: text("ranger"), segment: text("segment"),
        photoPath: text("photo_path"),
        clientID: text("client_id"), priority: text("priority"), v1: text("v1")))
  }
}
