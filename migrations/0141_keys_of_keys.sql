-- The key whose request created this key, so that keys of programs can be told from those of people.
ALTER TABLE api_keys ADD COLUMN created_by_key text COLLATE "C";
COMMENT ON COLUMN api_keys.created_by_key IS 'The API key whose request created this key; null for keys of people and of the operator.';
