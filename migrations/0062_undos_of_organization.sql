-- The organization is part of the key, also of what an undo has lifted, which is there only while it is under way.
ALTER TABLE lifted_suppressions
  DROP CONSTRAINT lifted_suppressions_undo_id_fkey,
  ADD COLUMN organization_id text COLLATE "C" NOT NULL DEFAULT '';

ALTER TABLE undos
  DROP CONSTRAINT undos_pkey,
  ADD CONSTRAINT undos_pkey PRIMARY KEY (id, organization_id);

UPDATE lifted_suppressions SET organization_id = undos.organization_id FROM undos WHERE undos.id = undo_id;

ALTER TABLE lifted_suppressions
  DROP CONSTRAINT lifted_suppressions_pkey,
  ADD CONSTRAINT lifted_suppressions_pkey PRIMARY KEY (undo_id, address, organization_id);
