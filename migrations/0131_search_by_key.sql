-- Mail from before gets the hash of the API key that it was sent with, by the chore that gave it the others (0084): all of it is
-- gone through once more. The hour is for processes of the version before, which still store mail without that hash.
UPDATE search_backfill SET week = NULL, organization_id = NULL, email_id = NULL, due_at = now() + interval '1 hour';
INSERT INTO search_backfill (due_at)
SELECT now() + interval '1 hour'
WHERE EXISTS (SELECT FROM emails WHERE api_key_id IS NOT NULL) AND NOT EXISTS (SELECT FROM search_backfill);
