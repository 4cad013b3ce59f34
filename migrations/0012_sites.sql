-- A site is where mail really goes: the mail hosts that many domains may share. What a site cannot take now is
-- known of the site and not written into the rows of its mail, so that 100,000 of them wait at no cost.

-- Only sites with something to say: paused by an operator, not to be tried before a time, or to be sent to slowly.
CREATE TABLE sites (
  name          text COLLATE "C" PRIMARY KEY,
  paused_at     timestamptz,
  -- Not to be tried before. In the past: one delivery may try whether it works again.
  blocked_until timestamptz,
  -- How often in a row it was blocked: what the next wait grows with.
  blocks        integer NOT NULL DEFAULT 0,
  -- To be sent to slowly until then.
  slow_until    timestamptz,
  -- Why, from the closed list of outcome reasons, and in the server's words.
  reason        text,
  detail        text,
  updated_at    timestamptz NOT NULL DEFAULT now(),
  CHECK (paused_at IS NOT NULL OR blocked_until IS NOT NULL OR slow_until IS NOT NULL)
);

-- Which site mail for a domain went to when a worker last looked. For people and numbers; routing asks DNS.
CREATE TABLE site_domains (
  domain   text COLLATE "C" PRIMARY KEY,
  site     text COLLATE "C" NOT NULL,
  provider text NOT NULL,
  seen_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX site_domains_by_site ON site_domains (site);

-- What a claim walks: a lane is the waiting mail of one organization to one domain with one priority.
DROP INDEX outbox_waiting;
CREATE INDEX outbox_lanes ON outbox (domain, organization_id, priority, due_at) WHERE worker IS NULL;
-- What became due since the last look, whichever lane it is in.
CREATE INDEX outbox_due ON outbox (due_at) WHERE worker IS NULL;
-- What is to be given up, also where nothing is claimed because the site takes nothing.
CREATE INDEX outbox_expiry ON outbox (expires_at) WHERE worker IS NULL;
