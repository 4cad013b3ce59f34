-- The organization becomes part of every key of what is an organization's (docs/decisions/0039-organization-in-every-key.md). It
-- comes last: whoever looks for an id alone goes on finding it by the same index.
ALTER TABLE api_keys
  DROP CONSTRAINT api_keys_pkey,
  ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id, organization_id);
