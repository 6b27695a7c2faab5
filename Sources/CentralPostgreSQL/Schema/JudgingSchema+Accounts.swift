extension JudgingSchema {
  /// Who may use the central over HTTP: accounts, what they signed in for, keys, and what was done with them. Of
  /// tokens and keys their hashes alone, of passwords what a memory-hard hash leaves.
  static let accounts = #"""
    CREATE TABLE accounts (
      id uuid PRIMARY KEY,
      email text COLLATE "C" NOT NULL CONSTRAINT accounts_email_key UNIQUE
        CHECK (email = lower(email) AND email LIKE '%_@_%'),
      full_name text NOT NULL,
      role text NOT NULL CHECK (role IN ('ranger', 'admin', 'service')),
      phone text COLLATE "C" CONSTRAINT accounts_phone_key UNIQUE,
      checkpost text COLLATE "C",
      active boolean NOT NULL DEFAULT true,
      password text CHECK (password LIKE '$%'),
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );

    CREATE TABLE sessions (
      id text COLLATE "C" PRIMARY KEY,
      account uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
      created_at timestamptz NOT NULL,
      refreshed_at timestamptz NOT NULL,
      generation bigint NOT NULL CHECK (generation >= 0),
      nonce bytea NOT NULL,
      ended text,
      ended_at timestamptz,
      CHECK ((ended IS NULL) = (ended_at IS NULL))
    ) WITH (fillfactor = 90);
    CREATE INDEX sessions_account ON sessions (account, created_at);
    CREATE INDEX sessions_used ON sessions (refreshed_at);

    CREATE TABLE refresh_tokens (
      digest bytea PRIMARY KEY CHECK (length(digest) = 32),
      session text COLLATE "C" NOT NULL REFERENCES sessions ON DELETE CASCADE,
      generation bigint NOT NULL,
      UNIQUE (session, generation)
    );

    CREATE TABLE api_keys (
      prefix text COLLATE "C" CONSTRAINT api_keys_pkey PRIMARY KEY CHECK (length(prefix) = 8),
      name text NOT NULL,
      role text NOT NULL CHECK (role IN ('anon', 'post', 'service')),
      checkpost text COLLATE "C",
      digest bytea NOT NULL CHECK (length(digest) = 32),
      created_at timestamptz NOT NULL,
      valid_from timestamptz,
      valid_until timestamptz,
      revoked_at timestamptz,
      used_at timestamptz,
      CHECK ((role = 'post') = (checkpost IS NOT NULL))
    );

    CREATE TABLE audit (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      at timestamptz NOT NULL,
      kind text NOT NULL,
      account uuid,
      api_key text,
      address text,
      actor text,
      detail text
    );
    CREATE INDEX audit_unknown ON audit (id) WHERE account IS NULL AND kind = 'sign_in_refused';
    """#

  /// What a service needs to let people in, and for the tables of the API. Nobody reaches the schema over REST.
  static let accountRights = #"""
    GRANT INSERT, UPDATE, DELETE ON checkpost.accounts, checkpost.sessions, checkpost.refresh_tokens,
      checkpost.api_keys, checkpost.audit TO service_role;
    GRANT EXECUTE ON FUNCTION checkpost.lock_rows, checkpost.compact, checkpost.provincial, checkpost.shortened,
      checkpost.ranger_of, checkpost.person_of, checkpost.suffix_of, checkpost.uuid_of, checkpost.moment_of,
      checkpost.whole TO service_role;
    """#

  /// What holds for them, and the profiles that others know people by.
  static let accountRules = #"""
    CREATE OR REPLACE FUNCTION refuse_session() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'an ended session does not begin again' USING ERRCODE = 'integrity_constraint_violation';
    END $$;
    CREATE OR REPLACE TRIGGER sessions_ended BEFORE UPDATE ON sessions FOR EACH ROW
      WHEN (OLD.ended IS NOT NULL AND NEW.ended IS DISTINCT FROM OLD.ended) EXECUTE FUNCTION refuse_session();

    -- What somebody signed in for is over once the account is disabled, whoever does that.
    CREATE OR REPLACE FUNCTION end_sessions() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
      SET search_path = checkpost, pg_temp AS $$
    BEGIN
      UPDATE sessions SET ended = 'ended', ended_at = clock_timestamp() WHERE account = NEW.id AND ended IS NULL;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER accounts_disabled AFTER UPDATE OF active ON accounts FOR EACH ROW
      WHEN (OLD.active AND NOT NEW.active) EXECUTE FUNCTION end_sessions();

    CREATE OR REPLACE FUNCTION refuse_key() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'a key stays what it is, and revoked' USING ERRCODE = 'integrity_constraint_violation';
    END $$;
    CREATE OR REPLACE TRIGGER api_keys_frozen BEFORE UPDATE ON api_keys FOR EACH ROW
      WHEN (NEW.role <> OLD.role OR NEW.digest <> OLD.digest
        OR (NEW.checkpost IS NULL) <> (OLD.checkpost IS NULL)
        OR OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at)
      EXECUTE FUNCTION refuse_key();

    CREATE OR REPLACE FUNCTION refuse_audit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'what was done is not changed' USING ERRCODE = 'integrity_constraint_violation';
    END $$;
    CREATE OR REPLACE TRIGGER audit_frozen BEFORE UPDATE ON audit FOR EACH ROW EXECUTE FUNCTION refuse_audit();

    -- The post of an account or a key is one that is there.
    CREATE OR REPLACE FUNCTION check_post() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
      SET search_path = checkpost, pg_temp AS $$
    BEGIN
      IF NEW.checkpost IS NOT NULL AND NOT EXISTS (SELECT FROM api_checkposts c WHERE c.code = NEW.checkpost) THEN
        RAISE EXCEPTION 'there is no such post' USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME,
          CONSTRAINT = TG_TABLE_NAME || '_checkpost_fkey';
      END IF;
      RETURN NEW;
    END $$;
    CREATE OR REPLACE TRIGGER accounts_post BEFORE INSERT OR UPDATE OF checkpost ON accounts
      FOR EACH ROW EXECUTE FUNCTION check_post();
    CREATE OR REPLACE TRIGGER api_keys_post BEFORE INSERT ON api_keys
      FOR EACH ROW EXECUTE FUNCTION check_post();

    -- Whoever has an account has a profile of the same identifier, by which passages and outcomes name them. It is
    -- without a number: one who may send texts is in the directory. Where profiles may not be made their passages
    -- stand under the one of rangers whom nobody knows.
    CREATE OR REPLACE FUNCTION show_account() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
      SET search_path = checkpost, pg_temp AS $$
    BEGIN
      IF to_regclass('auth.users') IS NOT NULL THEN
        INSERT INTO auth.users (id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
      END IF;
      INSERT INTO public.user_profiles (id, full_name, role, assigned_checkpost_id, is_active)
        VALUES (NEW.id, NEW.full_name, CASE NEW.role WHEN 'ranger' THEN 'ranger' ELSE 'admin' END,
          (SELECT c.id FROM public.checkposts c WHERE c.code = NEW.checkpost), NEW.active)
        ON CONFLICT (id) DO UPDATE SET full_name = excluded.full_name, role = excluded.role,
          assigned_checkpost_id = excluded.assigned_checkpost_id, is_active = excluded.is_active;
      RETURN NULL;
    EXCEPTION WHEN insufficient_privilege OR integrity_constraint_violation THEN
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER accounts_shown
      AFTER INSERT OR UPDATE OF full_name, role, checkpost, active ON accounts
      FOR EACH ROW EXECUTE FUNCTION show_account();

    -- A post that is called otherwise is the same to accounts and keys.
    CREATE OR REPLACE FUNCTION rename_post() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
      SET search_path = checkpost, pg_temp AS $$
    BEGIN
      UPDATE accounts SET checkpost = NEW.code WHERE checkpost = OLD.code;
      UPDATE api_keys SET checkpost = NEW.code WHERE checkpost = OLD.code;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER checkpost_3_rename AFTER UPDATE OF code ON public.checkposts FOR EACH ROW
      WHEN (NEW.code <> OLD.code) EXECUTE FUNCTION rename_post();
    """#
}
