import Crypto
import GSM
import Passages

/// Decoding, on one core.
enum DecodingFigures {
  private static let count = 4_096
  private static let least = 1e6

  /// V1 texts to passages with their identity, beside the hash in it alone.
  static func passages(_ report: inout Report) throws {
    let bodies = try (0..<count).map { try PassageSamples.passage($0 * 37).v1Body }
    let octets = bodies.map { Array($0.utf8) }
    let window = PassageSamples.epoch - 1...PassageSamples.epoch + 1_000_000
    let rates = try Rate.of(count) {
      for body in bodies {
        let message = try V1Message.decode(body, window: window)
        Sink.take(message)
        Sink.take(message.clientID)
      }
    } beside: {
      for bytes in octets {
        Sink.take(SHA256.hash(data: bytes))
      }
    }
    report.add(
      Figure(
        name: "V1 decode with identity, one core", measured: Format.rate(rates.one),
        against: "floor: SHA-256 of the bytes", reference: Format.rate(rates.other),
        ratio: rates.other / rates.one, target: ">= 1 M/s", isMet: rates.one >= least))
  }

  /// Lines of hexadecimal digits to texts, beside those digits alone to octets.
  static func messages(_ report: inout Report) throws {
    let lines = try (0..<count).map(line)
    let rates = try Rate.of(count) {
      for line in lines {
        let pdu = try PDU.decode(hex: line, direction: .mobileTerminated)
        guard case .deliver(let message) = pdu.tpdu else { throw Failure("no SMS-DELIVER") }
        Sink.take(message.userData.text)
      }
    } beside: {
      for var line in lines {
        line.withUTF8 { Sink.take(bareOctets($0)) }
      }
    }
    report.add(
      Figure(
        name: "PDU decode, digits to text, one core", measured: Format.rate(rates.one),
        against: "floor: its digits to octets, bare", reference: Format.rate(rates.other),
        ratio: rates.other / rates.one, target: ">= 1 M/s", isMet: rates.one >= least))
  }

  /// A text as a modem prints it: SMS-DELIVER of a V1 body.
  private static func line(_ number: Int) throws -> String {
    let passage = try PassageSamples.passage(number * 37)
    let time = ServiceCentreTime(
      epochSeconds: PassageSamples.epoch + Int64(number), quarterHours: 23)
    let message = SMSDeliver(
      from: try Address("+9779801234567"), userData: UserData(text: passage.v1Body),
      timestamp: time)
    let pdu = PDU(serviceCentre: try Address("+9779800000000"), tpdu: .deliver(message))
    return Hex.encode(try pdu.encoded())
  }

  /// The least that has to be done with digits: a table, two look-ups and a byte for each pair.
  private static func bareOctets(_ digits: UnsafeBufferPointer<UInt8>) -> UInt8 {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: digits.count / 2) { space in
      table.withUnsafeBufferPointer { values in
        var position = 0
        while position + 1 < digits.count {
          space[position / 2] =
            values[Int(digits[position])] << 4 | values[Int(digits[position + 1])]
          position += 2
        }
      }
      return space.last ?? 0
    }
  }

  private static let table: [UInt8] = (0...255).map { byte in
    switch byte {
    case 0x30...0x39: UInt8(byte - 0x30)
    case 0x41...0x46: UInt8(byte - 0x37)
    default: 0
    }
  }
}
