-- Mail belongs to the mode it was accepted in: what the sandbox queued must never reach anybody, and what was meant for
-- the world must not end in the sandbox's inbox. Emails of before do not say, and are not sent again.
ALTER TABLE emails ADD COLUMN mode text COLLATE "C";
-- Nothing is in it yet: NOT VALID spares a scan of every email under a lock that keeps everybody out.
ALTER TABLE emails ADD CONSTRAINT emails_mode_check CHECK (mode IN ('sandbox', 'live')) NOT VALID;

-- What is queued already: live where DNS vouched for the sender, sandbox otherwise. No index: claims find their rows by
-- lane, and hardly ever see one of the other mode.
ALTER TABLE outbox ADD COLUMN mode text COLLATE "C" NOT NULL DEFAULT 'sandbox' CHECK (mode IN ('sandbox', 'live'));
ALTER TABLE outbox ALTER COLUMN mode DROP DEFAULT;

UPDATE outbox o SET mode = 'live'
FROM emails e
JOIN domains d ON d.organization_id = e.organization_id AND d.domain = split_part(e.from_email, '@', -1)
WHERE e.organization_id = o.organization_id AND e.id = o.email_id AND d.verified_in = 'live';

UPDATE emails e SET mode = o.mode
FROM (SELECT DISTINCT organization_id, email_id, mode FROM outbox) AS o
WHERE e.organization_id = o.organization_id AND e.id = o.email_id;
