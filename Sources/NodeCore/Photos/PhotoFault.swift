/// Why a file is not taken as a photograph.
public enum PhotoFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is nothing in it.
  case empty
  /// It has more bytes than a photograph may have.
  case tooLarge
  /// It is something else: what it looks like, where that can be told.
  case notAPhotograph(String?)
  /// It begins as a photograph, and is not whole.
  case cutShort(PhotoKind)
  /// It begins as a photograph, and what follows is none.
  case damaged(PhotoKind)

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .empty: "is empty; take the photograph again"
    case .tooLarge:
      "is larger than \(Limits.photoBytes >> 20) MB; set the camera to a smaller size, or install libvips-tools: then it is scaled down by itself"
    case .notAPhotograph(let what):
      (what.map { "is \($0), not" } ?? "is not") + " a JPEG or PNG photograph; name one"
    case .cutShort(let kind):
      "is not whole: the \(kind.name) breaks off; wait until the camera has written it, or take it again"
    case .damaged(let kind): "is damaged: no \(kind.name) goes on like that; take it again"
    }
  }
}
