-- The organization is part of the key.
ALTER TABLE webhook_endpoints
  DROP CONSTRAINT webhook_endpoints_pkey,
  ADD CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id, organization_id);
