public import Time

/// What becomes of a refresh token that is shown.
public enum RefreshDecision: Hashable, Sendable {
  /// It was the active one. The session as it is now has a token more, which follows from the one that was
  /// shown by the session's nonce.
  case rotate(Session)
  /// It was the parent of the active one, whose answer was lost, as nothing that came with it was used: the active one is given again, which
  /// follows in the same way.
  case again(Session)
  /// It gives nothing.
  case refuse(GrantRefusal)
  /// It was used up long ago: it gives nothing, and the session has ended with it.
  case end(Session, GrantRefusal)

  /// Decides.
  ///
  /// - Parameters:
  ///   - session: The session that the token belongs to; nil when there is none.
  ///   - generation: The token's number within it.
  ///   - account: Whose session it is, as it is now; nil when it is not there.
  ///   - nonce: Random bytes for the next token.
  public init(
    session: Session?, generation: Int, account: Account?, nonce: [UInt8], rules: SessionRules,
    at now: WallTime
  ) {
    guard var session else {
      self = .refuse(.tokenNotFound)
      return
    }
    if let end = session.end {
      self = .refuse(end == .replayed ? .tokenUsed : .tokenNotFound)
      return
    }
    guard let account, account.id == session.account else {
      self = .refuse(.tokenNotFound)
      return
    }
    // Another program may have written any number: one that is not just behind is an old one.
    let age = session.generation.subtractingReportingOverflow(generation).partialValue
    // Whoever took an old one is found out also while the account is disabled or the session run out.
    // The parent of one of which something was used is an old one: its owner has the next.
    guard age == 0 || age == 1 && !session.nonce.isEmpty else {
      session.end = .replayed
      session.endedAt = now
      self = .end(session, .tokenUsed)
      return
    }
    guard account.isActive else {
      self = .refuse(.banned)
      return
    }
    guard !rules.hasRunOut(session, at: now) else {
      self = .refuse(.sessionExpired)
      return
    }
    guard session.generation < .max else {
      self = .refuse(.sessionExpired)
      return
    }
    // After a clock that ran ahead was put right, the time counts from now on.
    session.createdAt = min(session.createdAt, now)
    session.refreshedAt = now
    if age == 1 {
      self = .again(session)
      return
    }
    session.generation += 1
    session.nonce = nonce
    self = .rotate(session)
  }
}

/// What becomes of a name and a password.
public enum PasswordDecision {
  /// The account that is signed in to.
  ///
  /// - Parameters:
  ///   - account: The account of that name; nil when nobody has it.
  ///   - matches: Whether the password is the account's.
  /// - Throws: Why not.
  public static func account(
    _ account: Account?, passwordMatches matches: Bool
  ) throws(GrantRefusal) -> Account {
    guard let account, matches else { throw .invalidCredentials }
    guard account.isActive else { throw .banned }
    return account
  }
}
