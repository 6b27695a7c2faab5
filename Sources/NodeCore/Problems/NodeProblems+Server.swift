import Events
import Text
import Time

// What keeps passages from the server, and what the server does not take.
extension NodeProblems {
  /// What stands between this node and its server, once that is more than usual.
  func ofTheServer(_ node: NodeSnapshot) -> [Problem] {
    guard node.hasServer else { return [] }
    if let alarm = node.credentialAlarm { return [credential(alarm, node)] }
    switch node.connectivity {
    case .unknown, .online: return []
    case .impaired(.place(let fault)):
      return [
        Problem(
          "place_fault", .critical, "no passage goes to the server: \(fault.words)",
          remedy: fault.remedy, since: node.serverDownSince.map(wall))
      ]
    case .impaired(.credential):
      return [credential(Impairment.credential.words, node)]
    case .impaired(let impairment): return [impaired(impairment, node)].compactMap { $0 }
    case .offline(.noServer): return []
    case .offline(.outage(let outage, let words)):
      return [offline(outage, words, node)].compactMap { $0 }
    }
  }

  private func credential(_ words: String, _ node: NodeSnapshot) -> Problem {
    Problem(
      "credential_refused", .critical,
      "the server refuses what this node shows, so no passage goes to it: \(words)",
      remedy: "correct server.user and the files of server.password_file, server.token_file and"
        + " server.api_key_file; they are taken up by themselves",
      since: node.serverDownSince.map(wall))
  }

  private func impaired(_ impairment: Impairment, _ node: NodeSnapshot) -> Problem? {
    // What passes within minutes is no state; what takes a person is one at once.
    let isForAPerson =
      switch impairment {
      case .trouble(.restricted), .trouble(.readOnly), .trouble(.staleSchema): true
      default: false
      }
    guard isForAPerson || hasLasted(node.serverDownSince, node) else { return nil }
    return Problem(
      "server_impaired", isForAPerson ? .critical : .warning,
      "the server answers and takes nothing: \(impairment.words)",
      remedy: "tell the server's administrator; what to look for is in `checkpost log`",
      since: node.serverDownSince.map(wall))
  }

  private func offline(
    _ outage: ServerFailure.Outage, _ words: String, _ node: NodeSnapshot
  ) -> Problem? {
    let since = (node.offlineSince ?? node.serverDownSince).map(wall)
    switch outage {
    case .untrusted:
      return Problem(
        "server_untrusted", .critical,
        "what answers at server.url does not prove to be the server: \(words)",
        remedy: "see this machine's clock, server.url and the server's certificate", since: since)
    case .captivePortal:
      return Problem(
        "captive_portal", .critical,
        "a page of the network answers in the server's place: \(words)",
        remedy: "sign in to that network, or use another one", since: since)
    case .cannotAsk:
      // Nothing outside will mend that.
      return Problem(
        "server_unreachable", .critical, "this machine cannot ask the server: \(words)",
        remedy: NodeProblems.remedy(for: outage), since: since)
    case .noLink, .noRoute, .noName, .refused, .noAnswer:
      guard hasLasted(node.offlineSince, node) else { return nil }
      return Problem(
        "server_unreachable", .warning, "the server cannot be reached: \(words)",
        remedy: NodeProblems.remedy(for: outage), since: since)
    }
  }

  private static func remedy(for outage: ServerFailure.Outage) -> String {
    switch outage {
    case .noLink: "see the cable, the wireless network or the SIM of the uplink"
    case .noRoute: "see the router or the SIM of the uplink"
    case .noName: "see the network's name service, and the name in server.url"
    case .refused: "see whether the server runs, and the port in server.url"
    case .noAnswer: "see the line to the server; it is asked again by itself"
    case .cannotAsk: "install what is missing; where nothing is, sudo systemctl restart checkpost"
    case .untrusted, .captivePortal: "see the network"
    }
  }

  /// Whether something has lasted for longer than an absence usually does.
  private func hasLasted(_ since: BootInstant?, _ node: NodeSnapshot) -> Bool {
    since.map { moment.boot - $0 > node.usualAbsence } ?? false
  }

  // MARK: What the server does not take

  /// What the server refused for good, and what a person has to decide, known from the store alone.
  func ofUploads(_ overview: StoreOverview) -> [Problem] {
    var problems = UploadKind.allCases.compactMap { kind in
      overview.refused[kind].map { refused($0, kind) }
    }
    if overview.conflictsOpen > 0 {
      let count = overview.conflictsOpen
      problems.append(
        Problem(
          "conflicts_open", .critical,
          "the server has something else for \(count) passage\(count == 1 ? "" : "s") of this post",
          count: count, remedy: "compare and decide with `checkpost queue conflicts`",
          since: overview.conflictsSince))
    }
    return problems
  }

  private func refused(_ refused: RefusedUploads, _ kind: UploadKind) -> Problem {
    let (name, things) =
      switch kind {
      case .passage: ("uploads_refused", "passage")
      case .photo: ("photos_refused", "photograph")
      case .correction: ("corrections_refused", "correction")
      }
    return Problem(
      name, .critical,
      "the server refused \(refused.count) \(things)\(refused.count == 1 ? "" : "s") for good"
        + (refused.count == 1 ? ": " : "; the last one: ") + refused.error,
      count: refused.count,
      remedy: "`checkpost queue list --status stuck` shows which; once the cause is mended,"
        + " `checkpost sync now` tries all of it again",
      since: refused.since.map(wall))
  }
}
