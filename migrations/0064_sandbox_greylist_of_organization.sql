-- Whose delivery was turned away. Code of before does not say so, and finds what it wrote itself; such rows are forgotten after
-- 14 days.
ALTER TABLE sandbox_greylist
  ADD COLUMN organization_id text COLLATE "C" NOT NULL DEFAULT '',
  DROP CONSTRAINT sandbox_greylist_pkey,
  ADD CONSTRAINT sandbox_greylist_pkey PRIMARY KEY (email_id, position, organization_id);
