-- Writes everything that belongs to accepted emails except counters: emails, contents, attachments, recipients, outbox and
-- `queued` events. `organization_ids` has the organization of each email. A delivery without `due_at` is due now, by the clock
-- of the database, which also decides what is due. Contents are rows of their own, because each reading of rows copies them.
-- `email_streams` has the stream of each email, or is null where all are of the stream `transactional`.
CREATE OR REPLACE FUNCTION store_new_emails(
  mode text, organization_ids text[], emails new_email[], email_streams text[], contents new_content[],
  recipients new_recipient[], attachments new_attachment[]
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  email_ids uuid[];
  created   float8[];
  events    record;
BEGIN
  INSERT INTO emails (organization_id, id, status, priority, track_opens, unsubscribe, created_at, updated_at, scheduled_at,
                      expires_in, from_email, from_name, subject, addresses, options, tags, metadata, batch_id, template_id,
                      template_version, search, api_key_id, unsubscribe_group, text_from_html, mode, stream)
  SELECT organization_ids[new.ordinality], new.id, 'queued', new.priority, new.track_opens, new.unsubscribe, new.created_at,
         new.created_at, new.scheduled_at, new.expires_in, new.from_email, new.from_name, new.subject, new.addresses,
         new.options, new.tags, new.metadata, new.batch_id, new.template_id, new.template_version, new.search, new.api_key_id,
         new.unsubscribe_group, new.text_from_html, mode, email_streams[new.ordinality]
  FROM unnest(emails) WITH ORDINALITY AS new;

  INSERT INTO email_contents (organization_id, email_id, html, text, headers, template_data, mime)
  SELECT organization_ids[new.ordinality], (emails[new.ordinality]).id, new.html, new.text, new.headers, new.template_data,
         new.mime
  FROM unnest(contents) WITH ORDINALITY AS new;

  IF attachments IS NOT NULL THEN
    INSERT INTO email_attachments (organization_id, email_id, position, filename, content_type, content_id, content)
    SELECT organization_ids[new.email_number], (emails[new.email_number]).id, new.position, new.filename, new.content_type,
           new.content_id, new.content
    FROM unnest(attachments) AS new;
  END IF;

  INSERT INTO recipients (organization_id, email_id, position, kind, address, state, updated_at)
  SELECT organization_ids[new.email_number], (emails[new.email_number]).id, new.position, new.kind, new.address, 'queued',
         (emails[new.email_number]).created_at
  FROM unnest(recipients) AS new;

  INSERT INTO outbox (organization_id, email_id, position, domain, priority, due_at, expires_at, size, mode)
  SELECT organization_ids[new.email_number], (emails[new.email_number]).id, new.position, new.domain,
         (emails[new.email_number]).priority, coalesce((emails[new.email_number]).due_at, now()),
         (emails[new.email_number]).expires_at, (emails[new.email_number]).size, mode
  FROM unnest(recipients) AS new;

  SELECT array_agg(new.id), array_agg(extract(epoch FROM new.created_at) * 1000) INTO email_ids, created
  FROM unnest(emails) AS new;
  SELECT array_agg(new.email_number) AS numbers, array_agg(new.event_id) AS ids, array_agg(new.position) AS positions,
         array_agg(new.address) AS addresses, array_agg('queued'::text) AS types INTO events
  FROM unnest(recipients) AS new;
  RETURN append_events(
    organization_ids, email_ids, created, events.numbers, events.ids, events.positions, events.addresses, events.types,
    urls => NULL, holds => NULL);
END $$;
