-- contract: 0053
-- Code that knows the number looks it up with the organization. It is taken from one sequence all the same.
DROP INDEX templates_number;
CREATE UNIQUE INDEX templates_number ON templates (organization_id, number);
