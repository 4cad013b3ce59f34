-- What webhooks were told to need attention, until it is over. `subject`: the id or name of what it is about, or nothing.

CREATE TABLE attention_notices (
  organization_id text COLLATE "C" NOT NULL,
  kind            text COLLATE "C" NOT NULL,
  subject         text COLLATE "C" NOT NULL,
  severity        text COLLATE "C" NOT NULL,
  raised_at       timestamptz NOT NULL,
  seen_at         timestamptz NOT NULL,
  PRIMARY KEY (organization_id, kind, subject)
);
