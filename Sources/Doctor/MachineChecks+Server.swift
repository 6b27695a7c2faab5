import Host
import NodeCore
import ServerHTTP
import Settings
import Supabase

extension MachineChecks {
  /// Whether the server answers, as the node asks it: a node that signs in has to be let in, and to stand at
  /// the post that the server has it at.
  public func server() async -> Finding {
    guard loaded.settings.roles.node || !loaded.settings.roles.central else {
      return Finding("server", .skipped, "a central asks none")
    }
    do {
      guard let client = try CurlServerClient(loaded) else {
        return Finding("server", .skipped, "none is configured; every passage leaves as a text")
      }
      defer { client.end() }
      let line = Line(client: client, api: try SupabaseAPI(loaded))
      guard line.api.login != nil else {
        _ = try await line.ask(.probe)
        return Finding("server", .good, "answers, and knows us")
      }
      guard case .session(let session) = try await line.ask(.signIn(.password)),
        case .profile(let profile) = try await line.ask(
          .profile(user: session.userID), token: session.accessToken)
      else {
        return Finding("server", .warning, "the server answers something else than it is asked")
      }
      return judged(profile)
    } catch let failure as ServerFailure {
      return MachineChecks.finding(failure)
    } catch {
      return Finding("server", error)
    }
  }

  /// A failure as a finding: what only a person can change does not work, what may pass is a warning.
  private static func finding(_ failure: ServerFailure) -> Finding {
    switch failure.kind {
    case .credential:
      return Finding(
        "server", .bad, failure.words,
        remedy: "correct server.user and the files of server.password_file, server.token_file and"
          + " server.api_key_file")
    case .outage(.untrusted):
      return Finding(
        "server", .bad, failure.words,
        remedy: "see this machine's clock, server.url and the server's certificate")
    case .outage(.captivePortal):
      return Finding(
        "server", .bad, failure.words, remedy: "sign in to that network, or use another one")
    case .outage:
      return Finding(
        "server", .warning, failure.words, remedy: "passages leave as texts meanwhile")
    case .trouble, .duplicate, .reference, .denied, .rejected, .absent:
      return Finding(
        "server", .warning, failure.words,
        remedy: "passages wait meanwhile, and leave as texts when it lasts")
    }
  }

  /// Whether the user of the settings is the one that may record at the post of the settings.
  private func judged(_ profile: ServerProfile) -> Finding {
    guard profile.isActive else {
      return Finding(
        "server", .bad, "the user of server.user may not work any more",
        remedy: "have the server's administrator let the user work, or name another one")
    }
    guard let post = profile.post else {
      return Finding(
        "server", .bad, "the user of server.user has no post there, so no passage is taken",
        remedy: "have the server's administrator assign the post to the user")
    }
    if let own = loaded.settings.node.checkpost, own != post.code {
      return Finding(
        "server", .bad,
        "the user of server.user stands at \(post.code), and this post is \(own): no passage is taken",
        remedy: "correct node.checkpost or server.user, or have the user assigned to \(own)")
    }
    return Finding("server", .good, "answers, and lets this node in at \(post.code)")
  }
}

/// A client with the words of its server.
private struct Line {
  let client: CurlServerClient
  let api: SupabaseAPI

  /// What came of a call.
  ///
  /// - Throws: `ServerFailure` when that is nothing.
  func ask(_ call: ServerCall, token: Token? = nil) async throws -> ServerResult {
    let reply = await withCheckedContinuation { continuation in
      client.call(call, by: api, token: token) { continuation.resume(returning: $0) }
    }
    return try reply.result.get()
  }
}
