import Glibc
import ModemModel
import ModemSession
import SeededRandom
import Testing
import Time

/// Every named fault against every maker's modem, and how long it takes until texts go again.
/// `CHECKPOST_TEST_SEEDS` sets how many times.
@Suite struct FaultTableTests {
  private static let rounds: UInt64 =
    getenv("CHECKPOST_TEST_SEEDS").flatMap { UInt64(String(cString: $0)) }.map { max(1, $0 / 10) }
    ?? 1

  /// The worst of a row under a profile.
  private struct Cell {
    var recovery = Duration.zero
    var moment = FaultMoment.whileIdle
  }

  @Test func everyFaultIsSurvived() throws {
    var table: [String: [String: Cell]] = [:]
    for (column, named) in ModemProfile.named.enumerated() {
      for (line, row) in FaultRow.all.enumerated() {
        var cell = Cell()
        for (moment, seed) in FaultTableTests.runs(column, line) {
          let report = try FaultTrial.run(named.profile, row, moment, seed: seed)
          for violation in report.violations {
            Issue.record("\(named.name) \(row.name) \(moment) seed \(seed): \(violation)")
          }
          if let recovery = report.recovery, recovery >= cell.recovery {
            cell = Cell(recovery: recovery, moment: moment)
          }
        }
        table[row.name, default: [:]][named.name] = cell
      }
    }
    FaultTableTests.show(table)
  }

  // What is learnt from a report or told by the modem itself is not there to help.
  @Test(arguments: ["huawei", "simcom"])
  func everyFaultIsSurvivedWithoutReportsAndResults(_ maker: String) throws {
    let makers = ModemProfile.named
    let place = try #require(makers.firstIndex { $0.name == maker })
    let moments = FaultMoment.allCases
    for (line, row) in FaultRow.all.enumerated() {
      for (turn, surroundings) in Surroundings.all.dropFirst().enumerated() {
        // Between them and the two makers every moment has its turn.
        let moment = moments[(line + turn * 2 + place) % moments.count]
        let seed = UInt64(place * 1_000 + line)
        let report = try FaultTrial.run(
          makers[place].profile, row, moment, surroundings, seed: seed)
        for violation in report.violations {
          Issue.record("\(maker) \(row.name) \(moment) \(surroundings) seed \(seed): \(violation)")
        }
      }
    }
  }

  /// The moments and seeds of a place in the table: all moments where the modem is the plain one, and
  /// for the others those that are next in turn.
  private static func runs(_ column: Int, _ line: Int) -> [(FaultMoment, UInt64)] {
    let moments = FaultMoment.allCases
    let seed = UInt64(column * 1_000 + line)
    if rounds > 1 {
      return (0..<rounds).flatMap { round in moments.map { ($0, seed + round * 100_000) } }
    }
    return column == 0
      ? moments.map { ($0, seed) } : [(moments[(column + line) % moments.count], seed)]
  }

  private static func show(_ table: [String: [String: Cell]]) {
    let columns = ModemProfile.named.map(\.name)
    var lines = ["seconds from the end of a fault to the next text, at worst"]
    func cell(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(1, width - text.count)) + text
    }
    lines.append(
      String(repeating: " ", count: 30)
        + columns.map { cell($0, max(8, $0.count + 1)) }.joined())
    for row in FaultRow.all {
      let values = columns.map { column -> String in
        guard row.end != .never else { return cell("-", max(8, column.count + 1)) }
        let recovery = table[row.name]?[column]?.recovery ?? .zero
        let tenths =
          recovery.components.seconds * 10
          + recovery.components.attoseconds / 100_000_000_000_000_000
        return cell("\(tenths / 10).\(tenths % 10)", max(8, column.count + 1))
      }
      lines.append(
        row.name + String(repeating: " ", count: max(0, 30 - row.name.count)) + values.joined())
    }
    print(lines.joined(separator: "\n"))
  }
}
