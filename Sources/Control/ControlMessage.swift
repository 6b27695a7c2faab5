public import JSON

/// A request to the running service: an operation and what it needs to know.
public struct ControlRequest: Hashable, Sendable {
  /// The operation, in snake_case: `status`, `queue_retry`, `modem_command`.
  public var operation: String
  /// What the operation needs to know, by names in snake_case; `op` is taken.
  public var fields: [String: JSONValue]

  /// A request.
  public init(_ operation: String, _ fields: [String: JSONValue] = [:]) {
    self.operation = operation
    self.fields = fields
  }
}

/// The answer of the running service.
public enum ControlAnswer: Hashable, Sendable {
  /// It was done; what there is to tell.
  case done([String: JSONValue])
  /// It was not done.
  case refused(ControlRefusal)
}

/// Why the service did not do what it was asked.
public struct ControlRefusal: Error, Hashable, Sendable {
  /// A stable name in snake_case: `unknown_operation`, `modem_not_ready`.
  public var code: String
  /// What is wrong and what to do, in one line.
  public var message: String
  /// The exit code of `sysexits.h` that a command ends with.
  public var exitCode: Int32

  /// A refusal; 69 (service unavailable) unless another exit code fits better.
  public init(code: String, message: String, exitCode: Int32 = 69) {
    self.code = code
    self.message = message
    self.exitCode = exitCode
  }
}

// On the wire: one line of JSON each way. `{"op":"status"}`, `{"ok":true,…}`,
// `{"error":"modem_not_ready","exit":69,"message":"…","ok":false}`.

extension ControlRequest {
  private static let operationKey = "op"

  /// The request as one line of JSON, without the end of the line.
  var json: String {
    var object = fields
    object[ControlRequest.operationKey] = .text(operation)
    return JSONText.line(.object(object))
  }

  /// Reads a request; nil when the line is none.
  init?(json line: [UInt8]) {
    guard var object = JSONText.decode(line)?.object,
      let operation = object.removeValue(forKey: ControlRequest.operationKey)?.text
    else {
      return nil
    }
    self.init(operation, object)
  }
}

extension ControlAnswer {
  private enum Key {
    static let isDone = "ok"
    static let code = "error"
    static let message = "message"
    static let exitCode = "exit"
  }

  /// The answer as one line of JSON, without the end of the line.
  var json: String {
    switch self {
    case .done(var fields):
      fields[Key.isDone] = true
      return JSONText.line(.object(fields))
    case .refused(let refusal):
      return JSONText.line([
        Key.isDone: false, Key.code: .text(refusal.code), Key.message: .text(refusal.message),
        Key.exitCode: .integer(Int64(refusal.exitCode)),
      ])
    }
  }

  /// Reads an answer; nil when the line is none.
  init?(json line: [UInt8]) {
    guard var object = JSONText.decode(line)?.object,
      let isDone = object.removeValue(forKey: Key.isDone)?.flag
    else {
      return nil
    }
    if isDone {
      self = .done(object)
      return
    }
    guard let code = object[Key.code]?.text, let message = object[Key.message]?.text else {
      return nil
    }
    let exitCode = object[Key.exitCode]?.integer.flatMap { Int32(exactly: $0) }
    self = .refused(ControlRefusal(code: code, message: message, exitCode: exitCode ?? 69))
  }
}
