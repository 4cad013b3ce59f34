-- The API key that handed an email in: what a key of scope `send` may ask about, and what ends with a key that is
-- revoked. Null for people, for the installation's own mail and for what was accepted before. No index: an email is
-- found by its id, and then compared.
ALTER TABLE emails ADD COLUMN api_key_id text COLLATE "C";
