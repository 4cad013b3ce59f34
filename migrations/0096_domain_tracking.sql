-- What a domain has instead of its organization's settings about tracking (null: as the organization), and the host that its
-- links are on instead of the installation's.
CREATE TABLE domain_tracking (
  organization_id text COLLATE "C" NOT NULL,
  domain_id       text COLLATE "C" NOT NULL,
  track_opens     boolean,
  track_clicks    text COLLATE "C" CHECK (track_clicks IN ('off', 'html', 'html_and_text')),
  host            text COLLATE "C",
  -- DNS leads from the host to us: it may have a certificate.
  host_points     boolean NOT NULL DEFAULT false,
  -- And it answers as ours: links may be on it.
  host_answers    boolean NOT NULL DEFAULT false,
  -- What the last look at it found; null: nobody has looked.
  host_check      jsonb,
  host_checked_at timestamptz,
  -- Looks in a row that found something wrong; they become rarer.
  host_failures   integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, domain_id),
  FOREIGN KEY (domain_id, organization_id) REFERENCES domains (id, organization_id) ON DELETE CASCADE
);

-- Who asks about a host knows nothing but its name.
CREATE INDEX domain_tracking_hosts ON domain_tracking (host) WHERE host IS NOT NULL;
