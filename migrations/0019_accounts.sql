-- People, what they are members of, how they sign in, and who did what. And counts by the hour, for an overview.

CREATE TABLE users (
  id                   text COLLATE "C" PRIMARY KEY,
  -- Canonical: domain in ASCII, everything in lower case.
  email                text NOT NULL UNIQUE CHECK (length(email) <= 320 AND email = lower(email)),
  name                 text CHECK (length(name) BETWEEN 1 AND 200),
  -- The algorithm with its parameters, salt and hash, see accounts/users/password.ts.
  password             text NOT NULL,
  -- Sealed, see kit/runtime/sealed-box.ts. There while the second factor is being set up, too.
  totp_secret          bytea,
  totp_enabled         boolean NOT NULL DEFAULT false,
  -- The step of the last code that was taken: a code works once.
  totp_last_step       bigint NOT NULL DEFAULT 0,
  -- SHA-256 of those that were not used yet.
  recovery_codes       bytea[] NOT NULL DEFAULT '{}',
  -- Where the next session begins.
  last_organization_id text COLLATE "C",
  created_at           timestamptz NOT NULL,
  CHECK (NOT totp_enabled OR totp_secret IS NOT NULL)
);

CREATE TABLE memberships (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  user_id         text COLLATE "C" NOT NULL REFERENCES users (id),
  role            text COLLATE "C" NOT NULL CHECK (role IN ('owner', 'member', 'read_only')),
  joined_at       timestamptz NOT NULL,
  last_seen_at    timestamptz,
  PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX memberships_by_user ON memberships (user_id);

CREATE TABLE sessions (
  hash            bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  user_id         text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  created_at      timestamptz NOT NULL,
  last_seen_at    timestamptz NOT NULL,
  -- Moves on with use, up to a limit counted from created_at.
  expires_at      timestamptz NOT NULL,
  FOREIGN KEY (organization_id, user_id) REFERENCES memberships (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX sessions_by_member ON sessions (user_id, organization_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

CREATE TABLE invites (
  id              text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  email           text NOT NULL,
  role            text COLLATE "C" NOT NULL CHECK (role IN ('owner', 'member', 'read_only')),
  hash            bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  invited_by      text NOT NULL,
  created_at      timestamptz NOT NULL,
  expires_at      timestamptz NOT NULL,
  UNIQUE (organization_id, email)
);

CREATE TABLE password_resets (
  hash       bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  user_id    text COLLATE "C" NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX password_resets_by_user ON password_resets (user_id);

-- Names are kept as they were: users and keys may be gone when somebody reads this.
CREATE TABLE audit_log (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id              uuid NOT NULL,
  at              timestamptz NOT NULL,
  action          text COLLATE "C" NOT NULL,
  actor_type      text COLLATE "C" NOT NULL CHECK (actor_type IN ('user', 'api_key')),
  actor_id        text COLLATE "C" NOT NULL,
  actor_name      text NOT NULL,
  target_id       text,
  target_name     text,
  details         jsonb NOT NULL DEFAULT '{}',
  address         text NOT NULL,
  PRIMARY KEY (organization_id, id)
);

-- By the hour in which the email was accepted, one row for all that can be counted. Moves in the same transactions
-- as email_counts.
CREATE TABLE hourly_counts (
  organization_id text COLLATE "C" NOT NULL,
  hour            timestamptz NOT NULL,
  accepted        integer NOT NULL DEFAULT 0,
  delivered       integer NOT NULL DEFAULT 0,
  bounced         integer NOT NULL DEFAULT 0,
  failed          integer NOT NULL DEFAULT 0,
  opened          integer NOT NULL DEFAULT 0,
  complained      integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, hour)
) WITH (fillfactor = 50);

INSERT INTO hourly_counts (organization_id, hour, accepted, delivered, bounced, failed, opened)
SELECT organization_id, date_trunc('hour', created_at, 'UTC'), count(*),
       count(*) FILTER (WHERE status = 'delivered'), count(*) FILTER (WHERE status = 'bounced'),
       count(*) FILTER (WHERE status = 'failed'), count(*) FILTER (WHERE status = 'opened')
FROM emails
WHERE id >= uuid_v7_floor(now() - interval '31 days')
GROUP BY 1, 2;
