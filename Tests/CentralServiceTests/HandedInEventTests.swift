import CentralCore
import Events
import Passages
import Testing
import Time

@testable import CentralService

/// What the log says of a passage that came over HTTP: what an operator needs, and no plate outside the one field
/// that the log masks.
@Suite struct HandedInEventTests {
  private func event(
    isFirst: Bool = true, at second: Int64 = 1_795_271_531,
    by channel: Observation.Channel = .upload
  ) throws -> Event {
    let passage = try Passage(
      recording: try Plate("BA 1 PA 1234"), vehicleType: .bus,
      checkpost: try CheckpostCode("BNP-A"), recordedAt: WallTime(epochSeconds: 1_795_271_531),
      suffix: PhoneSuffix(phoneNumber: "+9779841114567"))
    var observation = Observation(
      of: passage, channel: channel, isProven: true,
      receivedAt: WallTime(epochSeconds: 1_795_271_831))
    observation.recordedAt = WallTime(epochSeconds: second)
    return Event(
      HandedInPassage(observation, isFirst: isFirst), at: WallTime(epochSeconds: 1_795_271_832))
  }

  @Test(arguments: Observation.Channel.allCases)
  func itHasTypeTimeDelayChannelAndDigits(_ channel: Observation.Channel) throws {
    let event = try event(by: channel)
    #expect(event.name == "passage_arrived" && event.level == .info)
    #expect(event.subject == "BNP-A")
    #expect(event.words == "a passage arrived by \(channel.rawValue)")
    #expect(event["vehicle_type"] == .text("bus"))
    #expect(event["recorded_at"] == .text("2026-11-21T14:32:11Z"))
    #expect(event["delay_seconds"] == .integer(300))
    #expect(event["channel"] == .text(channel.rawValue))
    #expect(event["ranger_digits"] == .text("4567"))
    #expect(event["plate"] == .plate("BA1PA1234"))
    for field in event.fields where field.key != "plate" && field.key != "client_id" {
      #expect(!"\(field.value)".contains("1234"), "\(field)")
    }
    #expect(!event.words.contains("1234"))
  }

  @Test func onePassageThatComesAgainIsToldSo() throws {
    let event = try event(isFirst: false)
    #expect(event.name == "passage_repeated" && event.level == .debug)
    #expect(event["channel"] == .text("upload"))
  }

  @Test func aTimeThatNobodyKnowsIsNotTold() throws {
    let event = try event(at: 5)
    #expect(event["recorded_at"] == nil && event["delay_seconds"] == nil)
    #expect(event["ranger_digits"] == .text("4567"))
  }
}
