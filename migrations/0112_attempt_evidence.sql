-- What a server took, so that it can be proven later: the hash and the size of the message, and its DKIM signatures, packed (src/events/evidence.ts).
-- Null where nothing was taken.
ALTER TABLE attempts ADD COLUMN evidence bytea;
