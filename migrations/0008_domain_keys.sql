-- Each registration has its own DKIM key and selector, and remembers what DNS last said about it.

ALTER TABLE domains
  ADD COLUMN selector        text COLLATE "C" NOT NULL UNIQUE CHECK (selector ~ '^[a-z0-9]{1,24}$')
    DEFAULT 'pr' || left(replace(gen_random_uuid()::text, '-', ''), 12),
  -- SubjectPublicKeyInfo, DER.
  ADD COLUMN public_key      bytea,
  -- PKCS#8, sealed with the installation's master key and bound to this row's id.
  ADD COLUMN private_key     bytea,
  -- Which DNS vouched for it: what the sandbox's own said means nothing to the world.
  ADD COLUMN verified_in     text CHECK (verified_in IN ('sandbox', 'live')),
  ADD COLUMN checks          jsonb,
  -- Counts every recorded check, so that of two at the same time the later knows of the earlier.
  ADD COLUMN check_number    bigint NOT NULL DEFAULT 0,
  ADD COLUMN last_checked_at timestamptz,
  -- Null: given up, until someone asks.
  ADD COLUMN next_check_at   timestamptz DEFAULT now(),
  -- Checks in a row that did not find both records.
  ADD COLUMN failed_checks   integer NOT NULL DEFAULT 0,
  -- Set while a verified domain's records are wrong.
  ADD COLUMN failing_since   timestamptz,
  ADD CHECK ((public_key IS NULL) = (private_key IS NULL)),
  ADD CHECK (failing_since IS NULL OR (spf_verified AND dkim_verified));

CREATE INDEX domains_by_name ON domains (domain);
CREATE INDEX domains_due ON domains (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX domains_failing ON domains (failing_since) WHERE failing_since IS NOT NULL;

UPDATE domains SET verified_in = 'sandbox' WHERE domain = 'sandbox.test';
