public import NodeCore

/// What a node asks of its server, in the words of Supabase: PostgREST for rows, GoTrue for tokens, its
/// storage for photographs, its functions for pairs. And what the answers mean.
///
/// All of it is computed; ``NodeCore/ServerClient/call(_:by:token:_:)`` sends it.
public struct SupabaseAPI: Hashable, Sendable {
  /// The name and the password that a node signs in with.
  public struct Login: Hashable, Sendable {
    /// The name, as the server knows it: an address.
    public var email: String
    /// The password.
    public var password: Token

    /// A name with its password.
    public init(email: String, password: Token) {
      self.email = email
      self.password = password
    }

    /// A name as people type it, with the domain that the server puts behind it: `ram` and `bnp.local`.
    /// A name that is an address already stays what it is.
    public init(user: String, domain: String, password: Token) {
      self.init(email: user.contains("@") ? user : "\(user)@\(domain)", password: password)
    }
  }

  /// What tokens are asked for with; nil for a node that does not sign in.
  public var login: Login?
  /// The bucket of the storage that photographs lie in.
  public var bucket = "passage-photos"

  /// A server of that kind.
  public init(login: Login? = nil) {
    self.login = login
  }
}

extension ServerClient {
  /// Asks, and tells what the answer means.
  ///
  /// - Parameters:
  ///   - token: What is shown; nil for that of the settings.
  ///   - completion: As that of ``NodeCore/ServerClient/send(_:_:)``.
  public func call(
    _ call: ServerCall, by api: SupabaseAPI, token: Token? = nil,
    _ completion: @escaping @Sendable (ServerReply) -> Void
  ) {
    let request: ServerRequest
    do throws(ServerFailure) {
      request = try api.request(for: call, token: token)
    } catch {
      completion(ServerReply(.failure(error)))
      return
    }
    send(request) { completion(api.reply(to: call, $0)) }
  }
}
