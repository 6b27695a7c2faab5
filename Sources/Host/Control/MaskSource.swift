public import Control
import EventLoop
import Glibc
public import Log
public import Settings

/// What tells how the log of an installation shows a plate or an identity: the key of its masks, or the
/// running service for a member of its group, who may not read that key.
public enum MaskSource {
  /// The key, which this user may read.
  case key(MaskKey)
  /// The service at its socket.
  case service(ControlClient)

  /// This user may not read the key, and no service answers in its place.
  public struct Denied: Error, CustomStringConvertible {
    let path: String
    let right: MissingRight?
    let service: ControlError

    /// What is wrong and what to do, in one line.
    public var description: String {
      let owner = right.map { ", which \($0.owner)" } ?? ""
      let remedy =
        right?.remedy ?? "run this as the service's user"
      return
        "\(path): this user may not read the key of the log's masks\(owner), and the service, which"
        + " lends it to its group, does not answer (\(service.problem)); start the service, or \(remedy)"
    }
  }

  /// The source that this user may use; nil where no key is configured.
  ///
  /// - Throws: `SettingsError` when the key cannot be used, ``Denied`` when nothing lends it.
  public static func find(_ loaded: LoadedSettings) throws -> MaskSource? {
    guard let path = loaded.settings.log.maskKeyFile, access(path, R_OK) != 0, errno == EACCES
    else {
      return try MaskKey.load(loaded, makesMissing: false).map { .key($0) }
    }
    do throws(ControlError) {
      return .service(try ControlClient(path: loaded.settings.control.socket))
    } catch {
      throw Denied(path: path, right: MissingRight(at: path), service: error)
    }
  }

  /// How the log shows plates, given in their compact form, and identities, each in their order.
  public func masks(
    plates: [String] = [], identities: [String] = []
  ) throws -> (plates: [String], identities: [String]) {
    switch self {
    case .key(let key):
      let mask = Mask.keyed(key)
      return (plates.map(mask.plate), identities.map(mask.identity))
    case .service(let client):
      let answer = try client.ask(Operations.LogMasks(plates: plates, clientIDs: identities))
      return (answer.plates, answer.clientIDs)
    }
  }

  /// How the log shows one plate.
  public func mask(plate: String) throws -> String? {
    try masks(plates: [plate]).plates.first
  }

  /// How the log shows one identity.
  public func mask(identity: String) throws -> String? {
    try masks(identities: [identity]).identities.first
  }
}
