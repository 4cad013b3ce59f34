-- Accepts a commit of emails: checks senders and suppressions, writes every row, completes the requests and moves the counters.
-- If a check refuses anything, nothing is written and the answer names the refused places: requests that were accepted
-- before, senders that may not send, recipients on the suppression list. Keys of requests and counters come last, because
-- their rows stay locked until the commit.
-- The emails are rows, described at their types. What the functions below share with other callers are columns: arrays with one
-- element per row, or null for no rows.
CREATE OR REPLACE FUNCTION accept_new_emails(
  -- For unverified_senders() and suppressed_among().
  sender_ids text[], sender_domains text[], asked_keys text[], asked_hashes text[],
  -- For store_new_emails().
  mode text, organization_ids text[], emails new_email[], email_streams text[], contents new_content[],
  recipients new_recipient[], attachments new_attachment[],
  -- For complete_requests().
  request_organizations text[], request_keys text[], runs uuid[], statuses smallint[], answers jsonb[],
  -- For count_usage().
  usage_organizations text[], usage_days date[], usage_recipients integer[],
  -- For count_template_use().
  used_organizations text[], used_templates text[], used_days date[], uses integer[],
  -- For move_email_counts(), move_hourly_counts() and move_stream_counts().
  count_organizations text[], count_days date[], count_statuses text[], count_moves bigint[],
  hour_organizations text[], hours timestamptz[], hour_accepted integer[],
  stream_organizations text[], streams text[], stream_hours timestamptz[], stream_accepted integer[],
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
    written := store_new_emails(mode, organization_ids, emails, email_streams, contents, recipients, attachments);
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
  IF streams IS NOT NULL THEN
    written := move_stream_counts(stream_organizations, streams, stream_hours, stream_accepted);
  END IF;
END $$;
