-- A name of the organization's own for a template, to send it by. No alias looks like an id, so that either is found by
-- its own index. Deleting a template frees its alias.
ALTER TABLE templates ADD COLUMN alias text COLLATE "C"
  CHECK (alias ~ '^[A-Za-z0-9._-]{1,64}$' AND NOT starts_with(alias, 'tmpl_'));
CREATE UNIQUE INDEX templates_alias ON templates (organization_id, alias) WHERE alias IS NOT NULL;
