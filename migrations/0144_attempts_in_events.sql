-- The event of an outcome holds its attempt, and where the attempt's start was recorded with it, the `processing` event, too.
ALTER TABLE events ADD COLUMN started_at timestamptz;
ALTER TABLE events ADD COLUMN duration_ms integer;
ALTER TABLE events ADD COLUMN rule text COLLATE "C";
ALTER TABLE events ADD COLUMN attempt_reason text COLLATE "C";
ALTER TABLE events ADD COLUMN detail text;
ALTER TABLE events ADD COLUMN detail_is_reply boolean;
ALTER TABLE events ADD COLUMN conversation text;
ALTER TABLE events ADD COLUMN route jsonb;
ALTER TABLE events ADD COLUMN evidence bytea;
COMMENT ON COLUMN events.started_at IS
  'The time of the processing event of this attempt, which has no row of its own: its id is this id with an even last digit. Null where it has one.';
COMMENT ON COLUMN events.duration_ms IS
  'How long the attempt took. Null for events that are not outcomes of attempts, and where the attempt is in the table attempts.';
COMMENT ON COLUMN events.rule IS
  'The rule of the failure policy that decided.';
COMMENT ON COLUMN events.attempt_reason IS
  'The reason of the attempt itself where it differs from that of the event, as for a delivery that has expired.';
COMMENT ON COLUMN events.detail IS
  'What the server or Postrider said about the attempt.';
COMMENT ON COLUMN events.detail_is_reply IS
  'True where the detail is smtp_message, which is stored once.';
COMMENT ON COLUMN events.conversation IS
  'SMTP commands and replies, one per line, without content and credentials. Null where there was no connection.';
COMMENT ON COLUMN events.route IS
  'The transport that the attempt used and the rule that chose it. Null where the route table was empty.';
COMMENT ON COLUMN events.evidence IS
  'Hash, size and DKIM signatures of the message that the server accepted, packed. Null where none was accepted.';
COMMENT ON TABLE attempts IS
  'Reports about deliveries that arrived by mail, and attempts of earlier releases. Attempts are in events.';
