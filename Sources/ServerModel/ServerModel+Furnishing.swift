public import JSON
public import Time

/// What tests put into a server, and look at in it, past its interface.
extension ServerModel {
  /// The pilot's park with one segment of 45 km at 10 to 40 km/h, the posts `BNP-A` and `BNP-B`, and a
  /// ranger at each.
  public static func pilot(settings: Settings = Settings(), seed: UInt64 = 1) -> ServerModel {
    var model = ServerModel(settings: settings, seed: seed)
    model.put(
      ["id": .text(Pilot.park), "name": "Banke National Park", "code": "BNP"], into: "parks")
    model.put(
      [
        "id": .text(Pilot.segment), "park_id": .text(Pilot.park), "name": "Kohalpur - Chisapani",
        "distance_km": 45, "max_speed_kmh": 40, "min_speed_kmh": 10,
      ], into: "highway_segments")
    for (place, id) in [Pilot.east, Pilot.west].enumerated() {
      model.put(
        [
          "id": .text(id), "segment_id": .text(Pilot.segment),
          "name": place == 0 ? "East gate" : "West gate", "code": place == 0 ? "BNP-A" : "BNP-B",
          "position_index": .integer(Int64(place)),
        ], into: "checkposts")
    }
    model.addUser(
      id: Pilot.eastRanger, email: "sita@bnp.local", password: "east-gate-1", name: "Sita",
      post: Pilot.east)
    model.addUser(
      id: Pilot.westRanger, email: "ram@bnp.local", password: "west-gate-1", name: "Ram",
      post: Pilot.west)
    return model
  }

  /// The names of the pilot's rows.
  public enum Pilot {
    /// The park.
    public static let park = "0a000000-0000-4000-8000-000000000001"
    /// The segment.
    public static let segment = "0b000000-0000-4000-8000-000000000001"
    /// The post `BNP-A`.
    public static let east = "0c000000-0000-4000-8000-00000000000a"
    /// The post `BNP-B`.
    public static let west = "0c000000-0000-4000-8000-00000000000b"
    /// The ranger at `BNP-A`: `sita@bnp.local`, `east-gate-1`.
    public static let eastRanger = "0d000000-0000-4000-8000-00000000000a"
    /// The ranger at `BNP-B`: `ram@bnp.local`, `west-gate-1`.
    public static let westRanger = "0d000000-0000-4000-8000-00000000000b"
  }

  /// Adds a user who can sign in, with a profile.
  ///
  /// - Parameter post: The post that he is assigned to; nil for none.
  public mutating func addUser(
    id: String, email: String, password: String, name: String, role: String = "ranger",
    post: String?
  ) {
    signIn.add(SignInService.User(id: id, email: email, password: password))
    var profile: [String: JSONValue] = [
      "id": .text(id), "full_name": .text(name), "role": .text(role),
    ]
    if let post { profile["assigned_checkpost_id"] = .text(post) }
    put(profile, into: "user_profiles")
  }

  /// Puts a row in as the owner of the database does, for whom no policy counts; whether it was taken.
  @discardableResult
  public mutating func put(
    _ row: [String: JSONValue], into table: String, at now: WallTime = WallTime(epochSeconds: 0)
  ) -> Bool {
    let body = Array(JSONText.line(.object(row)).utf8)
    return asOwner("POST", "/rest/v1/\(table)", body, at: now).status == 201
  }

  /// Changes the row of that key as the owner of the database does; whether there was one.
  @discardableResult
  public mutating func change(
    _ id: String, of table: String, to values: [String: JSONValue],
    at now: WallTime = WallTime(epochSeconds: 0)
  ) -> Bool {
    let body = Array(JSONText.line(.object(values)).utf8)
    let answer = asOwner("PATCH", "/rest/v1/\(table)?id=eq.\(id)", body, at: now)
    return answer.json?.list?.count == 1
  }

  /// Removes the row of that key as the owner of the database does; whether there was one that could be
  /// removed.
  @discardableResult
  public mutating func remove(_ id: String, from table: String) -> Bool {
    let answer = asOwner(
      "DELETE", "/rest/v1/\(table)?id=eq.\(id)", [], at: WallTime(epochSeconds: 0))
    return answer.json?.list?.count == 1
  }

  /// Past faults and counts.
  private mutating func asOwner(
    _ method: String, _ target: String, _ body: [UInt8], at now: WallTime
  ) -> ModelResponse {
    let (waiting, count) = (faults, requests)
    heal()
    let answer = handle(
      ModelRequest(
        method, target,
        headers: [
          "apikey": settings.serviceKey, "Authorization": "Bearer \(settings.serviceKey)",
          "Prefer": "return=representation",
        ], body: body), at: now)
    restore(waiting, requests: count)
    return answer
  }

  /// The rows of a table in the order of their insertion, as the owner of the database sees them.
  public func rows(of table: String) -> [[String: JSONValue]] {
    guard let shelf = database.shelves[table] else { return [] }
    return shelf.rows.compactMap { row in
      row.map { row in
        Dictionary(
          zip(shelf.table.columns.map(\.name), row.map(\.json)), uniquingKeysWith: { $1 })
      }
    }
  }

  /// How many rows a table has.
  public func count(of table: String) -> Int { database.shelves[table]?.count ?? 0 }

  /// The passage of that identity, as the owner of the database sees it.
  public func passage(clientID: String) -> [String: JSONValue]? {
    guard let shelf = database.shelves[Database.passages],
      let number = shelf.table.uniques.firstIndex(where: {
        $0.name == "vehicle_passages_client_id_key"
      }), let id = Identifiers.canonical(clientID),
      let place = shelf.keys[number][[.text(id)]], let row = shelf.rows[place]
    else { return nil }
    return Dictionary(
      zip(shelf.table.columns.map(\.name), row.map(\.json)), uniquingKeysWith: { $1 })
  }

  /// The content of a file: `passage-photos/ID.jpg`.
  public func file(_ path: String) -> [UInt8]? { objects.objects[path]?.body }

  /// The paths of all files.
  public var files: [String] { objects.objects.keys.sorted() }

  /// Makes a bucket, or removes it; its files stay where they are.
  public mutating func setBucket(_ name: String, exists: Bool) {
    if exists { objects.add(bucket: name) } else { objects.remove(bucket: name) }
  }

  /// Gives a user another password.
  public mutating func setPassword(_ password: String, of email: String) {
    signIn.change(email) { $0.password = password }
  }

  /// Lets a user sign in no more, or again.
  public mutating func setBanned(_ isBanned: Bool, _ email: String) {
    signIn.change(email) { $0.isBanned = isBanned }
  }

  /// Takes a token that an administrator made for a machine, which does not sign in then.
  public mutating func takeToken(
    _ token: String, of user: String, lasting: Duration = .seconds(86_400), at now: WallTime
  ) {
    signIn.take(token, of: user, lasting: lasting, at: now)
  }

  /// Takes an access token no more.
  public mutating func withdrawToken(_ token: String) { signIn.withdraw(token) }

  /// Takes no refresh token of that user's sessions any more; access tokens last as long as they do.
  public mutating func revokeSessions(of user: String) { signIn.revoke(user: user) }

  /// Forgets all sessions, as after their time.
  public mutating func forgetSessions() { signIn.forgetSessions() }
}
