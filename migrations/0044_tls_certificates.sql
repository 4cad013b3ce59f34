-- Who the other end of an encrypted connection was, as far as its certificate says: {"verified", "policy", "issuer",
-- "problem"}. Null in clear, and before this was recorded; nothing is rewritten.
ALTER TABLE events ADD COLUMN tls_certificate jsonb;
ALTER TABLE attempts ADD COLUMN tls_certificate jsonb;
