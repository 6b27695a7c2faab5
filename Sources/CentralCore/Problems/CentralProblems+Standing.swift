public import Events
public import Time

extension CentralFacts {
  /// What the store's numbers say: posts that are silent, texts and verdicts that wait for a person.
  func ofTheOverview(_ overview: CentralOverview, at now: WallTime) -> [Problem] {
    [
      silence(overview.heard, at: now), undecodable(overview.undecodable),
      unproven(overview, at: now), changed(overview), unreadable(overview.unreadable),
      wentBack(overview.heard, at: now),
    ].compactMap { $0 }
  }

  /// That nothing came from posts for too long, whichever way. A post that tells that it lives and records
  /// nothing has no traffic, and one that was never heard of is not set up yet: neither is silent.
  private func silence(_ posts: [PostHeard], at now: WallTime) -> Problem? {
    guard silentAfter > .zero else { return nil }
    let silent = posts.compactMap { post in post.heardAt.map { (code: post.code, at: $0) } }
      .filter { now - $0.at > silentAfter }.sorted { $0.at < $1.at }
    guard let first = silent.first else { return nil }
    let named = silent.prefix(CentralFacts.namedPosts).map(\.code).joined(separator: ", ")
    let more = silent.count - CentralFacts.namedPosts
    return Problem(
      "post_silent", .warning,
      (silent.count == 1 ? "post \(named) is" : "\(silent.count) posts are")
        + " silent: no passage, text,"
        + " heartbeat or sign-in came" + (silent.count == 1 ? "" : " from \(named)")
        + (more > 0 ? " and \(more) more" : ""),
      count: silent.count,
      remedy: "call the post: its line, its modem or its power may be off", since: first.at)
  }

  private func undecodable(_ count: Int) -> Problem? {
    guard count > 0 else { return nil }
    return Problem(
      "texts_undecodable", .warning,
      "\(count) text\(count == 1 ? " that is no passage waits" : "s that are no passages wait") for an operator",
      count: count,
      remedy: "see `checkpost central inbox --state undecodable`, and run or dismiss each")
  }

  private func unproven(_ overview: CentralOverview, at now: WallTime) -> Problem? {
    guard overview.unproven > 0, let since = overview.unprovenSince, now - since > provisionalFor
    else { return nil }
    let count = overview.unproven
    return Problem(
      "verdicts_waiting", .warning,
      "\(count) violation\(count == 1 ? " rests" : "s rest") on texts alone and so stay\(count == 1 ? "s" : "")"
        + " provisional", count: count,
      remedy: "look at each: `checkpost central violations list`, and confirm what is right",
      since: since)
  }

  /// That something was told as final and is otherwise by now.
  private func changed(_ overview: CentralOverview) -> Problem? {
    let count = overview.changedAfterFinal
    guard count > 0 else { return nil }
    return Problem(
      "verdicts_changed", .warning,
      "\(count) violation\(count == 1 ? " is" : "s are") not what \(count == 1 ? "it was" : "they were")"
        + " when final, by what came later", count: count,
      remedy: "see `checkpost central violations list --changed`, and confirm each after a look",
      since: overview.changedSince)
  }

  private func unreadable(_ count: Int) -> Problem? {
    guard count > 0 else { return nil }
    return Problem(
      "rows_unreadable", .warning,
      "\(count) row\(count == 1 ? "" : "s") of passages that another program wrote cannot be read, and"
        + " \(count == 1 ? "is" : "are") not judged", count: count,
      remedy: "see `checkpost central passages --unreadable`, and put each right or delete it")
  }

  /// That posts said less than before of what is here: one of the two words was not true.
  private func wentBack(_ posts: [PostHeard], at now: WallTime) -> Problem? {
    let back = posts.compactMap { post in post.wentBackAt.map { (code: post.code, at: $0) } }
      .filter { now - $0.at < Limits.wentBackFor }.sorted { $0.at < $1.at }
    guard let first = back.first else { return nil }
    let named = back.prefix(CentralFacts.namedPosts).map(\.code).joined(separator: ", ")
    return Problem(
      "post_mark_went_back", .warning,
      "\(back.count == 1 ? "post" : "posts") \(named) said that less is here than before: what became final"
        + " in between may rest on a word that was not true", count: back.count,
      remedy:
        "ask the post whether its queue was restored or somebody else uses its account or number,"
        + " and look at `checkpost central violations list --finality reported`",
      since: first.at)
  }

  /// Silent posts that are named; of more it is said how many.
  private static let namedPosts = 5
}

/// How a central is, for programs that may only know that: `/healthz`.
extension CentralFacts {
  /// What the worst of what stands means for `/healthz`; nil when nothing that counts there does.
  public func health(at now: WallTime) -> ProblemCatalogue.Health? {
    let all = problems(at: now).compactMap { ProblemCatalogue.entry($0.name)?.health }
    return all.contains(.unavailable) ? .unavailable : all.first
  }
}
