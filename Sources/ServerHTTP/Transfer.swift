import CCurl
import Glibc
import NodeCore

/// One exchange on its way. It lives on the thread of its client.
final class Transfer {
  /// The library's own handle.
  let handle: UnsafeMutableRawPointer
  let exchange: Exchange
  private let isEncrypted: Bool
  private let words: UnsafeMutablePointer<CChar>
  private var headers: UnsafeMutablePointer<curl_slist>?
  private var file: SentFile?
  /// The fields of the answer that somebody reads.
  private var fields: [String: String] = [:]
  private var headerBytes = 0
  /// Whether the empty line after the header came: without it the library takes a header that was cut off
  /// for an answer.
  private var isHeaderWhole = false
  private var body: [UInt8] = []
  /// Whether more came than is taken.
  private var isTooLong = false
  private var watch: PhaseWatch<ContinuousClock.Instant>
  private var stall: StallWatch<ContinuousClock.Instant>

  /// - Throws: When it cannot be sent: there is no memory, no such file, or no such header.
  init(_ exchange: Exchange, to endpoint: ServerEndpoint) throws(ServerClientError) {
    guard let handle = ccurl_make() else { throw .noMemory }
    self.handle = handle
    self.exchange = exchange
    isEncrypted = endpoint.url.lowercased().hasPrefix("https")
    watch = PhaseWatch(PhaseBounds(endpoint), at: .now)
    stall = StallWatch(endpoint.stallTimeout)
    words = .allocate(capacity: Int(CURL_ERROR_SIZE))
    words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    ccurl_set_words(handle, words)
    setTimes(endpoint)
    let isReady = [
      ccurl_set_text(handle, CURLOPT_URL, endpoint.url(of: exchange.request.path)),
      ccurl_set_text(handle, CURLOPT_PROXY, endpoint.proxyWord), setTrust(endpoint),
      ccurl_set_receivers(
        handle, { Transfer.of($3)?.takeHeader($0, $1 * $2) ?? 0 },
        { Transfer.of($3)?.takeBody($0, $1 * $2) ?? 0 },
        Unmanaged.passUnretained(self).toOpaque()),
    ].allSatisfy { $0 == CURLE_OK }
    guard isReady else { throw .noMemory }
    try setBody()
    try setHeaders(endpoint)
  }

  private func setTimes(_ endpoint: ServerEndpoint) {
    let timeout = (exchange.request.timeout ?? endpoint.timeout).curlMilliseconds
    ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, timeout)
    // The last resort: what is over sooner says more.
    ccurl_set_number(
      handle, CURLOPT_CONNECTTIMEOUT_MS,
      min(timeout, PhaseBounds(endpoint).sum.curlMilliseconds) + 1_000)
    ccurl_set_number(handle, CURLOPT_MAXAGE_CONN, Limits.idleSeconds)
  }

  /// Who may vouch for the server: the system's roots, or the own ones alone.
  private func setTrust(_ endpoint: ServerEndpoint) -> CURLcode {
    var code = CURLE_OK
    if let file = endpoint.caFile {
      code = ccurl_set_text(handle, CURLOPT_CAINFO, file)
      if code == CURLE_OK { code = ccurl_set_text(handle, CURLOPT_CAPATH, nil) }
    }
    if code == CURLE_OK, !endpoint.pins.isEmpty {
      code = ccurl_set_text(
        handle, CURLOPT_PINNEDPUBLICKEY, endpoint.pins.joined(separator: ";"))
    }
    return code
  }

  private func setBody() throws(ServerClientError) {
    let request = exchange.request
    var code = CURLE_OK
    switch request.body {
    case .bytes(let bytes, _):
      code = bytes.withUnsafeBytes { ccurl_set_bytes(handle, $0.baseAddress, $0.count) }
    case .file(let path, let count, _):
      file = try SentFile(path, count: count)
      code = ccurl_set_source(
        handle,
        { Transfer.of($3)?.file?.read(into: $0, $1 * $2) ?? Int(CURL_READFUNC_ABORT) },
        { context, offset, origin in
          let isThere =
            origin == SEEK_SET && Transfer.of(context)?.file?.seek(to: Int(offset)) == true
          return isThere ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
        }, Unmanaged.passUnretained(self).toOpaque(), curl_off_t(count))
    case .none:
      // What takes a body and gets none has one of no bytes.
      if [.post, .patch].contains(request.method) { code = ccurl_set_bytes(handle, "", 0) }
    }
    guard code == CURLE_OK else { throw .noMemory }
    switch request.method {
    case .get where request.body == .none, .post: break
    case .head: ccurl_set_number(handle, CURLOPT_NOBODY, 1)
    case .get, .patch, .delete:
      guard ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method.rawValue) == CURLE_OK
      else { throw .noMemory }
    }
  }

  private func setHeaders(_ endpoint: ServerEndpoint) throws(ServerClientError) {
    let request = exchange.request
    // Without the last one the library asks first whether a large body may come, and waits a second.
    var texts =
      endpoint.headers(showing: request.token)
      + request.headers.map { "\($0.name): \($0.value)" } + ["Expect:"]
    switch request.body {
    case .none: break
    case .bytes(_, let type), .file(_, _, let type): texts.append("Content-Type: \(type)")
    }
    for text in texts {
      guard ServerEndpoint.isHeader(text) else {
        throw .unaskable(reason: "a header would hold a control character")
      }
      guard let longer = ccurl_append(headers, text) else { throw .noMemory }
      headers = longer
    }
    guard ccurl_set_headers(handle, headers) == CURLE_OK else { throw .noMemory }
  }

  deinit {
    ccurl_free(handle)
    ccurl_free_list(headers)
    words.deallocate()
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  private func takeHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    headerBytes += count
    isTooLong = isTooLong || headerBytes > Limits.headerBytes
    guard !isTooLong, let bytes else { return 0 }
    let line = UnsafeRawBufferPointer(start: bytes, count: count)
    if line.starts(with: "HTTP/".utf8) {
      // What came before it belongs to an answer that was not the last one.
      fields = [:]
      isHeaderWhole = false
    } else if count <= 2 {
      isHeaderWhole = true
    } else if !isHeaderWhole {
      take(line)
    }
    // What comes behind the body (RFC 9110, 6.5) says nothing that is read.
    return count
  }

  private func take(_ line: UnsafeRawBufferPointer) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
    guard
      Limits.fieldsRead.contains(name)
        || name == Limits.bodyLength && exchange.request.method == .head
    else { return }
    let value = line[(colon + 1)...].drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed()
    fields[name] = String(decoding: Array(value), as: UTF8.self)
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
          headers: fields, body: body)))
  }

  private func error(_ code: CURLcode) -> ServerClientError {
    if isTooLong { return .tooLong }
    if file?.isBroken == true {
      return .unreadable(reason: "the file could not be read to its end")
    }
    let told = ccurl_number(handle, CURLINFO_HTTP_CONNECTCODE)
    if told >= 300 { return .noConnection(reason: "the proxy answers HTTP \(told)") }
    return ServerClientError(
      code, during: phase,
      errno: Int32(truncatingIfNeeded: ccurl_number(handle, CURLINFO_OS_ERRNO)),
      words: String(cString: words))
  }

  /// What is known of one that has not ended.
  enum Standing {
    /// It has until then for the phase that it is in; nil where that has no time of its own.
    case goesOn(ContinuousClock.Instant?)
    /// That phase has used up its time.
    case isOver(ServerPhase)
  }

  /// Looks how far it has come, and whether that takes too long.
  func look() -> Standing {
    let now = ContinuousClock.now
    // What has come as far as the answer stays there.
    if watch.phase != .answer { watch.see(phase, at: now) }
    guard watch.phase == .answer else {
      return watch.isOver(at: now) ? .isOver(watch.phase) : .goesOn(watch.deadline)
    }
    let stands = stall.stands(moved: moved, at: now)
    return stands ? .isOver(.answer) : .goesOn(stall.deadline)
  }

  /// Bytes that came, and those that the network took: what only this machine's buffers took is not on its
  /// way yet.
  private var moved: Int64 {
    ccurl_count(handle, CURLINFO_SIZE_UPLOAD_T)
      + ccurl_count(handle, CURLINFO_SIZE_DOWNLOAD_T) + Int64(headerBytes)
      - Int64(ccurl_unsent(handle))
  }

  /// How far it came. A connection that is used again has no times of its own but the last one.
  private var phase: ServerPhase {
    func hasPassed(_ moment: CURLINFO) -> Bool { ccurl_count(handle, moment) > 0 }
    if hasPassed(CURLINFO_PRETRANSFER_TIME_T) { return .answer }
    if !hasPassed(CURLINFO_NAMELOOKUP_TIME_T) { return .name }
    // Its moment of connecting is that at which TLS stands, too.
    if ccurl_number(handle, CURLINFO_LOCAL_PORT) == 0 { return .connection }
    return isEncrypted ? .encryption : .answer
  }
}
