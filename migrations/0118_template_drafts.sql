-- What somebody is working on, beside the version that is sent. At most one for each template; publishing it makes a version.
CREATE TABLE template_drafts (
  organization_id text COLLATE "C" NOT NULL,
  template_id     text COLLATE "C" NOT NULL,
  subject         text NOT NULL,
  html            text NOT NULL,
  text            text NOT NULL,
  variable_schema jsonb,
  layout_id       text COLLATE "C",
  partials        jsonb,
  translations    jsonb,
  -- What it is put together with, by id.
  uses            text[] COLLATE "C",
  -- The version it was begun from.
  based_on        integer NOT NULL,
  saved_at        timestamptz NOT NULL,
  saved_by        text,
  PRIMARY KEY (organization_id, template_id),
  FOREIGN KEY (organization_id, template_id) REFERENCES templates (organization_id, id)
);
CREATE INDEX template_drafts_uses ON template_drafts USING gin (uses) WHERE uses IS NOT NULL;
