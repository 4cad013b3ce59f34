-- previous-release: 0.1.0 needs this function, which store_emails() calls. Drop the function after 2027-03-01, from release 0.3.0 on.
-- Later releases call store_new_emails().
CREATE OR REPLACE FUNCTION insert_emails(
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
