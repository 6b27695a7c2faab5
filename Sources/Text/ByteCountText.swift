/// Sizes of files and disks as people read them: `512 KiB`, `3 MiB`, `5 GiB`.
public enum ByteCountText {
  /// Writes a number of bytes in the largest unit of which there is one, rounded down.
  public static func format(_ bytes: Int64) -> String {
    switch bytes {
    case ..<(1 << 20): "\(bytes >> 10) KiB"
    case ..<(1 << 30): "\(bytes >> 20) MiB"
    default: "\(bytes >> 30) GiB"
    }
  }
}
