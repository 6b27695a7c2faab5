extension KeyCatalogue {
  static let ofKeeping: [Group] = [
    group(
      "central violations, alerts, match",
      """
      violation What names the violation for others.
      alert What names the alert for others.
      number The number that `violations show` takes: the row of the entry.
      kind speeding or overstay.
      standing standing, or retracted where later data disproved it.
      finality provisional, reported (final), or unreported (taken as final).
      since Since when it is as it is.
      revision How often it was made, changed, retracted or renewed.
      confirmed_at When a person said that it is so.
      confirmed_by Who.
      changed_final_at Since when it is another one than when it was final, and nobody has looked at it since.
      outcome What came of it: warned, fined, let_go, not_found or other; null while nothing is recorded.
      fine_amount The fine in rupees.
      outcome_notes What else was said of it.
      outcome_by Who recorded it.
      outcome_at When.
      plate_number The plate, compact: `BA1PA1234`.
      plate_display The plate as people write it.
      vehicle_type The type of the vehicle.
      segment The stretch of road.
      entry_passage What names the passage at the entry.
      entry_post The post at which the vehicle was seen first.
      entry_at When.
      exit_passage What names the passage at the exit.
      exit_post The post at the other end.
      exit_at When it was seen there.
      seconds What it took.
      limit_seconds What is lawful, at least or at most.
      is_far Whether it is one travel only because nothing was seen in between.
      doubts What could make it wrong, by names that stay.
      tolerance_seconds What is allowed on each side.
      distance_km The length of the segment.
      min_speed_kmh The lowest lawful mean speed.
      max_speed_kmh The highest lawful mean speed.
      speed_kmh The mean speed.
      could_be_wrong What could make it wrong, in words.
      could_be_forged_by Who could have forged an end, in words.
      entry The passage at the entry, with all that was reported.
      exit The passage at the exit, likewise.
      records What a passage was put together from.
      record The number of a record.
      times_reported How often it was reported.
      last_reported_at When last.
      reports Each report that told something.
      corrections Each correction.
      plate The plate as it was written.
      channel upload, operator or text.
      received_at When it came.
      clock What is known of the clock that the time was read from: unknown, within, or unset.
      clock_seconds By how much it may be wrong; null where that was not told.
      photo_path Where its photograph lies.
      inbox_id The message's number in the inbox.
      made_at When a correction was made.
      author By whom.
      contradicting_texts The numbers in the inbox of texts that nobody proved and that say otherwise.
      revisions Every change of the violation.
      caused_by The identities of the passages of which something came or changed, that caused it.
      change made, changed, retracted or renewed.
      cause Why it was judged: arrival, correction, directory or rules.
      at When.
      was_final How final it was before.
      history When it became final, who confirmed it and who recorded its outcome, in that order.
      what Of that: confirmed, provisional, reported, unreported or outcome.
      by Who did it.
      ranger_name Who wrote it down, as the directory knows the digits of the number.
      warnings What is strange about a text and yet no error, and which rules were set aside for it.
      before What stood before.
      after What stood then.
      due_at When the vehicle ought to have left.
      expires_at Until when it is waited for.
      raised_at When it was told.
      unheard Whether the other post has not reported since it was due.
      ending left, seen_again, withdrawn or expired; null while it stands.
      ended_at When it was over.
      vehicles Vehicles that were judged.
      paired Pairs that were made.
      parted Pairs that were undone.
      alerts_changed Alerts that were raised or ended.
      violations_made Violations that were found.
      violations_changed Violations that changed.
      violations_retracted Violations that were retracted.
      violations_renewed Violations that were found again.
      """),
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
      outcomes Outcomes of them.
      alerts Alerts.
      messages Messages of the inbox.
      photographs Photographs.
      open_violations Violations without an outcome, whose evidence stays.
      closed_violations Violations with an outcome, whose evidence stays for a while.
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
