import Control
public import NodeCore
public import PassageFiles
public import PhotoFiles
import Settings

/// The running service as the keeper of photographs: who may record through it needs no right to its
/// directory. Whatever keeps it from answering, another keeper takes over.
public struct ServicePhotos: PhotoKeeper {
  /// How long a part may take on a slow disk.
  private static let patience: Duration = .seconds(60)

  private let socket: String
  private var client: ControlClient?
  private var other: any PhotoKeeper
  /// Whether the service does not answer any more.
  private var isElsewhere = false

  /// Photographs through the service at that socket.
  ///
  /// - Parameter fallback: What takes over when it does not answer.
  public init(socket: String, fallback: any PhotoKeeper) {
    self.socket = socket
    other = fallback
  }

  /// Sends a photograph to the service.
  public mutating func keep(_ photograph: Photograph) throws(PhotoNotKept) -> StoredPhoto {
    if !isElsewhere, let stored = try send(photograph) { return stored }
    isElsewhere = true
    client = nil
    return try other.keep(photograph)
  }

  /// The service removes what it does not need by itself.
  public mutating func giveBack(_ names: [String]) {
    if isElsewhere { other.giveBack(names) }
  }

  /// What the service made of a photograph; nil when it does not answer.
  private mutating func send(_ photograph: Photograph) throws(PhotoNotKept) -> StoredPhoto? {
    var random = SystemRandomNumberGenerator()
    let upload = String(random.next(), radix: 16)
    do {
      let client = try client ?? ControlClient(path: socket)
      self.client = client
      var at = 0
      while true {
        let part = photograph.bytes[at...].prefix(Operations.Photo.partBytes)
        let isLast = at + part.count == photograph.bytes.count
        let answer = try client.ask(
          Operations.Photo(upload: upload, at: at, bytes: part, isLast: isLast),
          timeout: ServicePhotos.patience)
        at += part.count
        guard isLast else { continue }
        guard let name = answer.name, let type = answer.type else { return nil }
        return StoredPhoto(path: name, count: photograph.bytes.count, contentType: type)
      }
    } catch let refusal as ControlRefusal where refusal.code == Operations.Photo.notKept {
      throw PhotoNotKept(refusal.message)
    } catch {
      return nil
    }
  }
}
