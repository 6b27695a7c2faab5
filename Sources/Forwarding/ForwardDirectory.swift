import CentralCore
import NodeCore
import Passages
import Supabase

/// The server's posts and people: under what a passage can stand there.
struct ForwardDirectory: Hashable, Sendable {
  private var posts: [String: ServerOfficePost] = [:]
  private var people: [String: ServerOfficePerson] = [:]
  private var peopleOfPosts: [String: [ServerOfficePerson]] = [:]

  init(posts: [ServerOfficePost], people: [ServerOfficePerson]) {
    for post in posts { self.posts[post.code] = post }
    for person in people {
      self.people[person.id.lowercased()] = person
      if let post = person.postID { peopleOfPosts[post, default: []].append(person) }
    }
  }

  /// A passage as it is handed on, or what is in its way.
  func push(_ stored: StoredPassage) -> Result<PassagePush, Hindered> {
    let passage = stored.passage
    // Nobody knows when it was, and the server would pair it by a time that is wrong.
    if passage.isUndated { return .failure(Hindered(hindrance: .undated)) }
    guard let post = posts[passage.checkpost.code] else {
      return .failure(Hindered(hindrance: .unknownPost))
    }
    guard let person = person(passage, post) else {
      return .failure(Hindered(hindrance: .unknownRanger))
    }
    return .success(
      PassagePush(
        passage,
        at: ServerPlace(
          checkpostID: post.id, segmentID: post.segmentID, rangerID: person),
        clockDoubt: stored.clockSeconds))
  }

  /// Who wrote it down: whoever is named by an identifier that the server knows; else the only one of the post
  /// whose number ends so, and of several the one who is called so.
  private func person(_ passage: Passage, _ post: ServerOfficePost) -> String? {
    if let named = passage.ranger.flatMap({ people[$0.lowercased()] }) { return named.id }
    var found = (peopleOfPosts[post.id] ?? []).filter {
      PhoneSuffix(phoneNumber: $0.phone) == passage.suffix
        && passage.suffix != PhoneSuffix(phoneNumber: nil)
    }
    if found.count != 1, let name = passage.ranger {
      let ofPost = found.isEmpty ? (peopleOfPosts[post.id] ?? []) : found
      found = ofPost.filter { $0.name == name }
    }
    return found.count == 1 ? found.first?.id : nil
  }

  /// What is in a passage's way.
  struct Hindered: Error {
    var hindrance: ForwardHindrance
  }
}
