import CCurl
import NodeCore

/// One exchange on its way. It lives on the thread of its client.
final class Transfer {
  /// The library's own handle.
  let handle: UnsafeMutableRawPointer
  let exchange: Exchange
  private let isEncrypted: Bool
  private let words: UnsafeMutablePointer<CChar>
  private var headers: UnsafeMutablePointer<curl_slist>?
  private var headerBytes = 0
  /// Whether the empty line after the header came: without it the library takes a header that was cut off
  /// for an answer.
  private var isHeaderWhole = false
  private var body: [UInt8] = []
  /// Whether more came than is taken.
  private var isTooLong = false

  /// Nil without memory.
  init?(_ exchange: Exchange, to endpoint: ServerEndpoint) {
    guard let handle = ccurl_make() else { return nil }
    self.handle = handle
    self.exchange = exchange
    isEncrypted = endpoint.url.lowercased().hasPrefix("https")
    words = .allocate(capacity: Int(CURL_ERROR_SIZE))
    words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    for header in endpoint.headers {
      guard let longer = ccurl_append(headers, header) else { return nil }
      headers = longer
    }
    let timeout = endpoint.timeoutMilliseconds
    ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, timeout)
    ccurl_set_number(
      handle, CURLOPT_CONNECTTIMEOUT_MS, min(timeout + 1_000, Limits.connectMilliseconds))
    ccurl_set_number(handle, CURLOPT_MAXAGE_CONN, Limits.idleSeconds)
    ccurl_set_words(handle, words)
    let isReady = [
      ccurl_set_headers(handle, headers),
      ccurl_set_text(handle, CURLOPT_URL, endpoint.url(of: exchange.request.path)),
      ccurl_set_receivers(
        handle, { Transfer.of($3)?.takeHeader($1 * $2) ?? 0 },
        { Transfer.of($3)?.takeBody($0, $1 * $2) ?? 0 },
        Unmanaged.passUnretained(self).toOpaque()),
    ].allSatisfy { $0 == CURLE_OK }
    guard isReady else { return nil }
  }

  deinit {
    ccurl_free(handle)
    ccurl_free_list(headers)
    words.deallocate()
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  private func takeHeader(_ count: Int) -> Int {
    headerBytes += count
    isHeaderWhole = count <= 2
    isTooLong = isTooLong || headerBytes > Limits.headerBytes
    return isTooLong ? 0 : count
  }

  private func takeBody(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    isTooLong = isTooLong || body.count + count > exchange.request.answerBytes
    guard !isTooLong, let bytes else { return 0 }
    body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
    return count
  }

  /// Tells whoever asked what came of it, once it has ended with `code`.
  func complete(_ code: CURLcode) {
    guard code == CURLE_OK else {
      exchange.completion(.failure(error(code)))
      return
    }
    guard isHeaderWhole else {
      exchange.completion(.failure(.cutOff))
      return
    }
    exchange.completion(
      .success(
        ServerAnswer(
          status: ccurl_number(handle, CURLINFO_RESPONSE_CODE),
          contentType: ccurl_text(handle, CURLINFO_CONTENT_TYPE).map { String(cString: $0) },
          body: body)))
  }

  private func error(_ code: CURLcode) -> ServerClientError {
    if isTooLong { return .tooLong }
    return ServerClientError(
      code, during: phase,
      errno: Int32(truncatingIfNeeded: ccurl_number(handle, CURLINFO_OS_ERRNO)),
      words: String(cString: words))
  }

  /// How far it came. A connection that is used again has no times of its own but the last one.
  private var phase: ServerPhase {
    func hasPassed(_ moment: CURLINFO) -> Bool { ccurl_microseconds(handle, moment) > 0 }
    if hasPassed(CURLINFO_PRETRANSFER_TIME_T) { return .answer }
    if !hasPassed(CURLINFO_NAMELOOKUP_TIME_T) { return .name }
    // Its moment of connecting is that at which TLS stands, too.
    if ccurl_number(handle, CURLINFO_LOCAL_PORT) == 0 { return .connection }
    return isEncrypted ? .encryption : .answer
  }
}
