extension Settings {
  /// The configuration file with every setting at its default, each with what it means and what is
  /// allowed: the content of `config/checkpost.yaml`, and what `checkpost config print` shows.
  public static func referenceYAML() -> String {
    var page = SettingsPage(
      heading: """
        # checkpost: every setting there is, each at its default.
        #
        # A setting that is left out has its default; an unknown one is an error. What stands here is
        # overridden by systemd's credentials (secrets only: LoadCredential=server.api_key:FILE) and
        # then by the environment: node.fallback_after by CHECKPOST_NODE_FALLBACK_AFTER.
        # Durations are numbers with units: 250ms, 30s, 5m, 72h, 7d, 1h30m. Secrets stand in files of
        # their own, which the settings whose names end in _file name.
        # `checkpost config check` reads this file as the service does. A running service takes up
        # the settings marked "(reloads)" on SIGHUP; the others at its next start.

        """)
    for setting in SettingsCatalogue.settings { page.add(setting, setting.standard) }
    return page.text
  }
}
