/// Reads octets from front to back and never past the end.
struct OctetReader {
  private let octets: [UInt8]
  private(set) var position: Int

  init(_ octets: [UInt8], from position: Int = 0) {
    self.octets = octets
    self.position = position
  }

  var remaining: Int { octets.count - position }

  /// The next octet; `field` names what it belongs to.
  mutating func next(_ field: StaticString) throws(PDUError) -> UInt8 {
    guard position < octets.count else { throw .truncated(field: "\(field)") }
    defer { position += 1 }
    return octets[position]
  }

  /// The next `count` octets.
  mutating func next(_ count: Int, _ field: StaticString) throws(PDUError) -> ArraySlice<UInt8> {
    guard count <= remaining else { throw .truncated(field: "\(field)") }
    defer { position += count }
    return octets[position..<position + count]
  }

  /// All that is left, at most `count` octets.
  mutating func upTo(_ count: Int) -> ArraySlice<UInt8> {
    let taken = min(count, remaining)
    defer { position += taken }
    return octets[position..<position + taken]
  }
}
