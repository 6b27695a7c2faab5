import Hummingbird

/// An answer that refuses, in the form in which programs for the server that this one stands in for
/// look for a reason.
struct RefusingAnswer {
  /// The answer.
  let response: Response

  /// - Parameters:
  ///   - code: A name for programs.
  ///   - words: Words for people, without anything that whoever asked has sent.
  ///   - retryAfter: When it may be tried again.
  init(
    _ status: HTTPResponse.Status, code: String, _ words: String, retryAfter: Duration? = nil
  ) {
    var response = Response(
      status: status, headers: [.contentType: "application/json; charset=utf-8"],
      body: ResponseBody(
        byteBuffer: ByteBuffer(
          string:
            "{\"code\":\"\(code)\",\"message\":\"\(words)\",\"details\":null,\"hint\":null}")))
    if let retryAfter {
      response.headers[.retryAfter] = String(
        max(1, (retryAfter + .nanoseconds(999_999_999)).components.seconds))
    }
    self.response = response
  }
}
