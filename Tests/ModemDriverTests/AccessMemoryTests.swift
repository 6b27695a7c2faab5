import Foundation
import ModemDriver
import Testing

/// What puts a modem's access technologies back, kept on disk.
@Suite struct AccessMemoryTests {
  @Test func aNoteIsKeptOverRestartsAndForgottenWhenItIsDone() throws {
    let path = FileManager.default.temporaryDirectory
      .appending(path: "checkpost-access-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(AccessMemory(path: path).note == nil)
    #expect(AccessMemory(path: path).keep(nil))
    #expect(!FileManager.default.fileExists(atPath: path), "nothing is made for nothing")
    #expect(AccessMemory(path: path).keep("- AT+CNMP=2\n"))
    #expect(AccessMemory(path: path).note == "- AT+CNMP=2\n")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode.map { $0 & 0o077 } == 0)
    #expect(AccessMemory(path: path).keep(nil))
    #expect(AccessMemory(path: path).note == nil)
    #expect(!AccessMemory(path: path + "/none/there").keep("x"))
  }
}
