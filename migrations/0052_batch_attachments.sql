-- What is attached to every email of a batch, once for all of them. An email finds it by its batch_id, so no row of the
-- busy tables gets wider. Not in weeks, as a batch may be accepted on the border of two: it is removed when the content of
-- the batch's last email is.
CREATE TABLE batch_attachments (
  organization_id text COLLATE "C" NOT NULL,
  batch_id        text COLLATE "C" NOT NULL,
  position        smallint NOT NULL,
  -- Of the batch's first email: the others are of the minutes after it.
  created_at      timestamptz NOT NULL,
  filename        text NOT NULL,
  content_type    text NOT NULL,
  content_id      text,
  content         bytea NOT NULL,
  PRIMARY KEY (organization_id, batch_id, position)
);

-- What an email has attached, be it its own or its batch's. It has one or the other.
CREATE VIEW attached_files AS
SELECT organization_id, email_id, position, filename, content_type, content_id, content FROM email_attachments
UNION ALL
SELECT e.organization_id, e.id, b.position, b.filename, b.content_type, b.content_id, b.content
FROM emails e JOIN batch_attachments b ON b.organization_id = e.organization_id AND b.batch_id = e.batch_id;
