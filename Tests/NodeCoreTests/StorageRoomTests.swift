import NodeCore
import Testing
import Time

/// How much of its disk a node may take.
@Suite struct StorageRoomTests {
  private func room(_ used: Int64, free: Int64?, capacity: Int64?) -> StorageRoom {
    StorageRoom(
      usedBytes: used << 20, freeBytes: free.map { $0 << 20 },
      capacityBytes: capacity.map { $0 << 20 })
  }

  @Test func theSmallerOfSettingsAndDiskCounts() {
    #expect(room(10, free: 1_000, capacity: 500).allowedBytes == 500 << 20)
    // 64 MB of what is free are kept for passages.
    #expect(room(10, free: 100, capacity: 500).allowedBytes == 46 << 20)
    #expect(room(10, free: nil, capacity: 500).allowedBytes == 500 << 20)
    #expect(room(10, free: 100, capacity: nil).allowedBytes == 46 << 20)
    #expect(room(10, free: nil, capacity: nil).allowedBytes == nil)
    #expect(room(10, free: 0, capacity: 500).allowedBytes == 0)
  }

  @Test func fourFifthsAreTold() {
    #expect(!room(399, free: nil, capacity: 500).isFilling)
    #expect(room(400, free: nil, capacity: 500).isFilling)
    #expect(!room(400, free: nil, capacity: 500).isShort)
    #expect(room(500, free: nil, capacity: 500).isShort)
    #expect(room(500, free: nil, capacity: 500).isShortBySettings)
    // Something else fills the disk.
    #expect(!room(10, free: 67, capacity: 500).isFilling)
    #expect(room(10, free: 66, capacity: 500).isFilling)
    #expect(room(10, free: 64, capacity: 500).isShort)
    #expect(!room(10, free: 64, capacity: 500).isShortBySettings)
    #expect(!room(10, free: nil, capacity: nil).isFilling)
  }
}
