-- Whose this database (or schema) is, and which of its cells: written once, by whoever brings it up to date first as what
-- the configuration calls it. Addresses say nothing: two of them may lead to the same place.

CREATE TABLE cell_identity (
  is_only         boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- Made by control when it is first used; the same in every cell.
  installation_id uuid NOT NULL,
  cell            text COLLATE "C" NOT NULL CHECK (length(cell) BETWEEN 1 AND 40)
);
