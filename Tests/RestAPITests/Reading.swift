import RestAPI
import RestSQL
import Time

@testable import struct RestAPI.RestReader

/// Who asks, and what is asked, in the tests of this module.
enum Reading {
  static let post = "5b0b1d3e-0000-4000-8000-000000000001"
  static let segment = "5b0b1d3e-0000-4000-8000-000000000002"
  static let user = "5b0b1d3e-0000-4000-8000-000000000003"
  static let client = "903f6178-1d77-5a73-b651-63f83b997eb3"
  static let ranger = RestPrincipal(.ranger, user: user, post: post, segment: segment)
  static let now = WallTime(epochSeconds: 1_767_225_600)

  static func plan(
    _ method: String = "GET", _ table: String = "vehicle_passages", _ query: String = "",
    headers: [String: String] = [:], body: String = "", as principal: RestPrincipal = .service
  ) throws(RestError) -> RestPlan {
    try RestReader(
      RestRequest(method, table, query: query, headers: headers, body: Array(body.utf8)),
      as: principal, at: now
    ).plan()
  }

  /// The plan of a read.
  static func read(
    _ query: String, _ table: String = "vehicle_passages", headers: [String: String] = [:],
    as principal: RestPrincipal = .service
  ) throws(RestError) -> RestRead {
    guard case .read(let read) = try plan("GET", table, query, headers: headers, as: principal)
    else { throw RestError("test", "no read") }
    return read
  }

  /// What a request is refused with; nil when it is not.
  static func refusal(
    _ method: String = "GET", _ table: String = "vehicle_passages", _ query: String = "",
    headers: [String: String] = [:], body: String = "", as principal: RestPrincipal = .service
  ) -> RestError? {
    do throws(RestError) {
      _ = try plan(method, table, query, headers: headers, body: body, as: principal)
      return nil
    } catch {
      return error
    }
  }

  /// The statement in SQLite of a read, and its parameters.
  static func sqlite(
    _ query: String, _ table: String = "vehicle_passages", as principal: RestPrincipal = .service
  ) throws(RestError) -> SQLStatement {
    SQLWriter.select(try read(query, table, as: principal), .sqlite)
  }

  /// What stands behind `WHERE` in a statement in SQLite, up to its limit.
  static func condition(
    _ query: String, _ table: String = "vehicle_passages", as principal: RestPrincipal = .service
  ) throws(RestError) -> String {
    let text = try sqlite("select=id&" + query, table, as: principal).text
    guard let start = text.firstRange(of: " WHERE "), let end = text.firstRange(of: " LIMIT ")
    else { return text }
    return String(text[start.upperBound..<end.lowerBound])
  }

  /// What the eastern post pushes, in JSON.
  static func passage(_ more: [String: String] = [:], without: Set<String> = []) -> String {
    var members = [
      "client_id": "\"\(client)\"", "plate_number": "\"BA1PA1234\"",
      "plate_number_raw": "\"BA 1 PA 1234\"", "vehicle_type": "\"car\"",
      "checkpost_id": "\"\(post)\"", "segment_id": "\"\(segment)\"", "ranger_id": "\"\(user)\"",
      "recorded_at": "\"2026-01-01T00:00:00.412Z\"", "source": "\"app\"",
    ].merging(more) { $1 }
    for name in without { members[name] = nil }
    return "{"
      + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
      .joined(separator: ",") + "}"
  }
}
