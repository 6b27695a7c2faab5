/// What is proven stays proven, and a speed that no vehicle has is doubted.
extension JudgingSchema {
  /// What version 7 has beside the ones before, in the order in which it is run.
  static let version7 = [founded, afterFinal]

  /// Which records can change what is proven.
  static let founded = #"""
    ALTER TABLE records
      -- Whether one of its reports is proven, or put in by a person: else it changes nothing of what is.
      ADD COLUMN is_founded boolean NOT NULL DEFAULT true;
    UPDATE records r SET is_founded = false WHERE NOT EXISTS (
      SELECT FROM observations o WHERE o.record = r.number AND (o.is_proven OR o.channel <> 'text'));
    ALTER TABLE settings
      -- Kilometres an hour that no vehicle reaches.
      ADD COLUMN fastest bigint NOT NULL DEFAULT 200 CHECK (fastest BETWEEN 50 AND 1000);

    -- Up to which second more is read, that what is judged is to be held against.
    ALTER TYPE span ADD ATTRIBUTE ahead bigint;
    -- Of each pair: 1 where texts that nobody proved lie in between, and 2 where it is none, but a long stay that may
    -- have ended with a turn at its exit.
    ALTER TYPE travels ADD ATTRIBUTE marks integer[];
    ALTER TYPE judgement ADD ATTRIBUTE marks integer[];

    -- All that there is was judged by other rules.
    UPDATE rejudging SET cause = coalesce(cause, 'rules'), posts = NULL, after_plate = ''
      WHERE EXISTS (SELECT FROM records);
    """#

  /// What became of violations after they had been final.
  static let afterFinal = #"""
    ALTER TABLE revisions
      -- The records of which something came or changed, that caused it.
      ADD COLUMN origins bigint[] NOT NULL DEFAULT '{}';
    ALTER TABLE violations
      -- Since when it is another one than it was when it was final, and no person has seen that.
      ADD COLUMN changed_final_at timestamptz;
    CREATE INDEX violations_changed ON violations (changed_final_at) WHERE changed_final_at IS NOT NULL;
    ALTER TABLE violation_notes DROP CONSTRAINT violation_notes_kind_check,
      ADD CONSTRAINT violation_notes_kind_check CHECK (
        kind IN ('confirmed', 'seen', 'provisional', 'reported', 'unreported', 'outcome'));
    """#
}
