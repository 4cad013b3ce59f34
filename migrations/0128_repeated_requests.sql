-- A request that was accepted before is recognised without an error: one repeated message no longer rolls back everything that
-- was accepted in the same commit.

-- Which of these requests were accepted before, by place: those with a run that is not the one that the key belongs to any more or
-- that is completed, and those without a run whose key was used within the last 24 hours.
CREATE FUNCTION repeated_requests(request_organizations text[], request_keys text[], runs uuid[]) RETURNS integer[]
LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  RETURN (SELECT array_agg(asked.place::integer)
          FROM unnest(request_organizations, request_keys, runs) WITH ORDINALITY AS asked(organization_id, key, run, place)
          LEFT JOIN LATERAL (
            SELECT k.run, k.status, k.created_at FROM idempotency_keys k
            WHERE k.organization_id = asked.organization_id AND k.key = asked.key) AS known ON true
          WHERE CASE WHEN asked.run IS NULL THEN known.created_at >= now() - interval '24 hours'
                     ELSE known.run IS DISTINCT FROM asked.run OR known.status IS NOT NULL END);
END $$;

-- Begins a request with an Idempotency-Key (`begun`), takes over one that was abandoned, or tells what is known of it: whether
-- its content is the same, and its answer. Waits for the commit of what it tells.
CREATE FUNCTION begin_request(
  request_organization text, request_key text, hash bytea, new_run uuid,
  OUT begun boolean, OUT same boolean, OUT known_status smallint, OUT known_answer jsonb
) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO idempotency_keys AS k (organization_id, key, request_hash, run)
  VALUES (request_organization, request_key, hash, new_run)
  ON CONFLICT (organization_id, key) DO UPDATE
    SET started_at = excluded.started_at, created_at = excluded.created_at, request_hash = excluded.request_hash,
        status = NULL, answer = NULL, run = excluded.run
    WHERE excluded.created_at - k.created_at > interval '24 hours'
       OR (k.status IS NULL AND k.request_hash = excluded.request_hash
           AND excluded.started_at - k.started_at NOT BETWEEN interval '-4 seconds' AND interval '4 seconds');
  begun := FOUND;
  IF NOT begun THEN
    SELECT k.request_hash = hash, k.status, k.answer INTO same, known_status, known_answer
    FROM idempotency_keys k WHERE k.organization_id = request_organization AND k.key = request_key;
  END IF;
END $$;

-- The answers of requests that were accepted before, by place. The lock makes this transaction wait, at its commit, for a synchronous
-- standby to have them, too.
CREATE FUNCTION lock_answers(request_organizations text[], request_keys text[])
RETURNS TABLE (place integer, known_status smallint, known_answer jsonb) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  RETURN QUERY
  SELECT asked.number::integer, k.status, k.answer
  FROM unnest(request_organizations, request_keys) WITH ORDINALITY AS asked(organization_id, key, number)
  JOIN idempotency_keys k ON k.organization_id = asked.organization_id AND k.key = asked.key
  WHERE k.status IS NOT NULL
  ORDER BY k.organization_id, k.key
  FOR UPDATE OF k;
END $$;

-- As `accept_emails`, which processes of the release before still call, but for repeated requests. It accepts all of these emails,
-- or it answers, by place, which requests are repeated, which senders may not send and which recipients are on the list, and
-- writes nothing. Keys of requests and counters come last, because they stay locked until the commit.
CREATE FUNCTION accept_emails_once(
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
