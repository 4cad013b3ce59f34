-- Templates that others are put together with: a layout goes around a template, a partial stands in it by its alias.
ALTER TABLE templates ADD COLUMN kind text NOT NULL DEFAULT 'template'
  CHECK (kind IN ('template', 'layout', 'partial'));
-- What the current version is put together with, by id: what is in use is not deleted.
ALTER TABLE templates ADD COLUMN uses text[] COLLATE "C";
CREATE INDEX templates_uses ON templates USING gin (uses) WHERE uses IS NOT NULL;
