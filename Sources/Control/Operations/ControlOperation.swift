import JSON

/// Something that the running service does when it is asked: what it needs to know, and what it answers.
///
/// A request is the operation's own members and, under `op`, its name. The names and keys never change,
/// for a command and the service that it asks may be of two versions; what is added is optional.
public protocol ControlOperation: Codable, Hashable, Sendable {
  /// What is answered when it was done.
  associatedtype Answer: Codable, Sendable

  /// Its name in a request, in snake_case: `modem_command`.
  static var name: String { get }

  /// What is wrong with a request that lacks something, in words.
  static var isMissing: String { get }
}

extension ControlOperation {
  /// Nothing can be missing, unless an operation says so.
  public static var isMissing: String { "something is missing" }
}

/// An operation on one of the service's modems, or on all that are meant.
public protocol ModemOperation: ControlOperation {
  /// Whose modem: `node` or `central`; nil for either.
  var role: String? { get set }
  /// Its name, where the node has several; nil for any.
  var modem: String? { get set }
}

/// The answer when there is nothing to tell.
public struct NothingToTell: Codable, Hashable, Sendable {
  /// Nothing.
  public init() {}
}

extension ControlRequest {
  /// A request for an operation.
  public init(_ operation: some ControlOperation) {
    self.init(type(of: operation).name, JSONText.object(of: operation))
  }

  /// The request as that operation.
  ///
  /// - Throws: That it lacks something.
  func decoded<Operation: ControlOperation>() throws(ControlRefusal) -> Operation {
    guard let operation = JSONText.decode(Operation.self, from: fields) else {
      throw ControlRefusal(
        code: "bad_request", message: Operation.isMissing, exitCode: ExitStatus.usage.code)
    }
    return operation
  }
}
