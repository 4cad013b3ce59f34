-- The same in other languages, with the version: [{"locale": "pt-BR", "subject": …, "html": …, "text": …}]. And who made it.
ALTER TABLE template_versions
  ADD COLUMN translations jsonb,
  ADD COLUMN created_by text;
