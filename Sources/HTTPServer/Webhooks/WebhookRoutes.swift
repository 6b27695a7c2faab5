import CentralCore
import CentralService
import Events
import Hummingbird
import NIOHTTP1
import Synchronization
import Time

/// The routes on which providers hand texts in, one for each: bounds what comes, lets the provider read
/// it, and answers once the text is on disk.
final class WebhookRoutes: Sendable {
  private let providers: Mutex<[String: any WebhookProvider]>
  private let central: CentralService
  private let clocks: any Clocks
  private let door: Door
  private let refusals: RefusalLog

  init(
    _ providers: [any WebhookProvider], central: CentralService, clocks: any Clocks, door: Door,
    refusals: RefusalLog
  ) {
    self.providers = Mutex(WebhookRoutes.byPath(providers))
    self.central = central
    self.clocks = clocks
    self.door = door
    self.refusals = refusals
  }

  /// Takes up what is expected of each provider now.
  func change(_ providers: [any WebhookProvider]) {
    self.providers.withLock { $0 = WebhookRoutes.byPath(providers) }
    // What was refused before says nothing of them.
    central.forgetRefusals()
  }

  private static func byPath(_ providers: [any WebhookProvider]) -> [String: any WebhookProvider] {
    Dictionary(uniqueKeysWithValues: providers.map { ($0.path, $0) })
  }

  func add(to router: Router<CallContext>) {
    for provider in providers.withLock({ Array($0.values) }) {
      let path = provider.path
      for method in provider.methods {
        router.on(RouterPath(path), method: method.ofHTTP) { [self] request, context in
          let current = providers.withLock { $0[path] } ?? provider
          return await handle(request, method, current, context.caller)
        }
      }
      let taken = Set(provider.methods.map(\.ofHTTP))
      for method in WebhookRoutes.methods where !taken.contains(method) {
        router.on(RouterPath(path), method: method) { [self] _, context in
          refuse(method, provider, context.caller)
        }
      }
    }
  }

  /// Methods that requests come by.
  private static let methods: [HTTPRequest.Method] = [
    .get, .head, .post, .put, .patch, .delete, .options,
  ]

  /// What is answered to a method that is not the provider's.
  private func refuse(
    _ method: HTTPRequest.Method, _ provider: any WebhookProvider, _ caller: Caller
  ) -> Response {
    let allowed = provider.methods.map(\.rawValue).sorted().joined(separator: ", ")
    let refusal = WebhookRefusal(.method, "\(method.rawValue) came where \(allowed) is taken")
    var response = answer(.refused(.method), of: provider)
    response.headers[.allow] = allowed
    if method == .head { response.body = ResponseBody() }
    note(refusal, provider, caller)
    return response
  }

  /// Writes a refusal into the log, and counts it.
  private func note(
    _ refusal: WebhookRefusal, _ provider: any WebhookProvider, _ caller: Caller
  ) {
    central.noteRefusal(refusal, by: provider.path)
    refusals.record(
      refusal.kind.rawValue, refusal.kind == .storage ? .error : .warning,
      "answered \(WebhookOutcome.refused(refusal.kind).status) to \(caller.name): \(refusal.words)")
  }

  private func answer(_ outcome: WebhookOutcome, of provider: any WebhookProvider) -> Response {
    let answer = provider.answer(to: outcome)
    return Response(
      status: HTTPResponse.Status(code: answer.status),
      headers: [.contentType: answer.contentType],
      body: ResponseBody(byteBuffer: ByteBuffer(string: answer.body)))
  }

  private func handle(
    _ request: Request, _ method: WebhookMethod, _ provider: any WebhookProvider, _ caller: Caller
  ) async -> Response {
    // Before its body is read.
    if let refusal = door.refusalOfSignature(caller) { return refusal }
    let outcome: WebhookOutcome
    do throws(WebhookRefusal) {
      outcome = try await take(request, method, provider) ? .kept : .tooSlow
      if outcome == .kept {
        door.signatureWas(true, of: caller)
        central.noteTaken(by: provider.path)
      }
    } catch {
      outcome = .refused(error.kind)
      if error.kind == .signature { door.signatureWas(false, of: caller) }
      note(error, provider, caller)
    }
    var response = answer(outcome, of: provider)
    if outcome == .refused(.storage) { response.headers[.retryAfter] = "30" }
    if outcome == .refused(.crowded) { response.headers[.retryAfter] = "3600" }
    return response
  }

  /// Returns when the text is on disk; false when the connection was closed before the whole of it came.
  private func take(
    _ request: Request, _ method: WebhookMethod, _ provider: any WebhookProvider
  ) async throws(WebhookRefusal) -> Bool {
    let head = WebhookHead(
      method: method, query: request.uri.query ?? "",
      headers: request.headers.map { ($0.name.canonicalName, $0.value) })
    try provider.check(head)
    let body: ByteBuffer
    do {
      body = try await request.body.collect(upTo: Limits.bodyBytes)
    } catch ConnectionFault.tooSlow {
      return false
    } catch is HTTPParserError {
      throw WebhookRefusal(.form, "the body cannot be read as HTTP")
    } catch {
      throw WebhookRefusal(.body, "the body cannot be read whole")
    }
    let message = try provider.message(
      of: WebhookRequest(head: head, body: Array(body.readableBytesView)), at: clocks.wall())
    let kept = await StorePatience.wait { waiting in
      if !central.submit(message, completion: { waiting.end(with: $0) }) { waiting.end(with: nil) }
    }
    guard case .success(let receipt) = kept else {
      throw WebhookRefusal(.storage, "the text could not be kept; try again")
    }
    // The provider has it still, and room for it; a modem has none, and forgets it.
    if receipt == .crowded {
      throw WebhookRefusal(.crowded, "the text is no passage, and too many of those wait already")
    }
    return true
  }
}

extension WebhookMethod {
  /// As HTTP names it.
  fileprivate var ofHTTP: HTTPRequest.Method { self == .get ? .get : .post }
}
