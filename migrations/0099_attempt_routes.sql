-- Which way an attempt took, and why; null where no route table said.
ALTER TABLE attempts ADD COLUMN route jsonb;
