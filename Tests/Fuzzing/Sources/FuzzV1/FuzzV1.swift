import FuzzSupport
import Passages

/// Any text is a V1 message or an error, and a message has one body and one identity.
@main
struct FuzzV1 {
  static func main() {
    Fuzzing.run { start, count in
      FuzzV1.test(Input(start, count))
      return 0
    }
  }

  static func test(_ given: Input) {
    var input = given
    let text = String(decoding: input.all(), as: UTF8.self)
    let message: V1Message
    do {
      message = try V1Message.decode(text, window: nil)
    } catch {
      require(!error.message.isEmpty && !error.code.isEmpty, "an error without words")
      return
    }
    let body = message.body
    require(body.utf8.count <= 160, "a body of \(body.utf8.count) octets: \(body)")
    do {
      let again = try V1Message.decode(body, window: nil)
      require(again.body == body, "a body that is not its own: \(body)")
      require(again.clientID == message.clientID, "two identities: \(body)")
    } catch {
      found("the canonical body is refused: \(error) \(body)")
    }
  }
}
