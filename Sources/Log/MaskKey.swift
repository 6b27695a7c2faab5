import Crypto
import EventLoop
import Glibc
public import Settings

/// The key of an installation's masks: with it the same plate has the same mask in every line, and
/// without it a mask says nothing about the plate.
public struct MaskKey: Sendable {
  private static let key = LoadedSettings.maskKeySetting

  private let symmetric: SymmetricKey

  /// A key from the text that its file holds.
  init(secret: Secret) {
    symmetric = SymmetricKey(data: Array(secret.value.utf8))
  }

  /// Reads the key from the file that the settings name; nil when they name none. Where one is to be made
  /// and the disk is full or read-only, it is a key for this run alone: a service does not stay away for
  /// want of it, and its log shows no plate meanwhile.
  ///
  /// - Parameter makesMissing: whether a key that does not exist yet is made, as the service does at
  ///   its first start.
  /// - Throws: ``SettingsError/secret(_:)`` when the file cannot be read or made.
  public static func load(_ loaded: LoadedSettings, makesMissing: Bool) throws(SettingsError)
    -> MaskKey?
  {
    guard let path = loaded.settings.log.maskKeyFile else { return nil }
    let origin = loaded.origin(of: key)
    if makesMissing, !SmallFile.exists(path), let unkept = try make(path, origin) {
      return unkept
    }
    return MaskKey(secret: try Secret.read(path, key: key, origin: origin))
  }

  /// Makes the key's file; returns the key only when the disk takes no file now.
  private static func make(_ path: String, _ origin: SettingOrigin) throws(SettingsError)
    -> MaskKey?
  {
    let text = SymmetricKey(size: .bits256).withUnsafeBytes { hexadecimal($0) }
    do {
      _ = try SmallFile.create(path, bytes: Array((text + "\n").utf8))
      return nil
    } catch {
      if case .system(let reason, _) = error,
        [ENOSPC, EDQUOT, EROFS].contains(where: { systemMessage($0) == reason })
      {
        return MaskKey(secret: Secret(text))
      }
      let words =
        switch error {
        case .missing: "the directory of \(path) does not exist"
        case .isDirectory: "\(path) is a directory"
        case .silentPipe: "\(path) is a pipe"
        case .tooLarge: "\(path) is too large"
        case .system(let reason, _): "\(path) cannot be made (\(reason))"
        }
      throw .secret(
        SettingProblem(
          origin: origin, key: key, words: words,
          remedy: "make its directory, writable by this user, or set \(key) to null"))
    }
  }

  /// The first `digits` hexadecimal digits of the keyed hash of `text` (HMAC-SHA256, RFC 2104).
  func hash(_ text: String, digits: Int) -> String {
    let code = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: symmetric)
    return code.withUnsafeBytes { MaskKey.hexadecimal($0.prefix((digits + 1) / 2)) }
  }

  private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
