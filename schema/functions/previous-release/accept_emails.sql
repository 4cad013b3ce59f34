-- previous-release: 0.1.0 calls this function. Drop the function after 2027-03-01, from release 0.3.0 on.
-- Later releases call accept_new_emails(), which takes rows and recognises repeated requests without an error.
CREATE OR REPLACE FUNCTION accept_emails(
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
  IF tags IS NOT NULL THEN
    written := count_streams(organization_ids, created, tags);
  END IF;
END $$;
