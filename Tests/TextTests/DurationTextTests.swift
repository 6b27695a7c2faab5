import SeededRandom
import Testing
import Text

@Suite struct DurationTextTests {
  @Test(arguments: [
    ("0s", Duration.zero), ("250ms", .milliseconds(250)), ("30s", .seconds(30)),
    ("5m", .seconds(300)), ("72h", .seconds(259_200)), ("7d", .seconds(604_800)),
    ("1h30m", .seconds(5_400)), ("1m500ms", .milliseconds(60_500)), ("007s", .seconds(7)),
  ])
  func reads(text: String, duration: Duration) {
    #expect(DurationText.parse(text) == duration)
  }

  @Test(arguments: [
    "", "5", "m", "5 m", "-5m", "+5m", "5.5m", "5min", "5M", "30m1h", "5m5m", "٥m",
    "9999999999999999d", "999999999999999d",
  ])
  func refuses(text: String) {
    #expect(DurationText.parse(text) == nil)
  }

  @Test(arguments: [
    "0s", "1ms", "59s", "1m30s", "5m", "72h", "168h", "441d", "1h0m1s", "24h", "10m250ms",
  ])
  func writesWhatItReads(text: String) throws {
    let duration = try #require(DurationText.parse(text))
    #expect(DurationText.parse(DurationText.format(duration)) == duration)
  }

  @Test func writesAsPeopleDo() {
    #expect(DurationText.format(.seconds(259_200)) == "72h")
    #expect(DurationText.format(.seconds(300)) == "5m")
    #expect(DurationText.format(.seconds(90)) == "1m30s")
    #expect(DurationText.format(.seconds(441 * 86_400)) == "441d")
  }

  @Test func anyDurationSurvives() throws {
    var generator = SplitMix64(seed: 20_261_121)
    for round in 0..<2_000 {
      let duration = Duration.milliseconds(
        Int64.random(in: 0...(Int64(1) << (round % 45)), using: &generator))
      let text = DurationText.format(duration)
      #expect(DurationText.parse(text) == duration, "\(text) in round \(round)")
    }
  }
}
