-- A message that was submitted whole, as its sender wrote it; html, text and headers are null then.
ALTER TABLE email_contents ADD COLUMN mime bytea;

-- The functions that write it, each as it was but for `mimes`.
DROP FUNCTION accept_emails;
DROP FUNCTION store_emails;
DROP FUNCTION insert_emails;

CREATE FUNCTION insert_emails(
  mode text,
  -- One for each email.
  organization_ids text[], email_ids uuid[], created float8[], priorities smallint[], track_opens boolean[],
  unsubscribable boolean[], scheduled float8[], expires_in integer[], from_emails text[], from_names text[],
  subjects text[], addresses jsonb[], tags jsonb[], metadata jsonb[], batch_ids text[], template_ids text[],
  template_versions integer[], searches text[], key_ids text[], unsubscribe_groups text[], texts_from_html boolean[],
  htmls text[], texts text[], headers jsonb[], template_data jsonb[], mimes bytea[],
  -- One for each recipient.
  recipient_numbers integer[], positions smallint[], kinds text[], recipients text[],
  -- One for each attachment.
  attachment_numbers integer[], attachment_positions smallint[], filenames text[], content_types text[],
  content_ids text[], attachments bytea[]
) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO emails (organization_id, id, status, priority, track_opens, unsubscribe, created_at, updated_at, scheduled_at,
                      expires_in, from_email, from_name, subject, addresses, tags, metadata, batch_id, template_id,
                      template_version, search, api_key_id, unsubscribe_group, text_from_html, mode)
  SELECT organization_ids[i], new.id, 'queued', priorities[i], track_opens[i], unsubscribable[i],
         to_timestamp(created[i] / 1000.0), to_timestamp(created[i] / 1000.0), to_timestamp(scheduled[i] / 1000.0),
         expires_in[i], from_emails[i], from_names[i], subjects[i], addresses[i],
         tags[i], metadata[i], batch_ids[i], template_ids[i], template_versions[i],
         searches[i]::integer[], key_ids[i], unsubscribe_groups[i], texts_from_html[i], mode
  FROM unnest(email_ids) WITH ORDINALITY AS new(id, i);

  INSERT INTO email_contents (organization_id, email_id, html, text, headers, template_data, mime)
  SELECT organization_ids[i], new.id, htmls[i], texts[i], headers[i], template_data[i], mimes[i]
  FROM unnest(email_ids) WITH ORDINALITY AS new(id, i);

  IF attachments IS NOT NULL THEN
    INSERT INTO email_attachments (organization_id, email_id, position, filename, content_type, content_id, content)
    SELECT organization_ids[n], email_ids[n], attachment_positions[i], filenames[i], content_types[i], content_ids[i],
           attachments[i]
    FROM unnest(attachment_numbers) WITH ORDINALITY AS new(n, i);
  END IF;

  INSERT INTO recipients (organization_id, email_id, position, kind, address, state, updated_at)
  SELECT organization_ids[n], email_ids[n], positions[i], kinds[i], recipients[i], 'queued',
         to_timestamp(created[n] / 1000.0)
  FROM unnest(recipient_numbers) WITH ORDINALITY AS new(n, i);
  RETURN cardinality(email_ids);
END $$;

-- Everything that belongs to emails but their counters.
CREATE FUNCTION store_emails(
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
    organization_ids, email_ids, created, recipient_numbers, event_ids, positions, recipients, queued);
  RETURN written;
END $$;

-- Accepts all of these emails, or answers which senders may not send and which recipients are on the list (by place) and
-- writes nothing. Counters move last, because each stays locked from then to the commit.
CREATE FUNCTION accept_emails(
  sender_ids text[], sender_domains text[], asked_keys text[], asked_hashes text[],
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
  event_ids uuid[],
  request_organizations text[], request_keys text[], runs uuid[], statuses smallint[], answers jsonb[],
  usage_organizations text[], usage_days date[], usage_recipients integer[],
  used_organizations text[], used_templates text[], used_days date[], uses integer[],
  count_organizations text[], count_days date[], count_statuses text[], count_moves bigint[],
  hour_organizations text[], hours timestamptz[], hour_accepted integer[],
  OUT unverified integer[], OUT suppressed integer[]
) LANGUAGE plpgsql AS $$
DECLARE
  written integer;
  rooms   jsonb;
BEGIN
  unverified := unverified_senders(sender_ids, sender_domains);
  suppressed := suppressed_among(asked_keys, asked_hashes);
  IF unverified IS NOT NULL OR suppressed IS NOT NULL THEN
    RETURN;
  END IF;
  written := store_emails(
    mode, organization_ids, email_ids, created, priorities, track_opens, unsubscribable, scheduled, expires_in,
    from_emails, from_names, subjects, addresses, tags, metadata, batch_ids, template_ids, template_versions, searches,
    key_ids, unsubscribe_groups, texts_from_html, htmls, texts, headers, template_data, mimes, recipient_numbers,
    positions,
    kinds, recipients, attachment_numbers, attachment_positions, filenames, content_types, content_ids, attachments,
    due, expiring, sizes, domains, event_ids);
  IF request_keys IS NOT NULL THEN
    written := complete_requests(request_organizations, request_keys, runs, statuses, answers);
  END IF;
  rooms := count_usage(usage_organizations, usage_days, usage_recipients, must_fit => true);
  IF used_templates IS NOT NULL THEN
    written := count_template_use(used_organizations, used_templates, used_days, uses);
  END IF;
  written := move_email_counts(count_organizations, count_days, count_statuses, count_moves);
  written := move_hourly_counts(hour_organizations, hours, hour_accepted);
END $$;
