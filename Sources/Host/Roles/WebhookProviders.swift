import CentralCore
import HTTPServer
import Settings

/// The providers that may hand texts in.
enum WebhookProviders {
  /// Every one that there is, as the settings have it; a new one is a line here.
  ///
  /// - Throws: `SettingsError` when a secret cannot be read.
  static func configured(_ loaded: LoadedSettings) throws -> [any WebhookProvider] {
    [TwilioProvider(try TwilioSettings(loaded))]
  }
}

extension TwilioSettings {
  /// What the settings expect of the provider; nil when none is configured.
  fileprivate init?(_ loaded: LoadedSettings) throws {
    let settings = loaded.settings.central.twilio
    guard !settings.publicURLs.isEmpty else { return nil }
    self.init(
      signature: TwilioSignature(
        tokens: try loaded.twilioAuthTokens().map(\.value), publicURLs: settings.publicURLs),
      accountSID: settings.accountSID, to: settings.to)
  }
}
