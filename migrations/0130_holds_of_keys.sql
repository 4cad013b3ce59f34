-- A hold of what was sent with one API key. Workers of earlier releases do not know the scope: they send mail that such a hold
-- covers, and would discard the whole queue of the organization when the hold is discarded. So workers now say which schema they
-- know, and such a hold is not discarded while a worker runs that does not know this migration.
ALTER TABLE holds DROP CONSTRAINT holds_scope_check;
ALTER TABLE holds ADD CONSTRAINT holds_scope_check
  CHECK (scope IN ('all', 'organization', 'domain', 'template', 'tag', 'key', 'provider', 'lane', 'recipient'));
ALTER TABLE workers ADD COLUMN schema integer;
