-- Whether what style sheets say is written into the elements that they mean.
ALTER TABLE template_versions ADD COLUMN inline_css boolean NOT NULL DEFAULT false;
ALTER TABLE template_drafts ADD COLUMN inline_css boolean NOT NULL DEFAULT false;
