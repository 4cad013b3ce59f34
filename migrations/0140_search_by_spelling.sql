-- Existing mail gets the hashes of other spellings (mueller for Müller) by the chore that added the others (0084, 0131).
-- The hour is for processes of the previous version, which still store mail without these hashes.
UPDATE search_backfill SET week = NULL, organization_id = NULL, email_id = NULL, due_at = now() + interval '1 hour';
INSERT INTO search_backfill (due_at)
SELECT now() + interval '1 hour'
WHERE EXISTS (SELECT FROM emails) AND NOT EXISTS (SELECT FROM search_backfill);
