import ModemDiscovery

/// What settings demand of each other, once each is right by itself.
enum SettingsRules {
  /// What is wrong, in the order of the configuration file.
  static func problems(of loaded: LoadedSettings) -> [SettingProblem] {
    var problems: [SettingProblem] = []
    let settings = loaded.settings
    func demand(_ isRight: Bool, _ key: String, _ words: String, _ remedy: String) {
      if !isRight {
        var origin = loaded.origin(of: key)
        if origin == .standard, let file = loaded.file { origin = .missing(path: file) }
        problems.append(SettingProblem(origin: origin, key: key, words: words, remedy: remedy))
      }
    }
    if settings.roles.node {
      demand(
        settings.node.checkpost != nil, "node.checkpost", "a node has to know its post",
        "set it to the post's code, such as BNP-A")
    }
    if settings.roles.node && settings.roles.central {
      demand(
        settings.node.database != settings.central.database, "central.database",
        "is the node's too", "give each role a database of its own")
      demand(
        !settings.nodeModems.contains { node in
          node.modem.port != nil && node.modem.port != PortSelector.automaticWord
            && node.modem.port == settings.central.modem.port
        },
        "central.modem.port", "is the node's modem too", "give each role a modem of its own")
      demand(
        !settings.nodeModems.contains { node in
          node.modem.identity != nil
            && node.modem.identity == settings.central.modem.identity
        },
        "central.modem.identity", "is the node's modem too", "give each role a modem of its own")
    }
    for (words, remedy) in recipientProblems(settings) {
      demand(false, "node.recipients", words, remedy)
    }
    let numbers = [
      settings.node.segmentDistance, settings.node.minimumSpeed, settings.node.maximumSpeed,
    ].compactMap { $0 }
    demand(
      numbers.isEmpty || numbers.count == 3, "node.segment_distance_km",
      "needs node.min_speed_kmh and node.max_speed_kmh, and these need it",
      "set all three, or none where the server tells them")
    if let minimum = settings.node.minimumSpeed.flatMap({ Double($0) }),
      let maximum = settings.node.maximumSpeed.flatMap({ Double($0) })
    {
      demand(
        minimum < maximum, "node.min_speed_kmh", "is not below node.max_speed_kmh",
        "make it lower, or the other higher")
    }
    demand(
      settings.node.alertCommand.first?.hasPrefix("/") != false, "node.alert_command",
      "does not begin with a program's path", "write the path from /, then the arguments")
    demand(
      (settings.server.user == nil) == (settings.server.passwordFile == nil),
      settings.server.user == nil ? "server.user" : "server.password_file",
      "a name and a password belong together", "set both, or neither")
    if !settings.modems.isEmpty {
      demand(
        settings.modem.port == nil && settings.modem.identity == nil, "modem.port",
        "is set beside modems",
        "name the modem in modems, or remove modems")
      let places = settings.nodeModems.map { [$0.modem.port, $0.modem.identity] }
      demand(
        Set(places).count == settings.modems.count, ModemList.key,
        "need a port or an identity each, and no two the same",
        "give each modem a port or an identity of its own")
      demand(
        Set(settings.modems.map(\.name)).count == settings.modems.count, ModemList.key,
        "need a name each, and no two the same", "give each modem a name of its own")
    }
    for (index, modem) in settings.modems.enumerated() {
      demand(
        modem.modem.reopenFirst <= modem.modem.reopenMost, ModemList.key,
        "number \(index + 1): reopen_first is longer than reopen_most",
        "make it shorter, or the other longer")
    }
    for (name, modem) in [("modem", settings.modem), ("central.modem", settings.central.modem)] {
      demand(
        modem.reopenFirst <= modem.reopenMost, "\(name).reopen_first",
        "is longer than \(name).reopen_most", "make it shorter, or the other longer")
      demand(
        modem.identity == nil || modem.port == nil || modem.port == PortSelector.automaticWord,
        "\(name).identity", "stands beside a port that is named",
        "set \(name).port to auto, or remove the identity")
      demand(
        modem.powerCommand.first?.hasPrefix("/") != false, "\(name).power_command",
        "does not begin with a program's path", "write the path from /, then the arguments")
    }
    demand(
      settings.central.twilio.publicURLs.isEmpty
        || !settings.central.twilio.authTokenFiles.isEmpty,
      "central.twilio.auth_token_files", "is needed to check what comes to the public URLs",
      "name the file with the account's auth token, or remove central.twilio.public_urls")
    let urls = settings.central.twilio.publicURLs.count
    demand(
      urls <= Limits.publicURLs, "central.twilio.public_urls",
      "names \(urls) URLs, and \(Limits.publicURLs) are looked at",
      "keep those that the provider calls")
    return problems
  }

  /// What is wrong with the further numbers that passages are texted to: each passage goes to a number once.
  private static func recipientProblems(
    _ settings: Settings
  ) -> [(words: String, remedy: String)] {
    let numbers = settings.node.recipients
    let named = Set(numbers)
    let own = (settings.modems.map(\.modem) + [settings.modem]).compactMap(\.number)
    var problems: [(words: String, remedy: String)] = []
    func demand(_ isRight: Bool, _ words: String, _ remedy: String = "remove it there") {
      if !isRight { problems.append((words, remedy)) }
    }
    demand(
      numbers.count <= Limits.recipients,
      "names \(numbers.count) numbers, and \(Limits.recipients) are allowed", "remove some")
    demand(named.count == numbers.count, "names a number more than once", "keep one of them")
    demand(
      named.isDisjoint(with: settings.node.gateways),
      "names the number of node.gateway, which gets each passage already")
    demand(
      !(settings.node.oppositePostNumber.map(named.contains) ?? false),
      "names the number of node.opposite_post_number, which gets each passage already")
    demand(
      named.isDisjoint(with: own), "names the number of this node's own modem (modem.number)")
    return problems
  }
}
