-- A hold of what was sent with one API key. The version before knows no such scope, and holds nothing by it.
ALTER TABLE holds DROP CONSTRAINT holds_scope_check;
ALTER TABLE holds ADD CONSTRAINT holds_scope_check
  CHECK (scope IN ('all', 'organization', 'domain', 'template', 'tag', 'key', 'provider', 'lane', 'recipient'));
