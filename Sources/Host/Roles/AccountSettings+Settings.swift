import Accounts
import EventLoop
import Glibc
import HTTPServer
import Settings
import Tokens

extension AccountSettings {
  /// What the settings say of signing in.
  ///
  /// - Throws: `SettingsError.secret` for a file that holds no key that can be used.
  init(_ loaded: LoadedSettings) throws {
    let auth = loaded.settings.central.http.auth
    var sessions = SessionRules()
    sessions.tokenLasts = auth.tokenLifetime
    sessions.inactivity = auth.sessionInactivity
    sessions.lifetime = auth.sessionLifetime
    self.init(
      keys: try AccountSettings.keys(loaded), issuer: auth.issuer, domain: auth.emailDomain,
      sessions: sessions, requiresKey: auth.requireKey)
  }

  private static func keys(_ loaded: LoadedSettings) throws(SettingsError) -> TokenKeys {
    let paths = loaded.settings.central.http.auth.keyFiles
    let key = LoadedSettings.tokenKeysSetting
    func problem(_ words: String, _ remedy: String) -> SettingsError {
      .secret(
        SettingProblem(origin: loaded.origin(of: key), key: key, words: words, remedy: remedy))
    }
    let named = paths.isEmpty ? [loaded.settings.madeTokenKeyFile] : paths
    var keys: [TokenKey] = []
    for path in named {
      if paths.isEmpty, let unkept = make(path) {
        keys.append(unkept)
        continue
      }
      let secret = try Secret.read(path, key: key, origin: loaded.origin(of: key))
      do throws(TokenKey.Fault) {
        keys.append(try TokenKey(secret.value))
      } catch {
        throw problem(
          "\(path) \(error)",
          "make one by `openssl ecparam -name prime256v1 -genkey -noout -out \(path)`")
      }
    }
    guard let all = TokenKeys(keys) else {
      throw problem(
        "names more than 8 keys, or a public one first",
        "name the private key that signs first, and remove those whose tokens have run out")
    }
    return all
  }

  /// Makes the file of a key where there is none; returns the key only when the disk takes no file now: tokens
  /// of this run alone.
  private static func make(_ path: String) -> TokenKey? {
    guard !SmallFile.exists(path) else { return nil }
    let text = RandomBytes.make(32).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }.joined()
    do throws(SmallFile.Failure) {
      _ = try SmallFile.create(path, bytes: Array((text + "\n").utf8))
      return nil
    } catch {
      return try? TokenKey(text)
    }
  }
}
