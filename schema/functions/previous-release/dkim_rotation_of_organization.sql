-- previous-release: 0.1.0 needs this trigger. Drop both after 2027-03-01, from release 0.3.0 on.
-- Later releases write the organization of every row of dkim_rotations; 0.1.0 leaves it null.
CREATE OR REPLACE FUNCTION dkim_rotation_of_organization() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.organization_id := (SELECT organization_id FROM domains WHERE id = NEW.domain_id);
  RETURN NEW;
END $$;
