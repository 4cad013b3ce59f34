-- Organizations own everything; API keys act for exactly one of them.
-- Ids are ASCII, so they compare as bytes ("C"): smaller and faster indexes, the same order everywhere.

CREATE TABLE organizations (
  id          text COLLATE "C" PRIMARY KEY,
  name        text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  daily_limit integer NOT NULL DEFAULT 0 CHECK (daily_limit >= 0),
  created_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE api_keys (
  id              text COLLATE "C" PRIMARY KEY,
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  name            text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  prefix          text NOT NULL,
  hash            bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  scope           text NOT NULL CHECK (scope IN ('full', 'send')),
  domain          text COLLATE "C",
  created_at      timestamptz NOT NULL DEFAULT now(),
  expires_at      timestamptz,
  last_used_at    timestamptz,
  revoked_at      timestamptz
);

CREATE INDEX api_keys_by_organization ON api_keys (organization_id, created_at);
