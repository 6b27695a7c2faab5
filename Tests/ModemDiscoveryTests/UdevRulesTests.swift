import Foundation
import Testing

@testable import ModemDiscovery

/// The rules for udev against the table: what stands in one stands in the other. What udev itself
/// makes of them, Tests/Ports/rules.sh shows.
@Suite struct UdevRulesTests {
  private let lines: [String]

  init() throws {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
    let text = try String(contentsOfFile: "\(root)/udev/60-checkpost-modem.rules", encoding: .utf8)
    lines = text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
  }

  /// The values that a rule compares `key` with.
  private func values(_ key: String, in line: String) -> [String] {
    guard let start = line.range(of: "\(key)==\"")?.upperBound,
      let end = line[start...].firstIndex(of: "\"")
    else { return [] }
    return line[start..<end].split(separator: "|").map(String.init)
  }

  private var listed: [KnownModem] {
    DeviceTable.known.modems.values.filter { $0.ports.values.contains(.at) }
  }

  @Test func thePortsWithANameAreThoseOfTheTable() {
    var named: [String] = []
    for line in lines where line.contains("ENV{ID_USB_INTERFACE_NUM}") {
      #expect(line.contains("ENV{CHECKPOST_PORT}=\"at\""))
      for vendor in values("ENV{ID_VENDOR_ID}", in: line) where vendor != "12d1" {
        for product in values("ENV{ID_MODEL_ID}", in: line) {
          for interface in values("ENV{ID_USB_INTERFACE_NUM}", in: line) {
            named.append("\(vendor):\(product):\(interface)")
          }
        }
      }
    }
    let expected = listed.flatMap { modem in
      modem.ports.filter { $0.value == .at }.keys.map {
        "\(modem.id):\(Hexadecimal.text($0, digits: 2))"
      }
    }
    #expect(expected.count > 200)
    #expect(named.sorted() == expected.sorted())
  }

  @Test func theDevicesThatAreLeftAloneAreThoseOfTheTable() {
    var devices: [String] = []
    for line in lines where line.contains("ENV{CHECKPOST_MODEM}=\"1\"") {
      for vendor in values("ATTR{idVendor}", in: line) where vendor != "12d1" {
        devices += values("ATTR{idProduct}", in: line).map { "\(vendor):\($0)" }
      }
    }
    #expect(devices.sorted() == listed.map(\.id.description).sorted())
  }

  @Test func theMakersWhosePortsAreAllLeftAloneAreThoseOfTheTable() throws {
    let line = try #require(
      lines.first {
        $0.hasPrefix("ENV{ID_VENDOR_ID}") && $0.contains("ENV{ID_MM_PORT_IGNORE}=\"1\"")
      })
    let expected = DeviceTable.known.makers.keys.map { Hexadecimal.text($0, digits: 4) }
    #expect(values("ENV{ID_VENDOR_ID}", in: line).sorted() == expected.sorted())
  }

  @Test func huaweisPortsAreThoseOfTheTable() throws {
    var named: Set<[String]> = []
    for line in lines where values("ENV{ID_VENDOR_ID}", in: line) == ["12d1"] {
      guard line.contains("CHECKPOST_PORT") else { continue }
      #expect(values("ATTRS{bInterfaceClass}", in: line) == ["ff"])
      for subclass in values("ATTRS{bInterfaceSubClass}", in: line) {
        for code in values("ATTRS{bInterfaceProtocol}", in: line) where code != "ff" {
          named.insert([subclass, code])
        }
      }
    }
    let huawei = try #require(DeviceTable.known.classes[0x12D1])
    var expected: Set<[String]> = []
    for subclass in UInt8.min...UInt8.max {
      for code in UInt8.min...UInt8.max where (subclass, code) != (0xFF, 0xFF) {
        let interface = USBInterface(
          number: 0, classCode: 0xFF, subclass: subclass, protocolCode: code)
        if huawei.use(of: interface) == .at {
          expected.insert([subclass, code].map { Hexadecimal.text($0, digits: 2) })
        }
      }
    }
    #expect(named == expected)
  }

  /// Several ports of an old stick claim the name, and the last one has to get it.
  @Test func theLaterPortOfAnOldHuaweiGoesBeforeTheEarlier() throws {
    var priorities: [Int] = []
    for number in 1...6 {
      let line = try #require(
        lines.first { line in
          values("ATTRS{bInterfaceProtocol}", in: line) == ["ff"]
            && values("ENV{ID_USB_INTERFACE_NUM}", in: line) == ["0\(number)"]
        })
      #expect(values("ATTRS{bInterfaceSubClass}", in: line) == ["ff"])
      let words = try #require(line.split(separator: "link_priority=").last)
      priorities.append(try #require(Int(words.prefix { $0 != "\"" })))
    }
    #expect(priorities == priorities.sorted())
    #expect(Set(priorities).count == priorities.count)
    // One that tells by its class has no priority of its own, which is 0.
    #expect(priorities.allSatisfy { $0 < 0 })
  }
}
