import Control
import Foundation
import JSON
import NodeCore
import Passages
import TestSupport
import Testing
import Time

@testable import Host

/// Passages on their way to the running service, and what came of them.
@Suite struct RecordMessageTests {
  private static let photo = "0123456789abcdef0123456789abcdef.jpg"

  private func passages() throws -> [RecordRequest] {
    let (plate, post) = (try Plate("बा १ पा १२३४"), try CheckpostCode("BNP-A"))
    let moment = WallTime(milliseconds: 1_773_450_000_250)
    let given = try #require(ClientID("7b0c3f0e-0b5e-4f0e-9a53-3a5a0a4b1c2d"))
    return [
      RecordRequest(
        try Passage(
          recording: plate, vehicleType: .car, checkpost: post, recordedAt: moment,
          suffix: PhoneSuffix(phoneNumber: "9801234567"))),
      RecordRequest(
        try Passage(
          recording: plate, vehicleType: .truck, checkpost: post, recordedAt: moment,
          suffix: PhoneSuffix(phoneNumber: nil), identity: given, segment: "Bardia",
          ranger: "Sita \"S\" \u{2028}", photoPath: Self.photo),
        hasGivenIdentity: true, priority: 2,
        photo: StoredPhoto(path: Self.photo, count: 7, contentType: "image/jpeg")),
      RecordRequest(
        Passage(
          undated: plate, vehicleType: .bus, checkpost: post,
          recordedAt: WallTime(epochSeconds: 60), boot: "a start",
          suffix: PhoneSuffix(phoneNumber: nil))),
    ]
  }

  @Test func passagesComeAsTheyWent() throws {
    let sent = try passages()
    let request = RecordMessage.request(sent, database: "1:2")
    let line = try JSONText.encode(JSONValue.object(request.fields))
    let fields = try #require(JSONText.decode(Array(line.utf8))?.object)
    #expect(fields["database"]?.text == "1:2")
    #expect(RecordMessage.passages(fields) == sent)
  }

  @Test func outcomesComeAsTheyWent() throws {
    let id = try passages()[0].passage.clientID
    let outcomes: [RecordOutcome] = [
      .recorded(id, queueID: 7), .alreadyRecorded(id, queueID: 8), .identityTaken(id),
    ]
    let fields = RecordMessage.answer(outcomes, clockAlarm: "late")
    #expect(RecordMessage.outcomes(fields, count: 3) == outcomes)
    #expect(RecordMessage.outcomes(fields, count: 2) == nil)
    #expect(fields["clock"]?.text == "late")
  }

  @Test(
    arguments: [
      [:], ["passages": 1], ["passages": [1]], ["passages": [["plate": "BA1PA1"]]],
    ] as [[String: JSONValue]])
  func whatIsNoPassageIsRefused(fields: [String: JSONValue]) {
    #expect(RecordMessage.passages(fields) == nil)
  }

  /// The service uploads, counts and removes what it is told of: only what it keeps itself can be that.
  @Test(
    arguments: [
      [.text(photo), .integer(.max), "image/jpeg"], [.text(photo), 0, "image/jpeg"],
      [.text(photo), -1, "image/jpeg"], [.text(photo), 7, "text/html"],
      ["/etc/shadow", 7, "image/jpeg"], ["../node.db", 7, "image/jpeg"],
      ["ffffffffffffffffffffffffffffffff.jpg", 7, "image/jpeg"],
    ] as [[JSONValue]])
  func aPhotographThatIsNotKeptHereIsRefused(_ photo: [JSONValue]) throws {
    var fields = RecordMessage.request([try passages()[1]], database: "1:2").fields
    var object = try #require(fields["passages"]?.list?.first?.object)
    object["photo"] = .list(photo)
    fields["passages"] = [.object(object)]
    #expect(RecordMessage.passages(fields) == nil)
  }

  @Test func aBodyThatDoesNotFitItsPassageCannotBeSent() throws {
    var fields = RecordMessage.request([try passages()[0]], database: "1:2").fields
    var object = try #require(fields["passages"]?.list?.first?.object)
    object["client_id"] = .text("7b0c3f0e-0b5e-4f0e-9a53-3a5a0a4b1c2d")
    fields["passages"] = [.object(object)]
    let taken = try #require(RecordMessage.passages(fields)?.first?.passage)
    #expect(taken.v1Body == (try passages()[0].passage.v1Body))
    #expect(taken.contentClientID == (try passages()[0].passage.clientID))
  }

  /// A service and a command of another version compare it.
  @Test func aFileIsKnownByTheNumbersOfItsStatus() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("node.db")
    #expect(RecordMessage.identity(ofFileAt: path) == nil)
    try Data().write(to: URL(fileURLWithPath: path))
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let device = try #require(attributes[.systemNumber] as? NSNumber)
    let inode = try #require(attributes[.systemFileNumber] as? NSNumber)
    #expect(RecordMessage.identity(ofFileAt: path) == "\(device):\(inode)")
  }
}
