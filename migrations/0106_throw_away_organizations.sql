-- Organizations of one test run, in the sandbox: they go by themselves.
ALTER TABLE organizations ADD COLUMN expires_at timestamptz;
CREATE INDEX organizations_expiring ON organizations (expires_at) WHERE expires_at IS NOT NULL;
