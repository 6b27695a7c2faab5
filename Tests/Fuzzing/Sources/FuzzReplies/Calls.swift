import FuzzSupport
import NodeCore
import Passages
import Time

/// One of each that a node asks, with values of its own: an answer is read by what was asked.
enum Calls {
  static let all: [ServerCall] = [
    .probe, .signIn(.password), .signIn(.refresh(Token("r"))), .profile(user: "u"),
    .posts(segment: id), .push([push("BA1PA1234")]),
    .push([push("BA1PA1234"), push("BA1PA1235")]), .readBack([identity]),
    .correct(identity, PlateCorrection(plate: plate("BA1PA1235"))),
    .upload(PhotoPush(name: "a.jpg", path: "/a.jpg", count: 9, contentType: "image/jpeg")),
    .findPhoto(PhotoPush(name: "a.jpg", path: "/a.jpg", count: 9, contentType: "image/jpeg")),
    .namePhoto(identity, path: "a.jpg"),
    .pull(PullQuery(segmentID: id, checkpostID: id, since: time, limit: 50)),
    .match(entry: id, exit: id),
    .synced(SyncMark(userID: "u", device: "BNP-A", through: time, pending: 3)),
    .postsNamed([id, id]), .segments([id]),
  ]

  private static let id = "11111111-2222-4333-8444-555555555555"
  private static let time = WallTime(epochSeconds: 1_790_000_000)

  private static var identity: ClientID {
    guard let identity = ClientID(id) else { found("an identity that is refused") }
    return identity
  }

  private static func plate(_ text: String) -> Plate {
    guard let plate = try? Plate(text) else { found("a plate that is refused") }
    return plate
  }

  private static func push(_ text: String) -> PassagePush {
    guard let post = try? CheckpostCode("BNP-A"),
      let passage = try? Passage(
        recording: plate(text), vehicleType: .car, checkpost: post, recordedAt: time,
        suffix: .unknown)
    else { found("a passage that is refused") }
    return PassagePush(passage, at: ServerPlace(checkpostID: id, segmentID: id, rangerID: id))
  }
}
