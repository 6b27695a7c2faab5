import GSM
import Testing

/// A PDU that ends too early is an error that names the field, at every length.
struct TruncationTests {
  // Up to TP-UDL every octet is needed; of TP-UD what there is counts.
  @Test(arguments: [
    ("0891799708000000F1040D91799748214365F700006230418050903200", Direction.mobileTerminated),
    ("0891799708000000F1062A0D91799748214365F7623041805090326230418060103200", .mobileTerminated),
    ("0031000D91799748214365F700004700", .mobileOriginated),
    ("0019000D91799748214365F700006230418050903200", .mobileOriginated),
    ("0009000D91799748214365F700000147000000000000", .mobileOriginated),
    ("0001000DD0E730BD7C0FE701000000", .mobileOriginated),
  ])
  func isAnErrorAtEveryLength(_ hex: String, _ direction: Direction) throws {
    let octets = try Hex.decode(hex)
    #expect(throws: Never.self) { try PDU.decode(octets, direction: direction) }
    for length in 0..<octets.count {
      do throws(PDUError) {
        let pdu = try PDU.decode(Array(octets.prefix(length)), direction: direction)
        Issue.record("\(length) octets of \(hex) gave \(pdu)")
      } catch {
        guard case .truncated(let field) = error else {
          Issue.record("\(length) octets of \(hex) gave \(error)")
          continue
        }
        #expect(!field.isEmpty)
        #expect(error.message.contains(field))
      }
    }
  }

  @Test func neverCutsIntoAHeader() throws {
    let octets = try Hex.decode("4400810000623041805090320C050003CC0201D06536FB0D")
    for length in 14..<octets.count {
      let pdu = try? PDU.decode(
        Array(octets.prefix(length)), direction: .mobileTerminated, tpduOnly: true)
      #expect((pdu != nil) == (length >= 13 + 6), "\(length) octets")
    }
  }

  @Test func namesTheField() throws {
    let fields = [
      (0, "SMSC address"), (2, "SMSC address"), (9, "first octet"), (10, "originating address"),
      (13, "originating address"), (19, "protocol identifier"), (20, "data coding scheme"),
      (21, "time stamp"), (27, "time stamp"), (28, "user data length"),
    ]
    let octets = try Hex.decode("0891799708000000F1040D91799748214365F700006230418050903200")
    for (length, field) in fields {
      #expect(throws: PDUError.truncated(field: field), "\(length) octets") {
        try PDU.decode(Array(octets.prefix(length)), direction: .mobileTerminated)
      }
    }
  }
}
