-- Mail by which recipients unsubscribe. More than before is allowed, so no row need be looked at.
ALTER TABLE inbound_messages DROP CONSTRAINT inbound_messages_mailbox_check;
ALTER TABLE inbound_messages ADD CONSTRAINT inbound_messages_mailbox_check
  CHECK (mailbox IN ('b', 'fbl', 'abuse', 'postmaster', 'unsubscribe')) NOT VALID;
