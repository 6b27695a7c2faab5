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
    group(
      "central import, inbox dismiss",
      """
      file The file that was read.
      added Rows of what was not there before.
      changed Rows of what was there and said something else.
      unchanged Rows of what was there and said the same.
      repeated Rows that a later one of the file says again.
      problems What is wrong with rows: the line of each, and a message.
      repetitions Which rows are said again: the line of each, and a message.
      line The line of the file.
      judged_again What judging again changed, as `central match` tells it.
      dismissed_at When somebody looked at it and dismissed it; null while nobody did.
      dismissed_by Who did.
      dismissed Texts that were dismissed.
      inbox_undecodable Texts that wait still.
      """),
  ]
}
