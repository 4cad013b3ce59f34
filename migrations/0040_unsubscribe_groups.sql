-- An unsubscription stops mail of one group, which the email names; null in a suppression: it stops all mail, as every
-- entry did before.
ALTER TABLE emails ADD COLUMN unsubscribe_group text COLLATE "C";

-- The key of such an entry is the address's and the group (`ada@example.org news`), so that the one index of addresses keeps
-- entries apart and answers at every send, also for mail of a group.
ALTER TABLE suppressions ADD COLUMN unsubscribe_group text COLLATE "C",
  ADD CHECK (unsubscribe_group IS NULL OR reason = 'unsubscribe');

-- What an address has unsubscribed from, for people who ask and for erasing it. Written by unsubscriptions alone.
CREATE INDEX suppressions_of_groups ON suppressions (organization_id, (left(key, -(length(unsubscribe_group) + 1))))
  WHERE unsubscribe_group IS NOT NULL;

-- More than before is allowed, so no row need be looked at.
ALTER TABLE events DROP CONSTRAINT events_type_check;
ALTER TABLE events ADD CONSTRAINT events_type_check CHECK (
  type IN ('queued', 'processing', 'delivered', 'opened', 'bounced', 'deferred', 'failed', 'complained', 'unsubscribed',
           'rejected')) NOT VALID;
