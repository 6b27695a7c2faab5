import TestSupport
import Testing

@testable import Host

/// A second central of a machine gets a port that the first does not have.
@Suite struct ListeningPortTests {
  @Test func portsOfOtherServicesAreTaken() throws {
    let files = try TemporaryDirectory()
    let own = files.file("north.yaml")
    #expect(ListeningPorts.free(beside: own) == nil)
    try files.write("checkpost.yaml", "roles: {node: true}\nnode: {checkpost: BNP-A}\n")
    #expect(ListeningPorts.free(beside: own) == nil)
    try files.write("south.yaml", "roles: {central: true}\n")
    #expect(ListeningPorts.free(beside: own) == 8_081)
    try files.write("east.yaml", "roles: {central: true}\ncentral: {http: {port: 8081}}\n")
    #expect(ListeningPorts.free(beside: own) == 8_082)
    // What cannot be read takes nothing, nor does what listens at a socket, nor the file itself.
    try files.write("west.yaml", "roles: [")
    try files.write("north.yaml", "roles: {central: true}\ncentral: {http: {port: 8082}}\n")
    #expect(ListeningPorts.free(beside: own) == 8_082)
    try files.write(
      "south.yaml", "roles: {central: true}\ncentral: {http: {socket: /run/x.sock}}\n")
    #expect(ListeningPorts.free(beside: own) == nil)
  }
}
