import Events
import NodeCore
import Passages
import Time

// What concerns the way to the server.
extension NodeLogMessages {
  func event(ofSync fact: NodeFact) -> Event {
    switch fact {
    case .uploaded(let kind, let client, let isNew): uploaded(kind, client, isNew: isNew)
    case .uploadMissed(let kind, let client, let reason, let attempt, let next):
      make(
        "upload_missed", kind == .photo ? .debug : .warning,
        "\(kind.words) was not taken by the server (attempt \(attempt)): \(reason)", client: client,
        next: next, fields: fields(kind, reason) + [EventField("attempt", .integer(Int64(attempt)))]
      )
    case .uploadFailed(let kind, let client, let reason, let isPermanent):
      make(
        "upload_failed", .error,
        isPermanent
          ? "the server does not take \(kind.words): \(reason); queue show has it, queue retry tries"
            + " it again"
          : "\(kind.words) is given up until the line comes back: \(reason)", client: client,
        fields: fields(kind, reason) + [EventField("permanent", .flag(isPermanent))])
    case .conflictFound(let client, let resolution):
      make(
        "conflict_found", .warning,
        "the server has something else under the identity of a passage; both are kept, and"
          + " \(resolution.words) (queue conflicts)", client: client,
        fields: [EventField("resolution", .text(resolution.rawValue))])
    case .syncStarted(let waiting):
      make(
        "sync_started", .info, "\(waiting) passages begin to go to the server",
        fields: [EventField("total", .integer(Int64(waiting)))])
    case .syncProgress(let done, let total):
      make(
        "sync_progress", .info, "\(done) of \(total) passages are on the server",
        fields: [
          EventField("done", .integer(Int64(done))), EventField("total", .integer(Int64(total))),
        ])
    case .syncFinished(let count, let took):
      make(
        "sync_finished", count > 1 ? .info : .debug,
        "everything that was due is on the server: \(count) passages in \(took.wholeSeconds) s",
        fields: [
          EventField("done", .integer(Int64(count))),
          EventField("took_seconds", .integer(took.wholeSeconds)),
        ])
    case .signedIn(let byPassword, let isNew):
      make(
        "signed_in", isNew ? .info : .debug,
        byPassword ? "signed in on the server" : "the session with the server was renewed")
    case .signInFailed(let reason, let isRefresh, let next):
      make(
        "sign_in_failed", isRefresh ? .notice : .warning,
        isRefresh
          ? "the server does not renew the session: \(reason); it is asked with the password"
          : "the server does not sign this node in: \(reason)", next: next,
        fields: [NodeLogMessages.reason(reason)])
    case .credentialRefused(let reason):
      make(
        "credential_refused", .error,
        "the server does not take this node's credential: \(reason); check server.email,"
          + " server.password_file, server.api_key_file and server.token_file",
        fields: [NodeLogMessages.reason(reason)])
    case .directoryLearned(let directory): learned(directory)
    case .directoryFault(let fault):
      make(
        "directory_fault", .error,
        "no passage can go to the server: \(fault.words); \(fault.remedy)",
        fields: [NodeLogMessages.reason(fault.words)])
    default:
      make("sync", .debug, "something about the way to the server")
    }
  }

  private func uploaded(_ kind: UploadKind, _ client: ClientID, isNew: Bool) -> Event {
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

  private func learned(_ directory: PostDirectory) -> Event {
    let profile = directory.profile
    var words = "the server knows this node as post \(profile.post?.code ?? "(none)")"
    if let segment = profile.segment {
      words +=
        ", segment \(segment.name): \(segment.distanceKilometres) km at"
        + " \(segment.minimumKilometresPerHour) to \(segment.maximumKilometresPerHour) km/h"
    }
    if let opposite = directory.opposite { words += ", opposite \(opposite.code)" }
    return make(
      "directory_learned", .info, words,
      fields: [
        EventField("checkpost", .text(profile.post?.code ?? "")),
        EventField("opposite", .text(directory.opposite?.code ?? "")),
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
