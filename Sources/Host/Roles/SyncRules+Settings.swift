import NodeCore
import NodeService
import ServerHTTP
import Settings
import Supabase

extension SyncRules {
  /// What the settings say of how passages go to the server.
  init(_ settings: Settings) {
    self.init()
    let sync = settings.sync
    every = sync.every
    retry = RetryPreset(rawValue: sync.retry.rawValue) ?? retry
    attempts = sync.attempts
    batchOver = sync.batchOver
    batchSize = sync.batchSize
    spread = sync.spread
    conflicts = ConflictResolution(rawValue: sync.conflicts.rawValue) ?? conflicts
    pulls = sync.pull
    pullBuffer = sync.pullBuffer
    photosWhenMetered = sync.photosWhenMetered
    photosAboveBattery = sync.photosAboveBattery
    signsIn = settings.server.user != nil
    believesServerTime = ServerEndpoint(settings.server)?.isPlainOnNetwork != true
    account = "\(settings.server.url ?? "") \(settings.server.user ?? "")"
  }
}

extension NodeMachine.Settings {
  /// What the settings say to the node, and the token of the settings: without a name to sign in with,
  /// it says who we are.
  init(_ settings: Settings, token: Secret?) {
    self.init(settings)
    guard !rules.sync.signsIn, let token else { return }
    rules.sync.userID = Token(token.value).subject
    rules.sync.account += rules.sync.userID ?? ""
  }
}
