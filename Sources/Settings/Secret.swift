import EventLoop

/// A secret read from a file: it shows itself as dots wherever it is printed.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The secret itself.
  public let value: String

  /// A secret that is known already.
  public init(_ value: String) {
    self.value = value
  }

  /// Dots, and never the secret.
  public var description: String { Secret.dots }
  /// Dots, and never the secret: also where a debugger or a test prints it.
  public var debugDescription: String { Secret.dots }
  /// A mirror that shows nothing within, so that `dump` shows no secret either.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// What stands where a secret would.
  static let dots = "••••••••"
}

extension Secret {
  /// Reads the secret in the file that the setting `key` names. White space around it goes.
  ///
  /// - Throws: ``SettingsError/secret(_:)`` when the file is missing, cannot be read, is empty, is not
  ///   one line of text, or can be read by every user of the machine.
  public static func read(_ path: String, key: String, origin: SettingOrigin) throws(SettingsError)
    -> Secret
  {
    func problem(_ words: String, _ remedy: String) -> SettingsError {
      .secret(SettingProblem(origin: origin, key: key, words: words, remedy: remedy))
    }
    let content: SmallFile.Content
    do {
      content = try SmallFile.read(path, limit: Limits.secretBytes)
    } catch {
      switch error {
      case .missing:
        throw problem("\(path) does not exist", "write the secret into it, readable by this user")
      case .isDirectory: throw problem("\(path) is a directory", "name the file in it")
      case .tooLarge: throw problem("\(path) is too large for a secret", "name the right file")
      case .silentPipe:
        throw problem("\(path) is a pipe into which nobody writes", "name the file itself")
      case .system(let reason, let isDenied):
        var denied = SettingProblem(
          origin: origin, key: key, words: "\(path) cannot be read (\(reason))",
          remedy: "let the service's group read it, and nobody else: sudo chgrp checkpost \(path)"
            + " && sudo chmod 640 \(path)")
        denied.isDenied = isDenied
        throw .secret(denied)
      }
    }
    // A credential lies in a directory of systemd's that nobody else can enter.
    if content.permissions & 0o007 != 0, !origin.isCredential {
      throw problem("\(path) is open to every user of this machine", "chmod 640 \(path)")
    }
    guard let text = String(validating: content.bytes, as: UTF8.self) else {
      throw problem("\(path) is not text", "write the secret into it as one line of text")
    }
    // An editor's byte order mark, or what came along when it was copied: part of the secret for this
    // program, and of nobody else's.
    if let hidden = text.unicodeScalars.first(where: { $0.properties.generalCategory == .format }) {
      let digits = String(hidden.value, radix: 16, uppercase: true)
      let code = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      throw problem(
        "\(path) holds a character that cannot be seen (U+\(code))",
        "write the secret anew as plain text, without a byte order mark")
    }
    let secret = text.trimmingWhiteSpace()
    guard !secret.isEmpty else {
      throw problem("\(path) is empty", "write the secret into it")
    }
    // A key in PEM has lines (RFC 7468).
    let hasLines = secret.hasPrefix("-----BEGIN ") && key == LoadedSettings.tokenKeysSetting
    guard
      !secret.utf8.contains(where: {
        ($0 < 32 && !(hasLines && ($0 == 0x0A || $0 == 0x0D))) || $0 == 127
      })
    else {
      throw problem("\(path) holds more than one line", "write the secret into it as one line")
    }
    return Secret(secret)
  }
}

extension SettingOrigin {
  var isCredential: Bool {
    if case .credential = self { true } else { false }
  }
}

extension String {
  /// The text without the white space around it.
  func trimmingWhiteSpace() -> String {
    let start = firstIndex { !$0.isWhitespace } ?? endIndex
    let last = lastIndex { !$0.isWhitespace } ?? startIndex
    return start < endIndex ? String(self[start...last]) : ""
  }
}
