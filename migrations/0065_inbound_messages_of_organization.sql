-- Mail to an address that anybody knows is the installation's, until somebody has read whose it is about.
ALTER TABLE inbound_messages DROP CONSTRAINT inbound_messages_check1;
UPDATE inbound_messages SET organization_id = 'org_0000000000000' WHERE organization_id IS NULL;
ALTER TABLE inbound_messages
  DROP CONSTRAINT inbound_messages_pkey,
  ADD CONSTRAINT inbound_messages_pkey PRIMARY KEY (id, organization_id);

-- Code of before says that it is nobody's.
CREATE FUNCTION inbound_of_installation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.organization_id := 'org_0000000000000';
  RETURN NEW;
END $$;
CREATE TRIGGER inbound_of_installation BEFORE INSERT ON inbound_messages
  FOR EACH ROW WHEN (NEW.organization_id IS NULL) EXECUTE FUNCTION inbound_of_installation();
