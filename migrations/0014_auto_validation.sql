-- Whether recipients are validated when an email is accepted, and how strictly.

ALTER TABLE organizations
  ADD COLUMN auto_validation text COLLATE "C" NOT NULL DEFAULT 'off'
  CHECK (auto_validation IN ('off', 'high', 'medium'));
