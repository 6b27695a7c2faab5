import RestAPI
import ServerModel
import Testing
import Time

/// The same is answered as by the model of the server that nodes are tested with: status, code and how many.
@Suite struct LikeTheModelTests {
  private struct Nothing: RestStore {
    func read(_ read: RestRead) throws(RestError) -> RestRows {
      RestRows([], total: read.counts ? 0 : nil)
    }
    func insert(_ insert: RestInsert, at now: WallTime) throws(RestError) -> RestChange {
      RestChange([], count: 0)
    }
    func update(_ update: RestUpdate, at now: WallTime) throws(RestError) -> RestChange {
      RestChange([], count: 0)
    }
    func delete(_ delete: RestDelete, at now: WallTime) throws(RestError) -> RestChange {
      RestChange([], count: 0)
    }
  }

  private func expectAlike(
    _ method: String, _ target: String, _ body: String = "", _ headers: [String: String] = [:]
  ) {
    var model = ServerModel()
    let now = WallTime(epochSeconds: 1_767_225_600)
    let theirs = model.handle(
      ModelRequest(
        method, "/rest/v1/\(target)",
        headers: headers.merging(["apikey": "model-service-key"]) { $1 }, body: Array(body.utf8)),
      at: now)
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    let ours = RestHandler.answer(
      RestRequest(
        method, parts[0], query: parts.count > 1 ? parts[1] : "", headers: headers,
        body: Array(body.utf8)), as: .service, from: Nothing(), at: now)
    #expect(ours.status == theirs.status, "\(method) \(target) \(body): \(ours.body)")
    let told = RestJSON(theirs.body)
    let code = RestJSON(Array(ours.body.utf8))?.object?["code"]
    #expect(code == told?.object?["code"], "\(method) \(target) \(body)")
    for name in ["Content-Range", "Preference-Applied", "Content-Type"] {
      #expect(ours.field(name) == theirs.header(name), "\(name) of \(method) \(target)")
    }
  }

  @Test(arguments: [
    "vehicle_passages", "vehicle_passages?select=*,checkposts(*,highway_segments(*))",
    "vehicle_passages?select=nonsense", "vehicle_passages?select=nonsense(*)",
    "vehicle_passages?select=parks(*)", "violations?select=vehicle_passages(*)",
    "violations?select=vehicle_passages!exit_passage_id(id)", "vehicle_passages?nonsense=eq.1",
    "vehicle_passages?plate_number=eq", "vehicle_passages?plate_number=xx.a",
    "vehicle_passages?id=eq.1", "vehicle_passages?recorded_at=gt.now",
    "vehicle_passages?recorded_at=gt.2026-02-30", "vehicle_passages?is_entry=is.full",
    "vehicle_passages?or=(source.eq.app,and(source.eq.sms,is_entry.is.true))",
    "vehicle_passages?or=()", "vehicle_passages?order=nonsense", "vehicle_passages?order=id.up",
    "vehicle_passages?limit=x", "vehicle_passages?limit=-1", "vehicle_passages?limit=0",
    "vehicle_passages?source=in.(app,sms)&limit=5&order=recorded_at.desc,id.desc", "nonsense",
    "sync_metadata?pending_count=gt.99999999999", "checkposts?select=code,vehicle_passages(id)",
  ])
  func reads(target: String) {
    for method in ["GET", "HEAD"] {
      for headers in [[:], ["prefer": "count=exact"], ["prefer": "handling=strict,nonsense"]] {
        expectAlike(method, target, "", headers)
      }
    }
    expectAlike("GET", target, "", ["accept": "application/vnd.pgrst.object+json"])
    expectAlike("GET", target, "", ["range": "5-2"])
  }

  @Test(arguments: [
    "", "1", "[1]", "{\"nonsense\":1}", "[{\"device_id\":\"a\"},{\"user_id\":null}]",
    "{\"user_id\":\"1\",\"device_id\":\"a\"}", "{\"user_id\":null,\"device_id\":\"a\"}",
    "{\"device_id\":\"a\"}", "{}", "[]",
    "{\"user_id\":\"\(Reading.user)\",\"device_id\":\"a\",\"pending_count\":\"x\"}",
    "{\"user_id\":\"\(Reading.user)\",\"device_id\":\"a\",\"pending_count\":99999999999}",
    "{\"user_id\":\"\(Reading.user)\",\"device_id\":\"a\",\"last_sync_at\":\"never\"}",
  ])
  func badRows(body: String) {
    for target in [
      "sync_metadata", "sync_metadata?on_conflict=device_id", "sync_metadata?on_conflict=nonsense",
      "sync_metadata?columns=device_id,nonsense", "nonsense",
    ] where body != "[]" || target == "sync_metadata" {
      expectAlike("POST", target, body)
      expectAlike("POST", target, body, ["prefer": "return=representation,missing=default"])
    }
  }
}
