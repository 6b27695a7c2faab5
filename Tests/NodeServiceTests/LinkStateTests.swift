import NodeCore
import NodeService
import TestSupport
import Testing

/// The network link, read from a made-up tree of the kernel's files.
@Suite struct LinkStateTests {
  private static let header =
    "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n"
  private static let defaultRoute =
    header + "eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n"
  private static let zeros = String(repeating: "0", count: 32)

  /// Reads the link of a tree with these interfaces, by the content of their `carrier`, and routes.
  private func isUp(
    carriers: [String: String?], route: String? = nil, route6: String? = nil
  ) throws -> Bool {
    let root = try TemporaryDirectory()
    for (interface, carrier) in carriers {
      try root.write("sys/class/net/\(interface)/operstate")
      if let carrier { try root.write("sys/class/net/\(interface)/carrier", carrier) }
    }
    if let route { try root.write("proc/net/route", route) }
    if let route6 { try root.write("proc/net/ipv6_route", route6) }
    return SystemLinkState(root: root.path).isUp()
  }

  @Test(arguments: [
    "http://127.0.0.1:3000", "http://localhost", "http://[::1]:8000/x", "http://10.0.0.5",
    "https://172.16.0.1", "https://172.31.255.254:8443", "http://192.168.1.10", "HTTP://LOCALHOST/",
    "http://169.254.7.7", "http://[fe80::1%25eth0]:80", "http://[fd12:3456::1]",
    "http://[::ffff:192.168.1.10]",
  ])
  func aServerOnTheLocalNetworkNeedsNoDefaultRoute(_ server: String) {
    #expect(SystemLinkState(server: server, root: "/nonexistent").isUp())
  }

  @Test(arguments: [
    nil, "https://example.org", "https://172.32.0.1", "https://11.0.0.1", "https://192.169.1.1",
    "http://10.example.org", "http://10.0.0.5.example.org", "http://[2001:db8::1]", "nonsense", "",
    "http://1.2.3", "https://user@example.org/10.0.0.1",
  ])
  func anyOtherNeedsALink(_ server: String?) {
    #expect(!SystemLinkState(server: server, root: "/nonexistent").isUp())
  }

  @Test func carrierAndDefaultRouteAreALink() throws {
    #expect(try isUp(carriers: ["eth0": "1\n"], route: Self.defaultRoute))
    #expect(try isUp(carriers: ["lo": "1\n", "wlan0": "1\n"], route: Self.defaultRoute))
  }

  @Test func withoutACarrierThereIsNone() throws {
    #expect(try !isUp(carriers: ["eth0": "0\n"], route: Self.defaultRoute))
    // The kernel refuses to read the carrier of an interface that is down.
    #expect(try !isUp(carriers: ["eth0": nil], route: Self.defaultRoute))
    #expect(try !isUp(carriers: ["lo": "1\n"], route: Self.defaultRoute))
    #expect(try !isUp(carriers: [:], route: Self.defaultRoute))
  }

  @Test func withoutADefaultRouteThereIsNone() throws {
    #expect(try !isUp(carriers: ["eth0": "1\n"]))
    #expect(try !isUp(carriers: ["eth0": "1\n"], route: Self.header))
    let local = "eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0\n"
    #expect(try !isUp(carriers: ["eth0": "1\n"], route: Self.header + local))
    // A route that is not up (flag 1) leads nowhere.
    let down = "eth0\t00000000\t0101A8C0\t0002\t0\t0\t100\t00000000\t0\t0\t0\n"
    #expect(try !isUp(carriers: ["eth0": "1\n"], route: Self.header + down))
  }

  @Test func aDefaultRouteOfTheNewerProtocolCounts() throws {
    let route =
      "\(Self.zeros) 00 \(Self.zeros) 00 fe800000000000000000000000000001 00000400"
      + " 00000001 00000000 00000003     eth0\n"
    #expect(try isUp(carriers: ["eth0": "1\n"], route: Self.header, route6: route))
    let unreachable =
      "\(Self.zeros) 00 \(Self.zeros) 00 \(Self.zeros) ffffffff"
      + " 00000001 00000000 00200200       lo\n"
    #expect(try !isUp(carriers: ["eth0": "1\n"], route: Self.header, route6: unreachable))
  }

  @Test func brokenFilesAreNoLink() throws {
    #expect(try !isUp(carriers: ["eth0": ""], route: Self.defaultRoute))
    #expect(
      try !isUp(carriers: ["eth0": "1\n"], route: "eth0\t00000000\n\n\t\t\n", route6: "0 0\n"))
  }

  @Test func aServerOnThisMachineNeedsNone() {
    #expect(SystemLinkState.always.isUp())
    #expect(!SystemLinkState(root: "/nonexistent").isUp())
  }

  // MARK: What else is known of it

  /// A tree with two interfaces that lead somewhere, the second better, and files of the kernel's.
  private func state(_ files: [String: String], isMetered: Bool? = nil) throws -> LinkState {
    let root = try TemporaryDirectory()
    for interface in ["eth0", "wwan0"] {
      try root.write("sys/class/net/\(interface)/carrier", "1\n")
    }
    try root.write(
      "proc/net/route",
      Self.defaultRoute + "wwan0\t00000000\t0101A8C0\t0003\t0\t0\t50\t00000000\t0\t0\t0\n")
    for (path, content) in files { try root.write(path, content) }
    return SystemLinkState(server: "https://example.org", isMetered: isMetered, root: root.path)
      .read()
  }

  @Test func theWayIsThatOfTheBestRoute() throws {
    #expect(try state([:]).interface == "wwan0")
    #expect(try state(["sys/class/net/wwan0/carrier": "0\n"]).interface == "eth0")
  }

  @Test func whatIsMissingIsTold() throws {
    let none = ["sys/class/net/wwan0/carrier": "0\n", "sys/class/net/eth0/carrier": "0\n"]
    #expect(try state(none).lack == .link)
    #expect(try state(["proc/net/route": Self.header]).lack == .route)
    #expect(try state([:]).lack == nil)
  }

  @Test func aMobileNetworkIsPaidByVolumeUnlessTheSettingsSayOtherwise() throws {
    #expect(try !state([:]).isMetered)
    let mobile = ["sys/class/net/wwan0/uevent": "DEVTYPE=wwan\nINTERFACE=wwan0\n"]
    #expect(try state(mobile).isMetered)
    #expect(try state(["sys/class/net/wwan0/type": "512\n"]).isMetered)
    #expect(try !state(mobile, isMetered: false).isMetered)
    #expect(try state([:], isMetered: true).isMetered)
  }

  @Test(arguments: [
    ("Battery", "Discharging", "", "57", 55), ("Battery", "Charging", "", "57", nil),
    ("Battery", "Discharging", "Device", "9", nil), ("Mains", "Discharging", "", "57", nil),
    ("Battery", "Discharging", "", "a lot", nil), ("Battery", "Discharging", "", "900", 100),
  ])
  func theChargeOfTheBatteryThatTheMachineRunsOn(
    _ type: String, _ status: String, _ scope: String, _ capacity: String, _ expected: Int?
  ) throws {
    let place = "sys/class/power_supply/BAT0"
    let told = try state([
      "\(place)/type": type + "\n", "\(place)/status": status + "\n",
      "\(place)/scope": scope + "\n", "\(place)/capacity": capacity + "\n",
    ])
    #expect(told.batteryPercent == expected)
  }
}
