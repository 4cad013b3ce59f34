-- The keys with which mail is signed by the installation's own domain, beside its sender's: one for each such domain.
CREATE TABLE own_dkim_keys (
  domain        text COLLATE "C" PRIMARY KEY,
  selector      text NOT NULL,
  public_key    bytea NOT NULL,
  -- Sealed for the domain.
  private_key   bytea NOT NULL,
  created_at    timestamptz NOT NULL,
  -- When signing began, ended, began again: mail is signed if its first attempt came after an odd number of them.
  switches      timestamptz[] NOT NULL DEFAULT '{}',
  -- Since when DNS does not have the record of a key that signs.
  missing_since timestamptz,
  -- What was found last, as in domains.checks.
  last_check    jsonb,
  checked_at    timestamptz
);
