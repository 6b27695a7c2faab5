import Control
import Host
import JSON
import NodeCore
import Testing
import Time

@testable import checkpost

/// What the list of the queue says of each passage.
@Suite struct QueueWordsTests {
  private let now = WallTime(epochSeconds: 1_800_000_000)

  private func note(due: Int64, next: Int64?, waitsFor: String? = nil) -> String {
    var object: [String: JSONValue] = [
      "state_reason": .text(PassageReason.waitsForText.rawValue),
      "text_due_at": .text((now + .seconds(due)).rfc3339),
    ]
    object["next_text_waits_for"] = waitsFor.map { .text($0) }
    object["next_text_at"] = next.map { .text((now + .seconds($0)).rfc3339) }
    return QueueWords.note(PassageReport(object), TimeWords(seenAt: now, clock: .utc))
  }

  /// The list names the moment that the passage's own page and the status do.
  @Test func whatKeepsAllTextsCountsForTheListToo() {
    #expect(note(due: 60, next: nil) == "text 08:01:00")
    #expect(note(due: -60, next: nil) == "text due")
    #expect(note(due: 60, next: 1_800) == "text 08:30:00")
    #expect(note(due: -60, next: 1_800) == "text 08:30:00")
  }

  /// What keeps all texts without an end that is known keeps this one past its own time.
  @Test func noTimeIsNamedWhileNobodyKnowsWhenTextsGo() {
    #expect(note(due: 60, next: nil, waitsFor: TextObstacle.online.name) == "for the server")
    #expect(note(due: -60, next: nil, waitsFor: TextObstacle.online.name) == "for the server")
    #expect(note(due: 60, next: nil, waitsFor: TextObstacle.noGateway.name) == "text waits")
    #expect(note(due: 60, next: nil, waitsFor: "service_stopped") == "text waits")
    #expect(note(due: 60, next: nil, waitsFor: PassageOutlook.unknown) == "text 08:01:00")
    #expect(note(due: 60, next: 90, waitsFor: TextObstacle.notDue.name) == "text 08:01:30")
  }
}
