-- What receivers report about domains: who sent mail in their name (DMARC), and how mail to them was encrypted (TLS).
-- A report counts once; its rows go with it, and it goes with its domain.

CREATE TABLE domain_reports (
  organization_id text COLLATE "C" NOT NULL,
  domain_id       text COLLATE "C" NOT NULL,
  kind            text COLLATE "C" NOT NULL CHECK (kind IN ('dmarc', 'tls')),
  -- Of who wrote it, its number, the domain and the time: the same report again has the same.
  digest          bytea NOT NULL,
  reporter        text NOT NULL,
  begins_at       timestamptz NOT NULL,
  ends_at         timestamptz NOT NULL,
  received_at     timestamptz NOT NULL,
  row_count       integer NOT NULL,
  PRIMARY KEY (organization_id, domain_id, kind, digest),
  FOREIGN KEY (domain_id, organization_id) REFERENCES domains (id, organization_id) ON DELETE CASCADE
);
CREATE INDEX domain_reports_received ON domain_reports (organization_id, domain_id, received_at);
CREATE INDEX domain_reports_ends ON domain_reports (ends_at);

CREATE TABLE dmarc_rows (
  organization_id text COLLATE "C" NOT NULL,
  domain_id       text COLLATE "C" NOT NULL,
  kind            text COLLATE "C" NOT NULL DEFAULT 'dmarc' CHECK (kind = 'dmarc'),
  digest          bytea NOT NULL,
  position        integer NOT NULL,
  day             date NOT NULL,
  -- Null: the smallest of very many, added up.
  source_ip       inet,
  messages        bigint NOT NULL CHECK (messages > 0),
  disposition     text COLLATE "C" NOT NULL CHECK (disposition IN ('none', 'quarantine', 'reject')),
  dkim_aligned    boolean NOT NULL,
  spf_aligned     boolean NOT NULL,
  header_from     text NOT NULL,
  envelope_from   text,
  dkim_domain     text,
  dkim_result     text COLLATE "C",
  spf_domain      text,
  spf_result      text COLLATE "C",
  PRIMARY KEY (organization_id, domain_id, digest, position),
  FOREIGN KEY (organization_id, domain_id, kind, digest) REFERENCES domain_reports ON DELETE CASCADE
);
CREATE INDEX dmarc_rows_day ON dmarc_rows (organization_id, domain_id, day);

CREATE TABLE tls_rows (
  organization_id text COLLATE "C" NOT NULL,
  domain_id       text COLLATE "C" NOT NULL,
  kind            text COLLATE "C" NOT NULL DEFAULT 'tls' CHECK (kind = 'tls'),
  digest          bytea NOT NULL,
  position        integer NOT NULL,
  day             date NOT NULL,
  policy_domain   text NOT NULL,
  policy_type     text COLLATE "C" NOT NULL,
  mx_host         text,
  -- Null: these sessions were well.
  failure         text COLLATE "C",
  sessions        bigint NOT NULL CHECK (sessions > 0),
  PRIMARY KEY (organization_id, domain_id, digest, position),
  FOREIGN KEY (organization_id, domain_id, kind, digest) REFERENCES domain_reports ON DELETE CASCADE
);
CREATE INDEX tls_rows_day ON tls_rows (organization_id, domain_id, day);

-- Reports wait with other mail that came in. More than before is allowed, so no row need be looked at.
ALTER TABLE inbound_messages ADD COLUMN domain_id text COLLATE "C";
ALTER TABLE inbound_messages DROP CONSTRAINT inbound_messages_mailbox_check;
ALTER TABLE inbound_messages
  ADD CONSTRAINT inbound_messages_mailbox_check
    CHECK (mailbox IN ('b', 'fbl', 'abuse', 'postmaster', 'unsubscribe', 'dmarc', 'tlsrpt')) NOT VALID;
