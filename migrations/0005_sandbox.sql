-- What the built-in receiver captured. Bounded per organization by the receiver itself.

CREATE TABLE sandbox_messages (
  organization_id text COLLATE "C" NOT NULL,
  id              uuid NOT NULL,
  email_id        uuid NOT NULL,
  position        smallint NOT NULL,
  size            integer NOT NULL,
  received_at     timestamptz NOT NULL,
  mail_from       text NOT NULL,
  rcpt_to         text NOT NULL,
  -- Read from the headers when the message came in, so that a list never parses mail.
  from_email      text NOT NULL,
  from_name       text,
  subject         text NOT NULL,
  raw             bytea NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX sandbox_messages_to ON sandbox_messages (organization_id, lower(rcpt_to), id);
-- Compressing mail that is soon thrown away would cost more than the bytes it saves.
ALTER TABLE sandbox_messages ALTER COLUMN raw SET STORAGE EXTERNAL;

-- Which greylisted deliveries were already turned away once.
CREATE TABLE sandbox_greylist (
  email_id   uuid NOT NULL,
  position   smallint NOT NULL,
  seen_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (email_id, position)
);
