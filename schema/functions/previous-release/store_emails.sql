-- previous-release: 0.1.0 needs this function, which accept_emails() calls. Drop the function after 2027-03-01, from release 0.3.0 on.
-- Later releases call store_new_emails().
CREATE OR REPLACE FUNCTION store_emails(
  mode text,
  organization_ids text[], email_ids uuid[], created float8[], priorities smallint[], track_opens boolean[],
  unsubscribable boolean[], scheduled float8[], expires_in integer[], from_emails text[], from_names text[],
  subjects text[], addresses jsonb[], tags jsonb[], metadata jsonb[], batch_ids text[], template_ids text[],
  template_versions integer[], searches text[], key_ids text[], unsubscribe_groups text[], texts_from_html boolean[],
  htmls text[], texts text[], headers jsonb[], template_data jsonb[], mimes bytea[],
  recipient_numbers integer[], positions smallint[], kinds text[], recipients text[],
  attachment_numbers integer[], attachment_positions smallint[], filenames text[], content_types text[],
  content_ids text[], attachments bytea[],
  due float8[], expiring float8[], sizes integer[], domains text[],
  event_ids uuid[]
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  modes   text[] := array_fill(mode, ARRAY[cardinality(email_ids)]);
  queued  text[] := array_fill('queued'::text, ARRAY[cardinality(event_ids)]);
  written integer;
BEGIN
  written := insert_emails(
    mode, organization_ids, email_ids, created, priorities, track_opens, unsubscribable, scheduled, expires_in,
    from_emails, from_names, subjects, addresses, tags, metadata, batch_ids, template_ids, template_versions, searches,
    key_ids, unsubscribe_groups, texts_from_html, htmls, texts, headers, template_data, mimes, recipient_numbers,
    positions,
    kinds, recipients, attachment_numbers, attachment_positions, filenames, content_types, content_ids, attachments);
  written := enqueue_deliveries(
    organization_ids, email_ids, priorities, due, expiring, sizes, modes, recipient_numbers, positions, domains);
  written := append_events(
    organization_ids, email_ids, created, recipient_numbers, event_ids, positions, recipients, queued,
    urls => NULL, holds => NULL);
  RETURN written;
END $$;
