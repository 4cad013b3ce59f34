-- A domain's second DKIM key: before the switch the one to come, after it the one before.

CREATE TABLE dkim_rotations (
  domain_id   text COLLATE "C" PRIMARY KEY REFERENCES domains (id) ON DELETE CASCADE,
  status      text NOT NULL CHECK (status IN ('waiting_for_dns', 'switched', 'finished')),
  selector    text COLLATE "C" NOT NULL UNIQUE CHECK (selector ~ '^[a-z0-9]{1,24}$'),
  -- SubjectPublicKeyInfo, DER.
  public_key  bytea NOT NULL,
  -- Sealed, bound to the domain's id; gone once it is finished.
  private_key bytea,
  -- What DNS last said about the record to come.
  last_check  jsonb,
  started_at  timestamptz NOT NULL,
  -- Since when every check has found the record to come.
  seen_at     timestamptz,
  -- Mail from then on is signed with the new key.
  switched_at timestamptz,
  retires_at  timestamptz,
  CHECK ((private_key IS NULL) = (status = 'finished')),
  CHECK ((switched_at IS NULL) = (status = 'waiting_for_dns'))
);

CREATE INDEX dkim_rotations_retiring ON dkim_rotations (retires_at) WHERE status = 'switched';
