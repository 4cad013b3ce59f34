-- Saved templates. Every save makes a version that never changes again; an email keeps the version it was
-- accepted with, so a later edit changes nothing that is queued or scheduled.

CREATE TABLE templates (
  organization_id text COLLATE "C" NOT NULL REFERENCES organizations (id),
  id              text COLLATE "C" NOT NULL,
  name            text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  -- The subject of the current version, for lists and search.
  subject         text NOT NULL,
  version         integer NOT NULL CHECK (version > 0),
  is_active       boolean NOT NULL DEFAULT true,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX templates_newest ON templates (organization_id, created_at DESC, id DESC);

CREATE TABLE template_versions (
  organization_id text COLLATE "C" NOT NULL,
  template_id     text COLLATE "C" NOT NULL,
  version         integer NOT NULL CHECK (version > 0),
  subject         text NOT NULL,
  html            text NOT NULL,
  text            text NOT NULL,
  variable_schema jsonb,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, template_id, version),
  FOREIGN KEY (organization_id, template_id) REFERENCES templates (organization_id, id)
);

-- How many emails were accepted from a template on a day: what its usage is told from.
CREATE TABLE template_counts (
  organization_id text COLLATE "C" NOT NULL,
  template_id     text COLLATE "C" NOT NULL,
  day             date NOT NULL,
  count           integer NOT NULL,
  PRIMARY KEY (organization_id, template_id, day)
) WITH (fillfactor = 50);

-- What a batch's progress is told from.
CREATE INDEX emails_by_batch ON emails (organization_id, batch_id, id) WHERE batch_id IS NOT NULL;
