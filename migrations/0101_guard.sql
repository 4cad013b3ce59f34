-- Holds that the guard places: of one template version (or one sender's domain) to one provider, and of mail to one address.
-- As much work as the version before can do with them: it knows no such scope, and holds nothing by it.
ALTER TABLE holds DROP CONSTRAINT holds_scope_check;
ALTER TABLE holds ADD CONSTRAINT holds_scope_check
  CHECK (scope IN ('all', 'organization', 'domain', 'template', 'tag', 'provider', 'lane', 'recipient'));

ALTER TABLE organizations ADD COLUMN guard boolean NOT NULL DEFAULT true;
