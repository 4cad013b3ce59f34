-- The layout of a version, and what the names of partials in it mean: {"footer": "tmpl_…"}. With the versions of those that an
-- email was accepted with (in `emails.addresses`), it renders to the same bytes whatever becomes of them.
ALTER TABLE template_versions
  ADD COLUMN layout_id text COLLATE "C",
  ADD COLUMN partials jsonb;
