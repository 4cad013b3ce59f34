-- MTA-STS policies of recipients' domains, so that a restart does not forget what a domain has demanded.
CREATE TABLE mta_sts_policies (
  domain          text COLLATE "C" PRIMARY KEY,
  -- The one in DNS when it was fetched.
  policy_id       text NOT NULL,
  mode            text COLLATE "C" NOT NULL CHECK (mode IN ('enforce', 'testing', 'none')),
  mx              text[] NOT NULL,
  max_age_seconds integer NOT NULL,
  fetched_at      timestamptz NOT NULL,
  expires_at      timestamptz NOT NULL,
  -- When it is to be fetched again, though nobody asks for it.
  refresh_at      timestamptz NOT NULL,
  -- When mail was last sent to the domain, to the day.
  used_at         timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX mta_sts_policies_refresh ON mta_sts_policies (refresh_at);
CREATE INDEX mta_sts_policies_expires ON mta_sts_policies (expires_at);
