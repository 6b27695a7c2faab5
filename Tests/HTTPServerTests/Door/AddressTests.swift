import Testing

@testable import HTTPServer

/// Addresses and ranges of them, however they are written.
@Suite struct AddressTests {
  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("::FFFF:C000:201", "192.0.2.1"),
    ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"), ("::1", "::1"), ("0.0.0.0", "0.0.0.0"),
    ("255.255.255.255", "255.255.255.255"),
    ("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
  ])
  func anAddressHasOneSpelling(_ text: String, _ spelling: String) throws {
    let address = try #require(IPAddress(text))
    #expect(address.description == spelling)
    #expect(IPAddress(spelling) == address)
  }

  @Test(arguments: [
    "", "1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.4 ", " 1.2.3.4", "01.2.3.4x", "[::1]",
    "::1%lo",
    "1.2.3.4:80", "localhost", "_hidden", "unknown", "1.2.3.4\0", ":::",
    String(repeating: "1", count: 5_000),
  ])
  func whatIsNoAddressIsNone(_ text: String) {
    #expect(IPAddress(text) == nil)
  }

  @Test func thisMachineIsKnownByItsAddresses() throws {
    for text in ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"] {
      #expect(try #require(IPAddress(text)).isLoopback, "\(text)")
    }
    for text in ["128.0.0.1", "::2", "10.0.0.1", "::", "1::1", "::ffff:8.8.8.8"] {
      #expect(try !#require(IPAddress(text)).isLoopback, "\(text)")
    }
  }

  /// A caller has the whole /64 of its address, and one address of IPv4.
  @Test func anAddressIsCountedWithThoseOfItsNetwork() throws {
    func counted(_ text: String) throws -> IPAddress { try #require(IPAddress(text)).counted }
    #expect(try counted("2001:db8:1:2:3:4:5:6") == counted("2001:db8:1:2::9"))
    #expect(try counted("2001:db8:1:2::") != counted("2001:db8:1:3::"))
    #expect(try counted("192.0.2.1") != counted("192.0.2.2"))
  }

  @Test(arguments: [
    ("10.0.0.0/8", "10.255.1.2", true), ("10.0.0.0/8", "11.0.0.1", false),
    ("10.1.2.3/8", "10.9.9.9", true), ("192.0.2.1", "192.0.2.1", true),
    ("192.0.2.1", "192.0.2.2", false), ("0.0.0.0/0", "8.8.8.8", true), ("0.0.0.0/0", "::1", false),
    ("::/0", "2001:db8::1", true), ("::/0", "8.8.8.8", false),
    ("2001:db8::/32", "2001:db8:5::1", true),
    ("2001:db8::/32", "2001:db9::1", false), ("2001:db8::/65", "2001:db8::7fff:0:0:1", true),
    ("2001:db8::/65", "2001:db8::8000:0:0:1", false), ("::1/128", "::1", true),
    ("::ffff:10.0.0.0/8", "10.1.1.1", true), ("192.0.2.128/25", "192.0.2.127", false),
  ])
  func aRangeHasTheAddressesThatBeginAlike(_ range: String, _ address: String, _ isIn: Bool) throws
  {
    let range = try #require(AddressRange(range))
    #expect(range.contains(try #require(IPAddress(address))) == isIn)
  }

  @Test(arguments: [
    "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/+8", "/8", "::/129", "10.0.0.0/8/8", "",
    "a/8",
    "10.0.0.0/00000000000000000008",
  ])
  func whatIsNoRangeIsNone(_ text: String) {
    #expect(AddressRange(text) == nil)
  }
}
