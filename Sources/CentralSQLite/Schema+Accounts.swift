extension Schema {
  /// Who may use the central over HTTP: accounts, what they signed in for, keys, and what was done with them.
  /// Of tokens and keys their hashes alone, of passwords what a memory-hard hash leaves.
  static let accounts = """
    CREATE TABLE accounts (
      id TEXT PRIMARY KEY NOT NULL CHECK (length(id) = 36),
      email TEXT NOT NULL UNIQUE CHECK (email = lower(email) AND email LIKE '%_@_%'),
      full_name TEXT NOT NULL,
      role TEXT NOT NULL CHECK (role IN ('ranger', 'admin', 'service')),
      phone TEXT UNIQUE,
      checkpost TEXT REFERENCES posts(code),
      active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
      password TEXT CHECK (password LIKE '$%'),
      created_at_ms INTEGER NOT NULL,
      updated_at_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE sessions (
      id TEXT PRIMARY KEY NOT NULL,
      account TEXT NOT NULL REFERENCES accounts(id) ON DELETE CASCADE,
      created_at_ms INTEGER NOT NULL,
      refreshed_at_ms INTEGER NOT NULL,
      generation INTEGER NOT NULL CHECK (generation >= 0),
      nonce BLOB NOT NULL,
      ended TEXT,
      ended_at_ms INTEGER,
      CHECK ((ended IS NULL) = (ended_at_ms IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_open ON sessions (account, created_at_ms) WHERE ended IS NULL;
    CREATE INDEX sessions_used ON sessions (refreshed_at_ms);

    -- An ended session stays ended.
    CREATE TRIGGER sessions_ended BEFORE UPDATE ON sessions
      WHEN OLD.ended IS NOT NULL AND NEW.ended IS NOT OLD.ended
    BEGIN SELECT RAISE(ABORT, 'an ended session does not begin again'); END;

    CREATE TABLE refresh_tokens (
      digest BLOB PRIMARY KEY NOT NULL CHECK (length(digest) = 32),
      session TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
      generation INTEGER NOT NULL,
      UNIQUE (session, generation)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE api_keys (
      prefix TEXT PRIMARY KEY NOT NULL CHECK (length(prefix) = 8),
      name TEXT NOT NULL,
      role TEXT NOT NULL CHECK (role IN ('anon', 'post', 'service')),
      checkpost TEXT REFERENCES posts(code),
      digest BLOB NOT NULL CHECK (length(digest) = 32),
      created_at_ms INTEGER NOT NULL,
      valid_from_ms INTEGER,
      valid_until_ms INTEGER,
      revoked_at_ms INTEGER,
      used_at_ms INTEGER,
      CHECK ((role = 'post') = (checkpost IS NOT NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER api_keys_frozen BEFORE UPDATE ON api_keys
      WHEN NEW.role <> OLD.role OR NEW.digest <> OLD.digest OR NEW.checkpost IS NOT OLD.checkpost
        OR (OLD.revoked_at_ms IS NOT NULL AND NEW.revoked_at_ms IS NOT OLD.revoked_at_ms)
    BEGIN SELECT RAISE(ABORT, 'a key stays what it is, and revoked'); END;

    CREATE TABLE audit (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at_ms INTEGER NOT NULL,
      kind TEXT NOT NULL,
      account TEXT,
      api_key TEXT,
      address TEXT,
      actor TEXT,
      detail TEXT
    ) STRICT;
    CREATE INDEX audit_unknown ON audit (id) WHERE account IS NULL AND kind = 'sign_in_refused';
    CREATE TRIGGER audit_frozen BEFORE UPDATE ON audit
    BEGIN SELECT RAISE(ABORT, 'what was done is not changed'); END;
    """
}
