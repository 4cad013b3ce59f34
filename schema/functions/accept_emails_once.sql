-- Accepts a commit of emails: checks senders and suppressions, writes every row, completes the requests and moves the counters.
-- If a check refuses anything, nothing is written and the answer names the refused places: requests that were accepted
-- before, senders that may not send, recipients on the suppression list. Keys of requests and counters come last, because
-- their rows stay locked until the commit.
-- Columns come as arrays with one element per row; null instead of an array is a column of nulls. Times are milliseconds
-- since 1970. The parameters are those of the functions that this one calls.
CREATE OR REPLACE FUNCTION accept_emails_once(
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
  OUT unverified integer[], OUT suppressed integer[], OUT repeated integer[]
) LANGUAGE plpgsql AS $$
DECLARE
  written integer;
  rooms   jsonb;
BEGIN
  IF request_keys IS NOT NULL THEN
    repeated := repeated_requests(request_organizations, request_keys, runs);
  END IF;
  unverified := unverified_senders(sender_ids, sender_domains);
  suppressed := suppressed_among(asked_keys, asked_hashes);
  IF repeated IS NOT NULL OR unverified IS NOT NULL OR suppressed IS NOT NULL THEN
    RETURN;
  END IF;
  -- Another process may be accepting the same request: its commit is waited for here, and what was stored is undone.
  BEGIN
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
  EXCEPTION WHEN SQLSTATE 'PR002' THEN
    repeated := repeated_requests(request_organizations, request_keys, runs);
    IF repeated IS NULL THEN
      RAISE;
    END IF;
    RETURN;
  END;
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
