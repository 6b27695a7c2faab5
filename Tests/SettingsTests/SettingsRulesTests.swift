import Settings
import TestSupport
import Testing

@Suite struct SettingsRulesTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test(arguments: [
    ("roles: {node: true}", "checkpost.yaml: node.checkpost: a node has to know its post"),
    (
      """
      roles: {node: true, central: true}
      node: {checkpost: A, database: /x/y.db}
      central: {database: /x/y.db}
      """, ":3:21: central.database: is the node's too"
    ),
    (
      """
      roles: {node: true, central: true}
      node: {checkpost: A}
      modem: {port: /dev/ttyUSB0}
      central: {modem: {port: /dev/ttyUSB0}}
      """, ":4:25: central.modem.port: is the node's modem too"
    ),
    (
      """
      roles: {node: true, central: true}
      node: {checkpost: A}
      modem: {port: auto, identity: "12d1:1506"}
      central: {modem: {port: auto, identity: "12d1:1506"}}
      """, ":4:41: central.modem.identity: is the node's modem too"
    ),
    (
      "modem: {port: /dev/ttyUSB0, identity: \"12d1:1506\"}",
      ":1:39: modem.identity: stands beside a port"
    ),
    ("node: {segment_distance_km: 45}", ":1:29: node.segment_distance_km: needs node.min_speed"),
    (
      "node: {segment_distance_km: 45, min_speed_kmh: 40, max_speed_kmh: 40}",
      "node.min_speed_kmh: is not below node.max_speed_kmh"
    ),
    ("node: {alert_command: [horn]}", "node.alert_command: does not begin with a program's path"),
    ("central: {modem: {reopen_first: 1m}}", "central.modem.reopen_first: is longer than"),
    (
      "central: {twilio: {public_urls: [\"https://a.example/h\"]}}",
      "central.twilio.auth_token_files: is needed"
    ),
    (
      """
      central:
        twilio:
          auth_token_files: [/t]
          public_urls: [https://a/1, https://a/2, https://a/3, https://a/4, https://a/5,
            https://a/6, https://a/7, https://a/8, https://a/9]
      """, ":4:18: central.twilio.public_urls: names 9 URLs, and 8 are looked at"
    ),
  ])
  func settingsMustAgree(yaml: String, expected: String) throws {
    let path = try directory.write("checkpost.yaml", yaml)
    #expect {
      try LoadedSettings.load(path: path, environment: [:])
    } throws: { error in
      "\(error)".contains(expected)
    }
  }

  @Test(arguments: [
    ("12d1:1506", "12d1:1506"), ("\"1e0e:9001:02\"", "1e0e:9001:02"),
    ("serial=0012", "serial=0012"),
    ("{usb: 1e0e:9001}", "1e0e:9001"), ("{usb: \"12d1:1506\", interface: 2}", "12d1:1506:02"),
    (
      "{serial: 0012, imei: 356938035643809, usb: \"12d1:1506\"}",
      "12d1:1506 serial=0012 imei=356938035643809"
    ),
  ])
  func anIdentityIsReadInBothForms(yaml: String, expected: String) throws {
    let path = try directory.write("checkpost.yaml", "modem: {port: auto, identity: \(yaml)}")
    let settings = try LoadedSettings.load(path: path, environment: [:]).settings
    #expect(settings.modem.port == "auto")
    #expect(settings.modem.identity == expected)
  }

  @Test(arguments: [
    "{}", "{interface: 2}", "{usb: 12d1}", "{usb: \"12d1:1506\", colour: red}", "ttyUSB0", "[1]",
    "{usb: {a: b}}", "{imei: 12}",
  ])
  func whatIsNoIdentityIsSaid(yaml: String) throws {
    let path = try directory.write("checkpost.yaml", "modem: {identity: \(yaml)}")
    #expect {
      try LoadedSettings.load(path: path, environment: [:])
    } throws: { error in
      "\(error)".contains("modem.identity: ") && "\(error)".contains("12d1:1506:02")
    }
  }

  @Test func bothRolesMayLookForAModem() throws {
    let path = try directory.write(
      "checkpost.yaml",
      """
      roles: {node: true, central: true}
      node: {checkpost: A}
      modem: {port: auto}
      central: {modem: {port: auto}}
      """)
    #expect(try LoadedSettings.load(path: path, environment: [:]).warnings.isEmpty)
  }

  @Test func changesSayWhatNeedsARestart() {
    let before = Settings()
    var after = before
    after.node.fallbackAfter = .seconds(60)
    after.modem.port = "/dev/ttyUSB2"
    #expect(
      before.changes(to: after) == [
        SettingsChange(
          key: "node.fallback_after", before: "5m", after: "1m", needsRestart: false),
        SettingsChange(
          key: "modem.port", before: "null", after: "/dev/ttyUSB2", needsRestart: true),
      ])
    let reloaded = before.reloading(from: after)
    #expect(reloaded.node.fallbackAfter == .seconds(60))
    #expect(reloaded.modem.port == nil)
    #expect(before.changes(to: before).isEmpty)
  }
}
