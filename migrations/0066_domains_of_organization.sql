-- contract: 0053
-- The organization is part of the keys of domains, and of their rotations, which learn whose they are. Nothing that was refused
-- before is allowed now but the same selector in two organizations, and nothing that was allowed is refused.
ALTER TABLE dkim_rotations
  DROP CONSTRAINT dkim_rotations_domain_id_fkey,
  ADD COLUMN organization_id text COLLATE "C";

ALTER TABLE domains
  DROP CONSTRAINT domains_pkey,
  ADD CONSTRAINT domains_pkey PRIMARY KEY (id, organization_id),
  DROP CONSTRAINT domains_selector_key,
  ADD CONSTRAINT domains_selector_key UNIQUE (organization_id, selector);

UPDATE dkim_rotations SET organization_id = domains.organization_id FROM domains WHERE domains.id = domain_id;

ALTER TABLE dkim_rotations
  DROP CONSTRAINT dkim_rotations_pkey,
  ADD CONSTRAINT dkim_rotations_pkey PRIMARY KEY (domain_id, organization_id),
  DROP CONSTRAINT dkim_rotations_selector_key,
  ADD CONSTRAINT dkim_rotations_selector_key UNIQUE (organization_id, selector),
  ADD CONSTRAINT dkim_rotations_domain_id_fkey FOREIGN KEY (domain_id, organization_id)
    REFERENCES domains (id, organization_id) ON DELETE CASCADE;

-- For code of before, which names the domain alone. The version after this one does without both.
CREATE UNIQUE INDEX dkim_rotations_of_domain ON dkim_rotations (domain_id);

CREATE FUNCTION dkim_rotation_of_organization() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.organization_id := (SELECT organization_id FROM domains WHERE id = NEW.domain_id);
  RETURN NEW;
END $$;
CREATE TRIGGER dkim_rotation_of_organization BEFORE INSERT ON dkim_rotations
  FOR EACH ROW WHEN (NEW.organization_id IS NULL) EXECUTE FUNCTION dkim_rotation_of_organization();
