extension KeyCatalogue {
  static let ofKeeping: [Group] = [
    group(
      "central export",
      """
      part Of what is known of a vehicle: passage, violation, alert, message or photograph; the other keys are those \
      of `central passages`, `central violations show`, `central alerts` and `central inbox`.
      provider_id What tells a message from all others of its provider.
      to The number that a message went to, where that is known.
      """),
    group(
      "central erase",
      """
      erased Whether it was erased; false with `--dry-run`.
      passages Passages.
      reports Reports of them.
      corrections Corrections of them.
      violations Violations, the retracted ones too.
      alerts Alerts.
      messages Messages of the inbox.
      photographs Photographs.
      open_violations Violations whose evidence stays.
      last_report_at When the last of what was erased came.
      """),
    group(
      "central replay",
      """
      messages Messages that were processed.
      known Of these, those that were there already.
      passages Passages that were not there.
      duplicates Messages whose passage was there.
      undecodable Messages that are no passage: how many by each reason.
      pairs Pairs that were made, less those that were undone.
      violations Violations that were found, less those that were retracted.
      kept Whether it stays; false with `--dry-run`.
      """),
  ]
}
