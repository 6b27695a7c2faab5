import CentralCore
import Passages
import Time

/// When the sample texts come in.
let receipt = WallTime(epochSeconds: 1_709_123_500)

/// A directory of two posts on one segment, a post on none, and three rangers.
func sampleDirectory(bindings: [SenderBinding] = []) throws -> Directory {
  let (a, b, c) = (
    try CheckpostCode("BNP-A"), try CheckpostCode("BNP-B"), try CheckpostCode("LONE")
  )
  let phone = { (text: String) throws -> PhoneNumber in
    guard let number = PhoneNumber(text) else { throw SampleError.noNumber }
    return number
  }
  return Directory(
    posts: [
      Post(
        code: a, name: "North gate", place: Post.Place(segment: "Banepa", index: 0),
        phone: try phone("+9779801000001")),
      Post(code: b, name: "South gate", place: Post.Place(segment: "Banepa", index: 1)),
      Post(code: c, name: "Alone"),
    ],
    rangers: [
      Ranger(name: "Sita", phone: try phone("+9779841114567"), checkpost: a),
      Ranger(name: "Hari", phone: try phone("+9779841119801"), checkpost: b),
      Ranger(name: "Gita", phone: try phone("+9779851119801"), checkpost: b),
    ], bindings: bindings)
}

enum SampleError: Error {
  case noNumber
  case noPart
}
