import EventLoop
import Testing

@Suite struct ServerHostTests {
  @Test(arguments: [
    ("http://127.0.0.1:8080/x", ServerHost.Reach.thisMachine), ("https://localhost", .thisMachine),
    ("http://[::1]:80", .thisMachine), ("http://[::ffff:127.0.0.2]", .thisMachine),
    ("http://10.1.2.3", .privateNetwork), ("http://172.16.0.1", .privateNetwork),
    ("http://192.168.0.1", .privateNetwork), ("http://169.254.1.1", .privateNetwork),
    ("http://[fe80::1%25eth0]", .privateNetwork), ("http://[fd00::1]", .privateNetwork),
    ("http://172.32.0.1", .elsewhere), ("http://8.8.8.8", .elsewhere),
    ("https://a.example", .elsewhere), ("http://127.0.0.1.example.org", .elsewhere),
    ("http://127.0.0.1@a.example", .elsewhere), ("http://2130706433", .elsewhere),
  ])
  func itsAddressSaysHowFarItIs(_ url: String, _ reach: ServerHost.Reach) {
    #expect(ServerHost(url: url)?.reach == reach)
  }

  @Test func withoutASchemeThereIsNone() {
    #expect(ServerHost(url: "127.0.0.1") == nil)
  }
}
