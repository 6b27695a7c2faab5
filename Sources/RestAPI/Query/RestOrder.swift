/// A column that rows are sorted by.
public struct RestOrder: Hashable, Sendable {
  /// The column.
  public var column: RestColumn
  /// Whether the highest comes first.
  public var isDescending: Bool
  /// Whether rows without a value come first.
  public var nullsFirst: Bool

  /// Reads `recorded_at.desc.nullslast,id.asc`.
  static func read(_ text: String?, of table: RestTable) throws(RestError) -> [RestOrder] {
    var orders: [RestOrder] = []
    for part in (text ?? "").split(separator: ",") {
      guard !part.utf8.contains(UInt8(ascii: "(")) else {
        throw .absent(
          "rows are sorted by columns of their own table alone, and not by those of relations")
      }
      guard part.firstRange(of: "->") == nil else { throw .absent(RestError.jsonPaths) }
      let words = part.split(separator: ".", omittingEmptySubsequences: false)
      guard let name = words.first, let column = table.column(name) else {
        throw .unknownColumn(words.first ?? "", of: table)
      }
      var rest = words.dropFirst()
      var isDescending = false
      if let word = rest.first, word == "asc" || word == "desc" {
        isDescending = word == "desc"
        rest = rest.dropFirst()
      }
      var nullsFirst = isDescending
      if let word = rest.first, word == "nullsfirst" || word == "nullslast" {
        nullsFirst = word == "nullsfirst"
        rest = rest.dropFirst()
      }
      guard rest.isEmpty else { throw .unreadable("order", part) }
      orders.append(
        RestOrder(column: column, isDescending: isDescending, nullsFirst: nullsFirst))
    }
    guard orders.count <= RestLimits.orders else { throw .tooMuch("sorted by too many columns") }
    return orders
  }
}

/// Which of the rows are wanted, counted from 0.
struct RestRange: Hashable {
  var offset = 0
  var limit: Int

  /// By the query, or else by the field `Range` of the header: `0-499`, `10-`.
  init(_ query: RestQuery, header: String?, most: Int) throws(RestError) {
    limit = most
    if let header { try read(header) }
    if let text = query["offset"] { offset = try RestRange.number(text, "offset") }
    if let text = query["limit"] { limit = min(most, try RestRange.number(text, "limit")) }
  }

  private mutating func read(_ header: String) throws(RestError) {
    let ends = (header.split(separator: "=").last ?? "")
      .split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    // A field that cannot be read is not there (RFC 9110, 14.2).
    guard ends.count == 2, let first = Int(ends[0]), (0...RestLimits.offset).contains(first) else {
      return
    }
    if ends[1].isEmpty {
      offset = first
    } else if let last = Int(ends[1]), (0...Int(Int32.max)).contains(last) {
      guard last >= first else {
        throw RestError(
          "PGRST103", "Requested range not satisfiable",
          details: "The lower boundary must be lower than or equal to the upper boundary in the"
            + " Range header.", status: 416)
      }
      offset = first
      limit = min(limit, last - first + 1)
    }
  }

  static func number(_ text: String, _ name: String) throws(RestError) -> Int {
    if text.utf8.count <= 20, let number = Int(text), number < 0 {
      throw RestError(
        "PGRST103", "Requested range not satisfiable",
        details: "\(name.prefix(1).uppercased() + name.dropFirst()) should be greater than or equal"
          + " to zero.", status: 416)
    }
    guard !text.isEmpty, text.utf8.count <= 10,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(text)
    else { throw .unreadable(name, text) }
    guard number <= RestLimits.offset else { throw .tooMuch("\(name) is too high") }
    return number
  }
}
