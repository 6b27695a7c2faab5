import FuzzSupport
import Passages

/// Any text is a heartbeat or an error, a heartbeat has one body, and none is a passage.
@main
struct FuzzH1 {
  static func main() {
    Fuzzing.run { start, count in
      FuzzH1.test(Input(start, count))
      return 0
    }
  }

  static func test(_ given: Input) {
    var input = given
    let text = String(decoding: input.all(), as: UTF8.self)
    let message: H1Message
    do {
      message = try H1Message.decode(text)
    } catch {
      require(!error.message.isEmpty && !error.code.isEmpty, "an error without words")
      return
    }
    let body = message.body
    require(H1Message.isMeant(by: text) && H1Message.isMeant(by: body), "not meant: \(body)")
    require(body.utf8.count <= 61, "a body of \(body.utf8.count) octets: \(body)")
    require((try? V1Message.decode(body, window: nil)) == nil, "a passage as well: \(body)")
    do {
      let again = try H1Message.decode(body)
      require(again == message && again.body == body, "a body that is not its own: \(body)")
    } catch {
      found("the canonical body is refused: \(error) \(body)")
    }
  }
}
