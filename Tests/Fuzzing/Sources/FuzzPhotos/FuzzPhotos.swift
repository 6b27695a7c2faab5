import FuzzSupport
import NodeCore

/// Any file is a photograph or an error, and what is taken begins and ends as such a photograph does.
@main
struct FuzzPhotos {
  static func main() {
    Fuzzing.run { start, count in
      FuzzPhotos.test(Input(start, count))
      return 0
    }
  }

  static func test(_ given: Input) {
    var input = given
    let bytes = input.all()
    let kind: PhotoKind
    do {
      kind = try PhotoKind(of: bytes)
    } catch {
      require(!error.description.isEmpty, "an error without words")
      if case .empty = error { require(bytes.isEmpty, "bytes that are taken for none") }
      return
    }
    switch kind {
    case .jpeg:
      require(bytes.starts(with: [0xFF, 0xD8, 0xFF]), "a JPEG without its beginning")
      let ends = zip(bytes, bytes.dropFirst()).contains { $0 == (0xFF, 0xD9) }
      require(ends, "a JPEG without its end")
    case .png:
      require(bytes.dropFirst().starts(with: "PNG\r\n".utf8), "a PNG without its beginning")
      require(bytes.dropFirst(12).starts(with: "IHDR".utf8), "a PNG without a size")
      let end = Array("IEND".utf8)
      let ends = bytes.indices.contains { bytes[$0...].starts(with: end) }
      require(ends, "a PNG without its end")
    }
    // Nothing that stands before the image's own end is the whole of it.
    require((try? PhotoKind(of: Array(bytes.prefix(11)))) == nil, "a beginning that is taken")
  }
}
