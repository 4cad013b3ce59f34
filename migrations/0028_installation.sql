-- Mail to our own users (invites, password resets, notices) is the installation's: an organization without keys,
-- members and domains has it, so that it is in nobody's lists, events, webhooks, statistics or searches.

INSERT INTO organizations (id, name, daily_limit, created_at) VALUES ('org_0000000000000', 'Installation', 0, now());

ALTER TABLE api_keys ADD CONSTRAINT api_keys_not_of_installation CHECK (organization_id <> 'org_0000000000000');
ALTER TABLE memberships ADD CONSTRAINT memberships_not_of_installation CHECK (organization_id <> 'org_0000000000000');
ALTER TABLE invites ADD CONSTRAINT invites_not_of_installation CHECK (organization_id <> 'org_0000000000000');
ALTER TABLE domains ADD CONSTRAINT domains_not_of_installation CHECK (organization_id <> 'org_0000000000000');
ALTER TABLE webhook_endpoints
  ADD CONSTRAINT webhook_endpoints_not_of_installation CHECK (organization_id <> 'org_0000000000000');

-- Its links are worth nothing after a week at the latest.
INSERT INTO retention_settings (organization_id, content_days, email_days, updated_at)
VALUES ('org_0000000000000', 1, 30, now());
