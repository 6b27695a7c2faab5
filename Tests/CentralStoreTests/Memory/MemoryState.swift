import CentralCore
import EventLoop
import Passages
import Time

/// What a store holds, as plain values: what the port means, without a database.
struct MemoryState: Sendable {
  var items: [InboxItem] = []
  var judging = MemoryJudging()
  var segments: [Segment] = []
  var posts: [Post] = []
  var rangers: [Ranger] = []
  var assignments: [RangerAssignment] = []
  var numbers: [SenderBinding] = []
  var heartbeats: [CheckpostCode: PostHeartbeat] = [:]
  var webhooks: [String: [WebhookTally]] = [:]
  /// What the identifiers of providers are, by the messages' numbers.
  var providerIDs: [Int64: String] = [:]
  private var known: [String: Int64] = [:]
  private var lastID: Int64 = 0

  mutating func keep(_ message: KeptMessage) -> InboxReceipt {
    let name = "\(message.provider.rawValue)/\(message.providerID)"
    if let id = known[name], let place = place(of: id) {
      items[place].timesReceived += 1
      return .known(id)
    }
    lastID += 1
    let id = lastID
    known[name] = id
    providerIDs[id] = message.providerID
    items.append(
      InboxItem(
        id: id, provider: message.provider.rawValue, from: message.from, body: message.body,
        isPDU: message.isPDU, receivedAt: message.receivedAt))
    return .kept(id)
  }

  private func place(of id: Int64) -> Int? { items.firstIndex { $0.id == id } }

  mutating func write(_ fact: InboxFact, isRepeated: Bool) {
    guard let place = place(of: fact.id) else { return }
    var item = items[place]
    (item.from, item.part) = (fact.sender, fact.part)
    (item.reason, item.words, item.clientID, item.warnings) = (nil, nil, nil, [])
    item.dismissal = nil
    switch fact.change {
    case .report: item.state = .report
    case .heartbeat: item.state = .heartbeat
    case .waits: item.state = .part
    case .refused(let reason):
      item.state = .undecodable
      (item.reason, item.words) = (reason.code, reason.message)
    case .passage(let passage, let warnings, _):
      item.state = isRepeated ? .duplicate : .decoded
      (item.clientID, item.warnings) = (passage.clientID.description, warnings)
    }
    items[place] = item
    for other in fact.others.compactMap({ self.place(of: $0) }) {
      items[other].state = item.state
      (items[other].reason, items[other].words) = (item.reason, item.words)
      items[other].clientID = item.clientID
      items[other].dismissal = nil
    }
  }

  mutating func put(_ entries: [DirectoryEntry]) -> [DirectoryRefusal?] {
    let plan = DirectoryPlan(entries, posts: posts, segments: segments.map(\.name))
    let known = Set(rangers.map(\.phone))
    for write in plan.writes { put(write.entry, known) }
    return plan.refusals
  }

  private mutating func put(_ entry: DirectoryEntry, _ known: Set<PhoneNumber>) {
    switch entry {
    case .segment(let segment):
      segments.removeAll { $0.name == segment.name }
      segments.append(segment)
      segments.sort { $0.name < $1.name }
    case .post(var post, let known):
      if let there = posts.first(where: { $0.code == post.code }) {
        if !known.contains(.place) { (post.places, post.earlier) = (there.places, there.earlier) }
        if !known.contains(.phone) { post.phone = there.phone }
      }
      posts.removeAll { $0.code == post.code }
      posts.append(post)
      posts.sort { $0.code.code < $1.code.code }
    case .ranger(let ranger, let since):
      let suffix = PhoneSuffix(phoneNumber: ranger.phone.digits)
      let own = assignments.filter { $0.phone == ranger.phone }
      let others = assignments.filter {
        $0.post == ranger.checkpost && $0.suffix == suffix && $0.phone != ranger.phone
          && known.contains($0.phone)
      }
      assignments.removeAll { $0.phone == ranger.phone }
      assignments += RangerAssignment.assigning(
        ranger, since: since, at: SystemClocks().wall(), own: own, others: others)
      rangers.removeAll { $0.phone == ranger.phone }
      rangers.append(ranger)
      rangers.sort { $0.phone < $1.phone }
    case .number(let binding):
      numbers.removeAll { $0.number == binding.number && $0.post == binding.post }
      numbers.append(binding)
      numbers.sort { ($0.number, $0.post) < ($1.number, $1.post) }
    }
  }
}
