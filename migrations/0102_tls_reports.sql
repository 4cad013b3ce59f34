-- What became of TLS with domains that want to know (RFC 8460), by day, and which of it was reported.
CREATE TABLE tls_reports (
  day      date NOT NULL,
  domain   text COLLATE "C" NOT NULL,
  -- Whoever reports it moves this ahead, and has until then.
  due_at   timestamptz NOT NULL,
  -- Kept for a while, so that what is counted late is not reported twice.
  ended_at timestamptz,
  PRIMARY KEY (day, domain)
);
CREATE INDEX tls_reports_due ON tls_reports (due_at) WHERE ended_at IS NULL;

CREATE TABLE tls_sessions (
  day         date NOT NULL,
  domain      text COLLATE "C" NOT NULL,
  policy_type text COLLATE "C" NOT NULL CHECK (policy_type IN ('tlsa', 'sts', 'no-policy-found')),
  -- Its lines, or the TLSA records; and their digest, because an index takes no long text.
  policy      text[] NOT NULL,
  policy_key  text COLLATE "C" NOT NULL,
  mx_host     text COLLATE "C" NOT NULL,
  -- Empty: these sessions were well.
  failure     text COLLATE "C" NOT NULL,
  -- Of one of them.
  mx_address  text,
  reason      text,
  sessions    bigint NOT NULL CHECK (sessions > 0),
  PRIMARY KEY (day, domain, policy_type, policy_key, mx_host, failure),
  FOREIGN KEY (day, domain) REFERENCES tls_reports ON DELETE CASCADE
);
