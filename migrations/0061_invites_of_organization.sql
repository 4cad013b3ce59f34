-- The organization is part of the key.
ALTER TABLE invites
  DROP CONSTRAINT invites_pkey,
  ADD CONSTRAINT invites_pkey PRIMARY KEY (id, organization_id);
