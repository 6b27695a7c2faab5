import CentralCore
import Passages
import PostgreSQL
import Time

extension JudgingDatabase {
  /// Hands a batch in as arrays, one for each thing that a report and a correction say.
  static let takeStatement =
    "SELECT * FROM checkpost.take($1, $2::uuid[], $3, $4, $5, $6, $7, $8, $9, $10, $11,"
    + " $12, $13, $14, $15, $16, $17::uuid[], $18, $19::uuid[], $20, $21, $22, $23, $24, $25, $26, $27, $28, $29)"

  static func values(of arrivals: [PassageArrival]) -> [PostgreSQLValue] {
    var reports: [(place: Int64, what: Observation, from: PassageArrival.Origin)] = []
    var corrections: [(place: Int64, what: ReceivedCorrection)] = []
    for (place, arrival) in zip(1..., arrivals) {
      switch arrival.content {
      case .observation(let report): reports.append((Int64(place), report, arrival.origin))
      case .correction(let correction): corrections.append((Int64(place), correction))
      }
    }
    return [.integers(reports.map(\.place))] + values(of: reports.map(\.what))
      + [
        .integers(reports.map(\.from.inboxID)),
        .texts(reports.map { $0.from.uuid?.description }), .integers(corrections.map(\.place)),
      ] + values(of: corrections.map(\.what))
  }

  private static func values(of reports: [Observation]) -> [PostgreSQLValue] {
    [
      .texts(reports.map(\.clientID.description)), .texts(reports.map(\.post.code)),
      .texts(reports.map(\.plate.compact)), .texts(reports.map(\.plate.raw)),
      .texts(reports.map(\.vehicleType.rawValue)), .times(reports.map(\.recordedAt)),
      .texts(reports.map(\.ranger)), .texts(reports.map(\.suffix.digits)),
      .texts(reports.map(\.photoPath)), .texts(reports.map(\.channel.rawValue)),
      .bools(reports.map(\.isProven)), .times(reports.map(\.receivedAt)),
      .integers(reports.map { if case .within(let seconds) = $0.clock { seconds } else { nil } }),
      .bools(reports.map { $0.clock == .unset }),
    ]
  }

  private static func values(of corrections: [ReceivedCorrection]) -> [PostgreSQLValue] {
    [
      .texts(corrections.map(\.clientID.description)), .texts(corrections.map(\.plate?.compact)),
      .texts(corrections.map(\.plate?.raw)), .texts(corrections.map(\.vehicleType?.rawValue)),
      .texts(corrections.map(\.post?.code)), .times(corrections.map(\.recordedAt)),
      .texts(corrections.map(\.author)), .times(corrections.map(\.madeAt)),
      .texts(corrections.map(\.photoPath)), .texts(corrections.map(\.withdrawal)),
    ]
  }
}
