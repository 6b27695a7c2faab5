import CLinux
import Control
import Glibc
import JSON
import NodeCore
import Passages
import PhotoFiles
import Time

/// Passages on their way over the control socket, and what came of them on its way back.
public enum RecordMessage {
  /// The operation that records.
  static let operation = "record"
  /// The code of a refusal that says what is wrong with the store, and not with the asking.
  static let storageCode = "storage"

  /// Which file a database is, so that nothing is recorded in another one than was meant.
  public static func identity(ofFileAt path: String) -> String? {
    // Not by stat(2): in which module the compiler finds the fields of its structure depends on what it read first,
    // and changes from build to build.
    var (device, inode) = (UInt64(0), UInt64(0))
    guard clinux_file_identity(path, &device, &inode) == 0 else {
      // A member of the service's group may not see it: the settings of both then have to say the same.
      return errno == EACCES ? name(ofFileAt: path) : nil
    }
    return "\(device):\(inode)"
  }

  /// What stands for the file for whoever may not look at it: its path.
  static func name(ofFileAt path: String) -> String { "path:\(path)" }

  /// Whether a file, or a database of a server, is the one that is known by `database`.
  static func isKnown(_ database: String, as path: String) -> Bool {
    guard !path.isEmpty else { return false }
    return database == identity(ofFileAt: path) || database == name(ofFileAt: path)
  }

  // MARK: There

  static func request(_ requests: [RecordRequest], database: String) -> ControlRequest {
    ControlRequest(
      operation,
      ["database": .text(database), "passages": .list(requests.map { .object(object($0)) })])
  }

  /// The passages of a request; nil when it is none.
  static func passages(_ fields: [String: JSONValue]) -> [RecordRequest]? {
    guard let list = fields["passages"]?.list else { return nil }
    let requests = list.compactMap { $0.object.flatMap(request) }
    return requests.count == list.count ? requests : nil
  }

  /// A passage as an object of JSON; ``request(_:)`` reads it.
  static func object(_ request: RecordRequest) -> [String: JSONValue] {
    let passage = request.passage
    var object: [String: JSONValue] = [
      "client_id": .text(passage.clientID.description), "plate": .text(passage.plate.raw),
      "vehicle_type": .text(passage.vehicleType.rawValue),
      "checkpost": .text(passage.checkpost.code),
      "recorded_at_ms": .integer(passage.recordedAt.milliseconds),
      "ranger_phone_suffix": .text(passage.suffix.digits),
      "priority": .integer(Int64(request.priority)),
    ]
    object["segment"] = passage.segment.map { .text($0) }
    object["ranger"] = passage.ranger.map { .text($0) }
    object["photo_path"] = passage.photoPath.map { .text($0) }
    object["photo"] = request.photo.map { photo in
      [.text(photo.path), .integer(Int64(photo.count)), .text(photo.contentType)]
    }
    object["photo_left_out"] = request.photoLeftOut.map { .text($0) }
    object["clock"] = request.clock.map { .text($0.rawValue) }
    if request.hasGivenIdentity { object["given"] = true }
    if passage.isUndated {
      object["undated"] = true
      object["content_client_id"] = passage.contentClientID.map { .text($0.description) }
    }
    return object
  }

  /// The passage of an object; nil when it is none.
  static func request(_ object: [String: JSONValue]) -> RecordRequest? {
    guard let client = object["client_id"]?.text.flatMap({ ClientID($0) }),
      let plate = object["plate"]?.text.flatMap({ try? Plate($0) }),
      let type = object["vehicle_type"]?.text.flatMap({ VehicleType(rawValue: $0) }),
      let post = object["checkpost"]?.text.flatMap({ try? CheckpostCode($0) }),
      let milliseconds = object["recorded_at_ms"]?.integer,
      let suffix = object["ranger_phone_suffix"]?.text.flatMap({ PhoneSuffix($0) }),
      let priority = object["priority"]?.integer
    else { return nil }
    let moment = WallTime(milliseconds: milliseconds)
    let (segment, ranger) = (object["segment"]?.text, object["ranger"]?.text)
    let photo = object["photo_path"]?.text
    var passage: Passage
    if object["undated"]?.flag == true {
      // The start of the machine is in its identity, and nowhere else.
      passage = Passage(
        undated: plate, vehicleType: type, checkpost: post, recordedAt: moment, boot: nil,
        suffix: suffix, segment: segment, ranger: ranger, photoPath: photo)
      passage.clientID = client
      passage.contentClientID = object["content_client_id"]?.text.flatMap { ClientID($0) }
    } else {
      guard
        let dated = try? Passage(
          recording: plate, vehicleType: type, checkpost: post, recordedAt: moment,
          suffix: suffix, identity: client, segment: segment, ranger: ranger, photoPath: photo)
      else { return nil }
      passage = dated
    }
    var stored: StoredPhoto?
    if let values = object["photo"]?.list {
      // Whoever may record says this, and the service goes by it when it uploads, counts and removes.
      guard values.count == 3, let name = values[0].text, PhotoDirectory.isOurs(name),
        name == photo, let count = values[1].integer,
        (1...Int64(Limits.photoBytes)).contains(count),
        let type = values[2].text, PhotoKind.allCases.contains(where: { $0.contentType == type })
      else { return nil }
      stored = StoredPhoto(path: name, count: Int(count), contentType: type)
    }
    var request = RecordRequest(
      passage, hasGivenIdentity: object["given"]?.flag ?? false, priority: Int(clamping: priority),
      photo: stored, clock: object["clock"]?.text.flatMap { ClockSource(rawValue: $0) })
    request.photoLeftOut = object["photo_left_out"]?.text
    return request
  }

  // MARK: And back

  static func answer(
    _ outcomes: [RecordOutcome], clockAlarm: String?, alerts: [TravelAlert] = []
  ) -> [String: JSONValue] {
    var fields: [String: JSONValue] = [
      "outcomes": .list(
        outcomes.map { outcome in
          let client = JSONValue.text(outcome.clientID.description)
          return switch outcome {
          case .recorded(_, let id): ["recorded", client, .integer(id)]
          case .alreadyRecorded(_, let id): ["already_recorded", client, .integer(id)]
          case .identityTaken: ["identity_taken", client]
          }
        })
    ]
    fields["clock"] = clockAlarm.map { .text($0) }
    if !alerts.isEmpty {
      fields["alerts"] = .list(alerts.map { .object(JSONText.object(of: $0)) })
    }
    return fields
  }

  /// What rangers have to be warned of, by an answer.
  static func alerts(_ fields: [String: JSONValue]) -> [TravelAlert] {
    (fields["alerts"]?.list ?? []).compactMap { alert in
      alert.object.flatMap { JSONText.decode(TravelAlert.self, from: $0) }
    }
  }

  /// What came of `count` passages; nil when the answer does not say it of each.
  static func outcomes(_ fields: [String: JSONValue], count: Int) -> [RecordOutcome]? {
    let outcomes = fields["outcomes"]?.list?.compactMap { $0.list.flatMap(outcome) }
    return outcomes?.count == count ? outcomes : nil
  }

  private static func outcome(_ values: [JSONValue]) -> RecordOutcome? {
    guard values.count >= 2, let client = values[1].text.flatMap({ ClientID($0) }) else {
      return nil
    }
    let id = values.count > 2 ? values[2].integer : nil
    switch (values[0].text, id) {
    case ("recorded", let id?): return .recorded(client, queueID: id)
    case ("already_recorded", let id?): return .alreadyRecorded(client, queueID: id)
    case ("identity_taken", _): return .identityTaken(client)
    default: return nil
    }
  }
}
