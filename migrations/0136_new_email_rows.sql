-- The rows that accept_new_emails() takes, and a column of its own for the options that stood in `emails.addresses`. No release
-- before this one knows those options, so nothing has to write them in both places.
CREATE TYPE new_email AS (
  id uuid, created_at timestamptz, priority smallint, size integer, expires_at timestamptz, due_at timestamptz,
  track_opens boolean, unsubscribe boolean, unsubscribe_group text, scheduled_at timestamptz, expires_in integer,
  from_email text, from_name text, subject text, addresses jsonb, options jsonb, tags jsonb, metadata jsonb, batch_id text,
  template_id text, template_version integer, search integer[], api_key_id text, text_from_html boolean
);
COMMENT ON TYPE new_email IS
  'An accepted email without its organization and its content. Its size, expires_at and due_at are those of its deliveries.';

CREATE TYPE new_content AS (html text, text text, headers jsonb, template_data jsonb, mime bytea);
COMMENT ON TYPE new_content IS
  'The content of the email at the same place.';

CREATE TYPE new_recipient AS (
  email_number integer, position smallint, kind text, address text, domain text, event_id uuid
);
COMMENT ON TYPE new_recipient IS
  'A recipient of the email with this number among those of the same call, from 1, with its delivery and its queued event.';

CREATE TYPE new_attachment AS (
  email_number integer, position smallint, filename text, content_type text, content_id text, content bytea
);
COMMENT ON TYPE new_attachment IS
  'A file of the email with this number among those of the same call, from 1.';

ALTER TABLE emails ADD COLUMN options jsonb;
COMMENT ON COLUMN emails.options IS
  'JSON: options that need no column of their own: collapse_key, track_clicks, tls, built_with (versions of layout and partials), locale, origin, receive_replies. Null: none, or an email accepted before this column, which has them in addresses.';
COMMENT ON COLUMN emails.addresses IS
  'JSON: to, cc, bcc, reply_to and reply_to_more as the request named them. Emails accepted before the column options have the options here.';
