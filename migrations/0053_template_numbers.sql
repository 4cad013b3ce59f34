-- A number for each template beside its id, for clients of other services that know templates by one. It is unique in the
-- installation and never given again. Whoever looks a template up by it says the organization, too.
ALTER TABLE templates ADD COLUMN number integer GENERATED ALWAYS AS IDENTITY;
CREATE UNIQUE INDEX templates_number ON templates (number);
