-- What lists find and count with, and how long mail is kept.

-- Hashes of what an email can be searched by (emails/lists/search-tokens.ts makes them): its sender, its
-- recipients, its tags and pieces of its subject. Null: accepted by a version that made none.
ALTER TABLE emails ADD COLUMN search int4[];

-- Accept must stay fast, so an email enters the indexes below when it is settled and not when it is accepted.
-- Until then it is in emails_unsettled, which is cheap to enter; whoever searches looks there as well.
CREATE INDEX emails_unsettled ON emails (organization_id, id) WHERE status = 'queued' OR search IS NULL;
CREATE INDEX emails_by_status ON emails (organization_id, status, id) WHERE status <> 'queued';
-- A short list of what is still to be sorted in, so that sorting it in never stops a worker for long.
CREATE INDEX emails_by_search ON emails USING gin (search) WITH (gin_pending_list_limit = 1024)
  WHERE status <> 'queued';

ALTER TABLE email_counts
  -- How many of them retention has removed since: `count` stays for the statistics, lists show the difference.
  ADD COLUMN removed bigint NOT NULL DEFAULT 0,
  -- Goes up with every move, so that what was counted for a day is known to hold still, or not.
  ADD COLUMN version bigint NOT NULL DEFAULT 0;

-- How long an organization's mail is kept, in days; 0 is for ever. No row: the defaults.
CREATE TABLE retention_settings (
  organization_id text COLLATE "C" PRIMARY KEY REFERENCES organizations (id),
  content_days    integer NOT NULL CHECK (content_days >= 0),
  email_days      integer NOT NULL CHECK (email_days >= 0),
  updated_at      timestamptz NOT NULL
);
