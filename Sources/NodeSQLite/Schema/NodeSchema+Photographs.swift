extension NodeSchema {
  /// What is known of photographs besides whether the server has them.
  static let photographs = """
    -- When the server first had the bytes of a photograph, which it may not have noted with its passage yet.
    ALTER TABLE uploads ADD COLUMN stored_ms INTEGER;
    -- When its file was removed here, since the server has it and room was short.
    ALTER TABLE uploads ADD COLUMN dropped_ms INTEGER;
    CREATE INDEX uploads_photos_kept ON uploads (passage_id)
      WHERE kind = 'photo' AND status = 'synced' AND dropped_ms IS NULL;

    -- Passages that were recorded without the photograph that was taken of them, and why.
    CREATE TABLE photos_left_out (
      passage_id INTEGER PRIMARY KEY REFERENCES passages (id) ON DELETE CASCADE,
      left_out_t INTEGER NOT NULL,
      left_out_ms INTEGER NOT NULL,
      reason TEXT NOT NULL
    ) STRICT;
    CREATE INDEX photos_left_out_by_time ON photos_left_out (left_out_t);
    """
}
