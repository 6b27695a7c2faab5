import Events

// What keeps passages from a server that answers, where only a person can change it.
extension NodeProblems {
  /// That the server does not know this node at this post.
  func place(_ node: NodeSnapshot) -> Problem? {
    guard case .impaired(.place(let fault)) = node.connectivity else { return nil }
    return Problem(
      "place_fault", .critical, "no passage goes to the server: \(fault.words)",
      remedy: fault.remedy, since: node.serverDownSince.map(wall))
  }
}
