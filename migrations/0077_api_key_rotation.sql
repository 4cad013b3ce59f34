-- A key that was rotated works for a while beside the one that takes its place.
ALTER TABLE api_keys ADD COLUMN replaced_by text COLLATE "C";
