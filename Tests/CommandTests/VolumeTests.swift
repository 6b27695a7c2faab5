import Doctor
import Foundation
import TestSupport
import Testing

/// On what kind of volume the database lies, as a made-up kernel tells.
@Suite(.ownThreads) struct VolumeTests {
  private let files: TemporaryDirectory
  private let device: String

  init() throws {
    files = try TemporaryDirectory()
    // Not by `stat`: which module that structure is of depends on what the compiler happens to read first.
    let about = try FileManager.default.attributesOfItem(atPath: files.path)
    let number = try #require(about[.systemNumber] as? NSNumber)
    device = "sys/dev/block/\(VolumeChecks.number(of: number.uint64Value))"
  }

  @Test func aDeviceIsWrittenAsTheKernelDoes() {
    #expect(VolumeChecks.number(of: 0x0801) == "8:1")
    #expect(VolumeChecks.number(of: 0xFD07) == "253:7")
    #expect(VolumeChecks.number(of: 259 << 8 | 5) == "259:5")
  }

  private var found: Finding {
    VolumeChecks(root: files.path).finding(for: files.file("node.db"))
  }

  @Test func aVolumeIsEncryptedWhereTheKernelSaysSo() throws {
    try files.write("\(device)/dm/uuid", "CRYPT-LUKS2-0123-cryptroot\n")
    #expect(found.state == .good)
  }

  @Test func aVolumeOverAnEncryptedOneIsToo() throws {
    try files.write("\(device)/dm/uuid", "LVM-0123\n")
    try files.write("\(device)/slaves/dm-0/dev", "253:7\n")
    try files.write("sys/dev/block/253:7/dm/uuid", "CRYPT-LUKS2-0123\n")
    #expect(found.state == .good)
    // One of two disks is not.
    try files.write("\(device)/slaves/sdb1/dev", "8:17\n")
    try files.write("sys/dev/block/8:17/size", "1000\n")
    #expect(found.state == .warning)
    #expect(found.remedy?.contains("LUKS") == true)
  }

  @Test func aPlainDiskIsToldOf() throws {
    try files.write("\(device)/size", "1000\n")
    #expect(found.state == .warning)
  }

  @Test func whatTheKernelDoesNotKnowIsNotGuessed() {
    #expect(found.state == .skipped)
    #expect(VolumeChecks().finding(for: "/nonexistent/node.db").state == .skipped)
  }
}
