import CCurl
import Glibc
import NodeCore

extension ServerClientError {
  /// What an error of the library means.
  ///
  /// - Parameters:
  ///   - phase: How far the exchange had come.
  ///   - errno: What the system said last; 0 for nothing.
  ///   - words: What the library said beyond its number; may be empty.
  init(_ code: CURLcode, during phase: ServerPhase, errno: Int32, words: String) {
    let words = words.isEmpty ? String(cString: ccurl_words(code)) : words
    let reason = String(words.prefix(Limits.reasonCharacters))
    switch code {
    case CURLE_OPERATION_TIMEDOUT: self = .timedOut(phase)
    case CURLE_COULDNT_RESOLVE_HOST: self = .unknownName
    case CURLE_COULDNT_RESOLVE_PROXY:
      self = .noConnection(reason: "the proxy's name is not known")
    case CURLE_SSL_CACERT_BADFILE:
      self = .unaskable(reason: "server.ca_file cannot be used (\(reason))")
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      self = .untrusted(reason: "the server's key is none of those of server.pin")
    case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED:
      let told = errno == 0 ? reason : String(cString: strerror(errno)).lowercased()
      self =
        switch errno {
        case ECONNREFUSED: .refused
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL: .noRoute(reason: told)
        default: .noConnection(reason: told)
        }
    case CURLE_URL_MALFORMAT:
      self = .unaskable(reason: "server.url cannot be asked; it has to be http or https")
    // The schemes were looked at before, so this is an answer as before HTTP/1.0.
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: self = .notHTTP
    case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR: self = .cutOff
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER,
      CURLE_SSL_CERTPROBLEM, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
      self = .untrusted(reason: reason)
    // A line of the header that does not end: the library says so in these words.
    case CURLE_OUT_OF_MEMORY where phase == .answer: self = .tooLong
    case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT: self = .unavailable(reason: reason)
    default: self = .noConnection(reason: reason)
    }
  }
}
