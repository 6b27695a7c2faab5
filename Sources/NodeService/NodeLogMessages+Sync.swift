import Events
import NodeCore
import Passages
import Time

// What concerns the way to the server.
extension NodeLogMessages {
  func missed(
    _ kind: UploadKind, _ client: ClientID, _ reason: String, attempt: Int, next: BootInstant?
  ) -> Event {
    make(
      "upload_missed", kind == .photo ? .debug : .warning,
      "\(kind.words) was not taken by the server (attempt \(attempt)): \(reason)", client: client,
      next: next, fields: fields(kind, reason) + [EventField("attempt", .integer(Int64(attempt)))])
  }

  func failed(
    _ kind: UploadKind, _ client: ClientID, _ reason: String, isPermanent: Bool
  ) -> Event {
    make(
      "upload_failed", .error,
      isPermanent
        ? "the server does not take \(kind.words): \(reason); queue show has it, queue retry tries"
          + " it again"
        : "\(kind.words) is given up for now, and tried again within 15 min: \(reason)",
      client: client,
      fields: fields(kind, reason) + [EventField("permanent", .flag(isPermanent))])
  }

  func conflict(_ client: ClientID, _ resolution: ConflictResolution) -> Event {
    make(
      "conflict_found", .warning,
      "the server has something else under the identity of a passage; both are kept, and"
        + " \(resolution.words) (queue conflicts)", client: client,
      fields: [EventField("resolution", .text(resolution.rawValue))])
  }

  func syncStarted(waiting: Int) -> Event {
    make(
      "sync_started", .info, "\(waiting) passages begin to go to the server",
      fields: [EventField("total", .integer(Int64(waiting)))])
  }

  func syncProgress(done: Int, total: Int) -> Event {
    make(
      "sync_progress", .info, "\(done) of \(total) passages are on the server",
      fields: [
        EventField("done", .integer(Int64(done))), EventField("total", .integer(Int64(total))),
      ])
  }

  func syncFinished(_ count: Int, took: Duration) -> Event {
    make(
      "sync_finished", count > 1 ? .info : .debug,
      "everything that was due is on the server: \(count) passages in \(took.wholeSeconds) s",
      fields: [
        EventField("done", .integer(Int64(count))),
        EventField("took_seconds", .integer(took.wholeSeconds)),
      ])
  }

  func signedIn(byPassword: Bool, isNew: Bool) -> Event {
    make(
      "signed_in", isNew ? .info : .debug,
      byPassword ? "signed in on the server" : "the session with the server was renewed")
  }

  func signInFailed(_ reason: String, isRefresh: Bool, next: BootInstant?) -> Event {
    make(
      "sign_in_failed", isRefresh ? .notice : .warning,
      isRefresh
        ? "the server does not renew the session: \(reason); it is asked with the password"
        : "the server does not sign this node in: \(reason)", next: next,
      fields: [NodeLogMessages.reason(reason)])
  }

  func credentialRefused(_ reason: String) -> Event {
    make(
      "credential_refused", .error,
      "the server does not take this node's credential: \(reason); check server.user,"
        + " server.password_file, server.api_key_file and server.token_file",
      fields: [NodeLogMessages.reason(reason)])
  }

  func directoryFault(_ fault: DirectoryFault) -> Event {
    make(
      "directory_fault", .error, "no passage can go to the server: \(fault.words); \(fault.remedy)",
      fields: [NodeLogMessages.reason(fault.words)])
  }

  func uploaded(_ kind: UploadKind, _ client: ClientID, isNew: Bool) -> Event {
    let words =
      isNew
      ? "\(kind.words) is on the server"
      : "the server has \(kind.words) already, and it is the same"
    return make(
      "uploaded", .info, words, client: client,
      fields: [
        EventField("kind", .text(kind.rawValue)), EventField("known", .flag(!isNew)),
      ])
  }

  func learned(_ directory: PostDirectory) -> Event {
    let profile = directory.profile
    var words = "the server knows this node as post \(profile.post?.code ?? "(none)")"
    if let segment = profile.segment {
      words +=
        ", segment \(segment.name): \(segment.distanceKilometres) km at"
        + " \(segment.minimumKilometresPerHour) to \(segment.maximumKilometresPerHour) km/h"
    }
    if let opposite = directory.opposite { words += ", opposite \(opposite.code)" }
    for further in directory.further {
      words +=
        "; and segment \(further.segment.name): \(further.segment.distanceKilometres) km at"
        + " \(further.segment.minimumKilometresPerHour) to"
        + " \(further.segment.maximumKilometresPerHour) km/h"
      if let opposite = further.opposite { words += ", opposite \(opposite.code)" }
    }
    return make(
      "directory_learned", .info, words,
      fields: [
        EventField("checkpost", .text(profile.post?.code ?? "")),
        EventField("opposite", .text(directory.opposites.map(\.code).joined(separator: ","))),
      ])
  }

  private func fields(_ kind: UploadKind, _ reason: String) -> [EventField] {
    [EventField("kind", .text(kind.rawValue)), NodeLogMessages.reason(reason)]
  }
}

extension UploadKind {
  /// What it is, in the middle of a sentence.
  fileprivate var words: String {
    switch self {
    case .passage: "the passage"
    case .photo: "the photograph"
    case .correction: "the correction"
    }
  }
}

extension ConflictResolution {
  /// What becomes of it, in the middle of a sentence.
  fileprivate var words: String {
    switch self {
    case .serverWins: "what the server has counts"
    case .clientWins: "the server is told what was recorded here"
    case .lastWriteWins: "the later one counts"
    case .merge: "what one lacks is filled in from the other"
    case .manual: "a person decides"
    }
  }
}
