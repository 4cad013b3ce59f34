-- previous-release: 0.1.0 needs this trigger. Drop both after 2027-03-01, from release 0.3.0 on.
-- Later releases write the organization of every row of inbound_messages; 0.1.0 leaves it null.
CREATE OR REPLACE FUNCTION inbound_of_installation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.organization_id := 'org_0000000000000';
  RETURN NEW;
END $$;
