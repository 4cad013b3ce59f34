-- Addresses and domains whose mail the guard never slows, as the organization lists them.
ALTER TABLE organizations ADD COLUMN guard_allow text[] NOT NULL DEFAULT '{}';
