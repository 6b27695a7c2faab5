import NodeCore
import Passages
import Storage
import Testing
import Time

/// What contradicts a clock that shows a plausible time.
@Suite struct ClockHistoryTests {
  private let noon = WallTime(epochSeconds: 1_795_000_000)

  private func moment(_ seconds: Int64, clock: Int64) -> Moment {
    Moment(boot: .seconds(1_000 + seconds), wall: noon + .seconds(clock))
  }

  @Test func aClockThatGoesOnIsSteady() {
    var history = ClockHistory(boot: "a")
    #expect(history.look(at: moment(0, clock: 0)) == .steady)
    // The boot clock counts on in a suspend.
    #expect(history.look(at: moment(9_000, clock: 9_000)) == .steady)
    #expect(history.seen == moment(9_000, clock: 9_000))
  }

  /// A leap second, and what a time service does now and then; and one by one they may become much.
  @Test(arguments: [-2, -1, 1, 2] as [Int64]) func aSmallStepIsNone(_ step: Int64) {
    var history = ClockHistory(boot: "a")
    for number in 0..<100 as Range<Int64> {
      #expect(history.look(at: moment(number * 60, clock: number * (60 + step))) == .steady)
    }
  }

  @Test(arguments: [-39_600, -3_600, -3, 3, 3_600, 39_600, 20_700] as [Int64])
  func aStepIsSeen(_ step: Int64) {
    var history = ClockHistory(boot: "a", newest: noon - .seconds(86_400))
    _ = history.look(at: moment(0, clock: 0))
    #expect(history.look(at: moment(60, clock: 60 + step)) == .set(by: .seconds(step)))
    #expect(history.look(at: moment(120, clock: 120 + step)) == .steady)
  }

  @Test func aTimeBeforeTheNewestMomentIsWrong() {
    var history = ClockHistory(boot: "b", newest: noon)
    #expect(history.look(at: moment(0, clock: -39_600)) == .wrong(behind: .seconds(39_600)))
    #expect(history.seen == nil)
    #expect(history.look(at: moment(1, clock: -3)) == .wrong(behind: .seconds(3)))
    // What a clock is wrong by anyhow.
    #expect(history.look(at: moment(2, clock: -2)) == .steady)
    // Set right, while what it showed right before is known: that was no step.
    #expect(history.look(at: moment(3, clock: -7_200)) == .wrong(behind: .seconds(7_200)))
    #expect(history.look(at: moment(4, clock: 0)) == .steady)
  }

  /// A clock that was set ahead, and for which nobody vouched, makes no later start wrong; one that was set back does not
  /// either, and somebody who vouches ends both.
  @Test(arguments: [3_600, 300 * 86_400, -3_600] as [Int64])
  func aStepThatNobodyVouchesForProvesNothing(_ step: Int64) {
    var history = ClockHistory(boot: "a")
    _ = history.look(at: moment(0, clock: 0))
    #expect(!history.isContested)
    _ = history.look(at: moment(60, clock: 60 + step))
    #expect(history.unproven == .seconds(step))
    #expect(history.isContested)
    #expect(history.newestForNextStart == noon + .seconds(60 + min(step, 0)))
    var proven = history
    proven.unproven = nil
    #expect(proven.newestForNextStart == noon + .seconds(60 + step))
    // Back where it was: that there were two times is not forgotten.
    _ = history.look(at: moment(120, clock: 120))
    #expect(history.unproven == .zero)
    #expect(history.isContested)
    #expect(history.newestForNextStart == noon + .seconds(120))
  }

  /// A time that was put right is in no doubt by what it was put right by; one that left before is.
  @Test func aTimeThatWasPutRightIsInNoDoubt() {
    func doubt(_ source: ClockSource, recorded: Int64, ahead: Int64?) -> Int64? {
      source.doubt(recorded: noon + .seconds(recorded), created: noon, ahead: ahead)
    }
    for source in ClockSource.allCases where source != .none {
      #expect(doubt(source, recorded: 39_600, ahead: -39_600) == nil)
      #expect(doubt(source, recorded: 0, ahead: nil) == nil)
    }
    #expect(doubt(.ntp, recorded: -1, ahead: -39_600) == 39_600)
    #expect(doubt(.battery, recorded: 0, ahead: 90) == 90)
    #expect(doubt(.none, recorded: 39_600, ahead: -39_600) == ClockSource.anyDoubt)
  }

  @Test func aClockThatWasNeverSetIsWrong() {
    var history = ClockHistory(boot: "a")
    let moment = Moment(boot: .seconds(5), wall: WallTime(epochSeconds: 75))
    #expect(history.look(at: moment) == .wrong(behind: Passage.earliest - moment.wall))
  }

  /// A clock that was years ahead once does not make every later one wrong.
  @Test func whoKeepsTheTimeEndsThat() {
    var history = ClockHistory(boot: "b", newest: noon + .seconds(31_557_600 * 50))
    #expect(history.behind(noon) != nil)
    let isLater = history.vouched(noon + .seconds(31_557_600 * 60))
    #expect(!isLater)
    let unset = history.vouched(WallTime(epochSeconds: 75))
    #expect(!unset)
    let isNews = history.vouched(noon)
    #expect(isNews)
    #expect(history.behind(noon) == nil)
  }

  @Test func whatIsKeptByWhomIsADoubt() {
    #expect(ClockSource.none.doubt(ahead: nil) == ClockSource.anyDoubt)
    #expect(ClockSource.none.doubt(ahead: 90) == ClockSource.anyDoubt)
    #expect(ClockSource.ntp.doubt(ahead: nil) == nil)
    #expect(ClockSource.ntp.doubt(ahead: -90) == 90)
    #expect(ClockSource.battery.doubt(ahead: .min) == ClockSource.anyDoubt)
    #expect(ClockSource.server.doubt(ahead: 90) == nil)
    #expect(ClockSource.network.doubt(ahead: 90) == nil)
  }
}
