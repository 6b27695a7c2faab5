public import Passages

/// The name of a photograph in the bucket: one part of a path, of a few letters, which no file system takes for
/// anything else. What is no such name is the path of no photograph here.
public struct PhotoName: Hashable, Sendable {
  /// What the bucket is called.
  public static let bucket = "passage-photos"

  /// The name.
  public let text: String

  /// A name; nil for what is none.
  public init?(_ text: some StringProtocol) {
    let bytes = text.utf8
    guard (1...100).contains(bytes.count), bytes.first != UInt8(ascii: "."),
      bytes.allSatisfy({
        switch $0 {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"),
          UInt8(ascii: "."):
          true
        default: false
        }
      })
    else { return nil }
    self.text = String(text)
  }

  /// The name that a passage's path has, with the bucket before it or without; nil where it names no photograph
  /// of the bucket.
  public init?(path: String) {
    let start = "\(PhotoName.bucket)/"
    self.init(path.hasPrefix(start) ? path.dropFirst(start.utf8.count) : Substring(path))
  }

  /// The paths by which passages name it.
  public var paths: [String] { [text, "\(PhotoName.bucket)/\(text)"] }

  /// The name without its ending.
  public var stem: String { String(text.prefix { $0 != "." }) }

  /// The passage that it is one of, by its name; nil of one that is named otherwise.
  public var passage: ClientID? { ClientID(stem) }
}
