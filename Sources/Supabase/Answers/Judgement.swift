import NodeCore

/// What an answer means that is not a good one: by its status and by what the body says, never by the
/// status alone. 409 is three things, and the storage says 400 to everything.
struct Judgement {
  private let status: Int
  private let content: AnswerContent
  private let call: ServerCall

  init(_ status: Int, _ content: AnswerContent, of call: ServerCall) {
    self.status = status
    self.content = content
    self.call = call
  }

  var failure: ServerFailure {
    // 300 is a redirect, and what PostgREST calls a relation that is not the only one.
    guard status != 511, !(301..<400).contains(status), let error = content.error else {
      return unidentified
    }
    switch call {
    case .signIn: return tokenFailure(error)
    case .upload: return storageFailure(error)
    case .match: return functionFailure(error)
    default: return rowFailure(error)
    }
  }

  private func failed(
    _ kind: ServerFailure.Kind, _ error: ErrorContent, _ words: String
  ) -> ServerFailure {
    let code = error.code.map { ", \($0)" } ?? ""
    return ServerFailure(
      kind, status: status, code: error.code, words: "\(words) (HTTP \(status)\(code))")
  }

  // MARK: - Nothing of the server's own

  private var unidentified: ServerFailure {
    func outage(_ outage: ServerFailure.Outage, _ words: String) -> ServerFailure {
      ServerFailure(.outage(outage), status: status, words: words)
    }
    switch status {
    case 300..<400:
      return outage(
        .captivePortal,
        "redirected (HTTP \(status)); a sign-in page of the network, perhaps; or check server.url")
    case 511: return outage(.captivePortal, "the network wants a sign-in first (HTTP 511)")
    case 404, 405, 410:
      return outage(
        .captivePortal, "what answers does not know passages (HTTP \(status)); check server.url")
    // Whoever says so has read how much was coming, and so will the next one.
    case 413:
      return ServerFailure(
        .rejected, status: status, words: "what was sent is larger than is taken (HTTP 413)")
    // Of a gateway whose server is not there.
    case 408, 425, 429, 500...:
      return outage(
        .noAnswer,
        content.isBroken
          ? "the answer was cut off (HTTP \(status))"
          : "the server is down; a gateway in front of it answers (HTTP \(status), \(content.kind))"
      )
    default:
      return outage(
        .captivePortal,
        "what answers is not the server (HTTP \(status), \(content.kind)); a sign-in page of the"
          + " network, or a guard in front of the server")
    }
  }

  // MARK: - Rows

  /// The constraint that makes a passage one.
  private static let identityConstraint = "vehicle_passages_client_id_key"

  private func rowFailure(_ error: ErrorContent) -> ServerFailure {
    if let failure = schemaFailure(error) { return failure }
    switch status {
    case 401: return credential(error)
    case 403:
      return failed(
        .denied, error,
        "the server does not allow it to this user; check the post that it is"
          + " assigned to")
    // A table that is not there has a code of its own: this is another server, or another path.
    case 404, 410: return unidentified
    case 405 where error.code == "25006":
      return failed(.trouble(.readOnly), error, "the server's database takes nothing for now")
    case 409: return conflict(error)
    case 400 where error.code == nil:
      // The gateway, not the database: it says nothing about the values.
      return failed(.trouble(.failing), error, "the server cannot do it now")
    case 400, 405, 406, 411..<418, 422:
      let name = error.name(after: "constraint") ?? error.name(after: "column")
      return failed(
        .rejected, error,
        "the server will not take a value as it is\(name.map { ": \($0)" } ?? "")")
    default: return anywhere(error)
    }
  }

  /// What the server knows of its tables is old, or it is of another make: neither is the passage's fault.
  private func schemaFailure(_ error: ErrorContent) -> ServerFailure? {
    guard let code = error.code, [300, 400, 404].contains(status) else { return nil }
    switch code {
    case "PGRST002", "PGRST003":
      return failed(.trouble(.failing), error, "the server's database does not answer now")
    // An unknown relation, function, column or table, to the server and to its database.
    case "PGRST200", "PGRST201", "PGRST202", "PGRST203", "PGRST204", "PGRST205", "42P01", "42703",
      "42883":
      return failed(
        .trouble(.staleSchema), error,
        "the server does not know a table or a column that it should know")
    default: return nil
    }
  }

  private func conflict(_ error: ErrorContent) -> ServerFailure {
    switch error.code {
    case "23505":
      let constraint = error.name(after: "constraint")
      guard constraint == Judgement.identityConstraint else {
        return failed(
          .rejected, error,
          "another row is in the way\(constraint.map { ": \($0)" } ?? "")")
      }
      // Of several passages it says nothing about any but one.
      if case .push(let passages) = call, passages.count > 1 {
        return failed(.rejected, error, "one of these passages is there already")
      }
      return failed(.duplicate, error, "the server has this passage already")
    case "23503":
      let name = error.name(after: "foreign key constraint")
      return failed(
        .reference, error,
        "the server does not have the post, the segment or the ranger"
          + (name.map { ": \($0)" } ?? ""))
    default: return failed(.rejected, error, "something there is in the way")
    }
  }

  /// What any part of the server says in the same way.
  private func anywhere(_ error: ErrorContent) -> ServerFailure {
    switch status {
    case 401: credential(error)
    case 402:
      failed(
        .trouble(.restricted), error,
        "the server is restricted: a bill or a quota; have its owner look")
    case 403: failed(.denied, error, "the server does not allow it")
    case 404: failed(.absent, error, "the server does not have it")
    case 423, 425, 429: failed(.trouble(.busy), error, "the server is asked too often")
    case 408, 500...: failed(.trouble(.failing), error, "the server fails")
    case 300..<400: unidentified
    default: failed(.rejected, error, "the server will not do it")
    }
  }

  private func credential(_ error: ErrorContent) -> ServerFailure {
    // Whose clock is wrong is not told.
    if error.message.lowercased().contains("issued at future") {
      return failed(
        .credential, error,
        "the server takes the token for one of the future: its clock or this machine's is wrong")
    }
    return failed(
      .credential, error,
      "the server does not accept the key or token; check server.api_key_file, and server.token_file"
        + " or server.password_file")
  }

  // MARK: - Tokens

  private func tokenFailure(_ error: ErrorContent) -> ServerFailure {
    switch status {
    case 409: failed(.trouble(.busy), error, "another sign-in of this user is on its way")
    case 400, 401, 403, 404, 422:
      failed(
        .credential, error, "the server does not accept the name, the password or the last token")
    default: anywhere(error)
    }
  }

  // MARK: - Storage

  /// Its status is 400 whatever happened; the one that counts is in the body.
  private func storageFailure(_ error: ErrorContent) -> ServerFailure {
    let inner = Judgement(error.status ?? status, content, of: call)
    let message = error.message.lowercased()
    switch inner.status {
    case 401, 403:
      // It calls both by one name, and only its words tell them apart.
      let isAboutRights = message.contains("row-level security")
      let isAboutToken = ["jwt", "jws", "claim", "signature", "token"].contains {
        message.contains($0)
      }
      if inner.status == 401 || isAboutToken, !isAboutRights { return inner.credential(error) }
      return inner.failed(.denied, error, "the server does not allow this user to keep photographs")
    case 404: return inner.failed(.absent, error, "the server has no such bucket for photographs")
    // It was to be written over, so another upload of it is on its way.
    case 409:
      return inner.failed(.trouble(.busy), error, "the photograph is being uploaded already")
    case 413:
      return inner.failed(.rejected, error, "the photograph is larger than the server takes")
    case 415:
      return inner.failed(.rejected, error, "the server does not take photographs of this kind")
    default: return inner.anywhere(error)
    }
  }

  // MARK: - Functions

  private func functionFailure(_ error: ErrorContent) -> ServerFailure {
    switch status {
    case 409: failed(.duplicate, error, "one of the two passages has a partner already")
    case 400, 405, 422: failed(.rejected, error, "the server takes the two for no pair")
    default: anywhere(error)
    }
  }
}
