-- What people see a template with while they edit it, in the order in which they wrote it. It is no part of a version:
-- mail never has it.
ALTER TABLE templates ADD COLUMN sample_data json;
