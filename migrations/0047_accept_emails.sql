-- Accepting in one statement: `accept_emails` asks what must be asked, writes every row and moves every counter, and commits
-- by itself. A statement of its own for each of these costs more than the work itself when one email is accepted alone.
--
-- Every function below writes the tables of one module, and is the only text that does so: the module calls it, and
-- `accept_emails` does. A later migration that changes a table replaces its function along with it.
--
-- Columns come as arrays. Null instead of an array is a column of nulls. What several rows have in common comes once, and
-- `numbers` tells which of them a row belongs to; without `numbers` they come one for each row. Times are milliseconds since 1970.
-- They return how many rows they wrote: a call in an assignment needs no statement of its own, PERFORM does.

-- Which of these senders may not send, by place.
CREATE FUNCTION unverified_senders(sender_ids text[], sender_domains text[]) RETURNS integer[]
LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  RETURN (SELECT array_agg(asked.place::integer)
          FROM unnest(sender_ids, sender_domains) WITH ORDINALITY AS asked(organization_id, domain, place)
          LEFT JOIN LATERAL (
            SELECT true AS verified FROM domains d
            WHERE d.organization_id = asked.organization_id AND d.domain = asked.domain AND d.spf_verified AND d.dkim_verified
            LIMIT 1) AS found ON true
          WHERE found.verified IS NULL);
END $$;

-- Which of these keys (each with its organization in front) are on the list, under themselves or under the hash that an
-- erased address left, by place. The plan is kept, and made so that it never reads the whole list: one from the days of an
-- almost empty list would go on doing that after an import of a hundred thousand.
CREATE FUNCTION suppressed_among(asked_keys text[], asked_hashes text[]) RETURNS integer[]
LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  RETURN (SELECT array_agg(asked.place::integer)
          FROM unnest(asked_keys, asked_hashes) WITH ORDINALITY AS asked(key, hash, place)
          CROSS JOIN LATERAL (
            SELECT FROM suppressions s WHERE s.organization_id || s.key = asked.key
            UNION ALL
            SELECT FROM suppressions s WHERE s.organization_id || s.key = asked.hash
            LIMIT 1) AS found);
END $$;

CREATE FUNCTION insert_emails(
  mode text,
  -- One for each email.
  organization_ids text[], email_ids uuid[], created float8[], priorities smallint[], track_opens boolean[],
  unsubscribable boolean[], scheduled float8[], expires_in integer[], from_emails text[], from_names text[],
  subjects text[], addresses jsonb[], tags jsonb[], metadata jsonb[], batch_ids text[], template_ids text[],
  template_versions integer[], searches text[], key_ids text[], unsubscribe_groups text[], texts_from_html boolean[],
  htmls text[], texts text[], headers jsonb[], template_data jsonb[],
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

  INSERT INTO email_contents (organization_id, email_id, html, text, headers, template_data)
  SELECT organization_ids[i], new.id, htmls[i], texts[i], headers[i], template_data[i]
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

-- A delivery without `due` is due now, by the clock that decides what is due.
CREATE FUNCTION enqueue_deliveries(
  -- Of each email, or of each delivery without `recipient_numbers`.
  organization_ids text[], email_ids uuid[], priorities smallint[], due float8[], expiring float8[], sizes integer[],
  modes text[],
  recipient_numbers integer[], positions smallint[], domains text[]
) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (organization_id, email_id, position, domain, priority, due_at, expires_at, size, mode)
  SELECT organization_ids[n], email_ids[n], new.position, domains[i], priorities[n],
         coalesce(to_timestamp(due[n] / 1000.0), now()), to_timestamp(expiring[n] / 1000.0), sizes[n], modes[n]
  FROM unnest(positions) WITH ORDINALITY AS new(position, i),
       LATERAL (SELECT coalesce(recipient_numbers[i], i)) AS email(n);
  RETURN cardinality(positions);
END $$;

-- What is appended is put on its way to the webhook endpoints that want it, too. Endpoints are looked up behind the start of
-- the transaction, so each hears of every event whose transaction began after the endpoint was committed.
CREATE FUNCTION append_events(
  -- Of each email, or of each event without `event_numbers`.
  organization_ids text[], email_ids uuid[], happened float8[],
  event_numbers integer[], event_ids uuid[], positions smallint[], recipients text[], types text[],
  attempts smallint[] DEFAULT NULL, mx_hosts text[] DEFAULT NULL, smtp_codes smallint[] DEFAULT NULL,
  smtp_messages text[] DEFAULT NULL, enhanced_codes text[] DEFAULT NULL, reasons text[] DEFAULT NULL,
  tls text[] DEFAULT NULL, next_attempts float8[] DEFAULT NULL, user_agents text[] DEFAULT NULL,
  tls_certificates jsonb[] DEFAULT NULL
) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (organization_id, email_id, id, position, recipient, type, created_at, attempt, mx_host, smtp_code,
                      smtp_message, enhanced_code, reason, tls, next_attempt_at, user_agent, tls_certificate)
  SELECT organization_ids[n], email_ids[n], new.id, positions[i], recipients[i], types[i],
         to_timestamp(happened[n] / 1000.0), attempts[i], mx_hosts[i], smtp_codes[i], smtp_messages[i], enhanced_codes[i],
         reasons[i], tls[i], to_timestamp(next_attempts[i] / 1000.0), user_agents[i], tls_certificates[i]
  FROM unnest(event_ids) WITH ORDINALITY AS new(id, i), LATERAL (SELECT coalesce(event_numbers[i], i)) AS email(n);

  IF EXISTS (SELECT FROM webhook_endpoints w WHERE w.organization_id = ANY (organization_ids) AND w.enabled) THEN
    INSERT INTO webhook_deliveries (endpoint_id, event_id, organization_id, email_id, event_type, due_at, created_at)
    SELECT w.id, new.id, w.organization_id, email_ids[n], types[i], now(), to_timestamp(happened[n] / 1000.0)
    FROM unnest(event_ids) WITH ORDINALITY AS new(id, i)
    CROSS JOIN LATERAL (SELECT coalesce(event_numbers[i], i)) AS email(n)
    JOIN webhook_endpoints w ON w.organization_id = organization_ids[n]
    WHERE w.enabled AND (w.event_types IS NULL OR types[i] = ANY (w.event_types));
  END IF;
  RETURN cardinality(event_ids);
END $$;

-- Everything that belongs to emails but their counters.
CREATE FUNCTION store_emails(
  mode text,
  organization_ids text[], email_ids uuid[], created float8[], priorities smallint[], track_opens boolean[],
  unsubscribable boolean[], scheduled float8[], expires_in integer[], from_emails text[], from_names text[],
  subjects text[], addresses jsonb[], tags jsonb[], metadata jsonb[], batch_ids text[], template_ids text[],
  template_versions integer[], searches text[], key_ids text[], unsubscribe_groups text[], texts_from_html boolean[],
  htmls text[], texts text[], headers jsonb[], template_data jsonb[],
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
    key_ids, unsubscribe_groups, texts_from_html, htmls, texts, headers, template_data, recipient_numbers, positions,
    kinds, recipients, attachment_numbers, attachment_positions, filenames, content_types, content_ids, attachments);
  written := enqueue_deliveries(
    organization_ids, email_ids, priorities, due, expiring, sizes, modes, recipient_numbers, positions, domains);
  written := append_events(
    organization_ids, email_ids, created, recipient_numbers, event_ids, positions, recipients, queued);
  RETURN written;
END $$;

-- Stores the answers of requests with an Idempotency-Key. Fails the transaction that an answer is part of when its run is
-- not the one that the key belongs to any more. PR002 is ours: PostgreSQL has no class PR.
CREATE FUNCTION complete_requests(
  request_organizations text[], request_keys text[], runs uuid[], statuses smallint[], answers jsonb[]
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  completed integer;
BEGIN
  UPDATE idempotency_keys k SET status = statuses[i], answer = answers[i]
  FROM unnest(request_keys) WITH ORDINALITY AS done(key, i)
  WHERE k.organization_id = request_organizations[i] AND k.key = done.key AND k.run = runs[i] AND k.status IS NULL;
  GET DIAGNOSTICS completed = ROW_COUNT;
  IF completed <> cardinality(request_keys) THEN
    RAISE EXCEPTION 'a request was taken over by another one with the same key' USING ERRCODE = 'PR002';
  END IF;
  RETURN completed;
END $$;

-- Counters are always moved in the same order, so that two transactions that move the same ones cannot deadlock.

-- Counts recipients in, and tells where each count stands then and how far it may go (0 means no limit). With `must_fit` it
-- fails the transaction where one goes further than it may. PR001 is ours.
CREATE FUNCTION count_usage(
  usage_organizations text[], usage_days date[], usage_recipients integer[], must_fit boolean
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  rooms jsonb;
BEGIN
  WITH counted AS (
    INSERT INTO daily_usage AS u (organization_id, day, recipients)
    SELECT * FROM unnest(usage_organizations, usage_days, usage_recipients) ORDER BY 1, 2
    ON CONFLICT (organization_id, day) DO UPDATE SET recipients = u.recipients + excluded.recipients
    RETURNING u.organization_id, u.day, u.recipients,
              (SELECT o.daily_limit FROM organizations o WHERE o.id = u.organization_id) AS daily_limit
  )
  SELECT jsonb_agg(counted) INTO rooms FROM counted
  WHERE NOT must_fit OR (counted.daily_limit > 0 AND counted.recipients > counted.daily_limit);
  IF must_fit AND rooms IS NOT NULL THEN
    RAISE EXCEPTION 'a sending limit would be exceeded'
      USING ERRCODE = 'PR001', DETAIL = rooms -> 0 ->> 'organization_id';
  END IF;
  RETURN rooms;
END $$;

CREATE FUNCTION count_template_use(used_organizations text[], used_templates text[], used_days date[], uses integer[])
RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO template_counts AS c (organization_id, template_id, day, count)
  SELECT * FROM unnest(used_organizations, used_templates, used_days, uses) ORDER BY 1, 2, 3
  ON CONFLICT (organization_id, template_id, day) DO UPDATE SET count = c.count + excluded.count;
  RETURN cardinality(uses);
END $$;

CREATE FUNCTION move_email_counts(
  count_organizations text[], count_days date[], count_statuses text[], count_moves bigint[]
) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO email_counts AS c (organization_id, day, status, count)
  SELECT * FROM unnest(count_organizations, count_days, count_statuses, count_moves) ORDER BY 1, 2, 3
  ON CONFLICT (organization_id, day, status)
  DO UPDATE SET count = c.count + excluded.count, version = c.version + 1;
  RETURN cardinality(count_moves);
END $$;

CREATE FUNCTION move_hourly_counts(
  hour_organizations text[], hours timestamptz[], hour_accepted integer[], hour_delivered integer[] DEFAULT NULL,
  hour_bounced integer[] DEFAULT NULL, hour_failed integer[] DEFAULT NULL, hour_opened integer[] DEFAULT NULL
) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO hourly_counts AS c (organization_id, hour, accepted, delivered, bounced, failed, opened)
  SELECT hour_organizations[i], new.hour, hour_accepted[i], coalesce(hour_delivered[i], 0), coalesce(hour_bounced[i], 0),
         coalesce(hour_failed[i], 0), coalesce(hour_opened[i], 0)
  FROM unnest(hours) WITH ORDINALITY AS new(hour, i) ORDER BY 1, 2
  ON CONFLICT (organization_id, hour) DO UPDATE SET
    accepted = c.accepted + excluded.accepted,
    delivered = c.delivered + excluded.delivered,
    bounced = c.bounced + excluded.bounced,
    failed = c.failed + excluded.failed,
    opened = c.opened + excluded.opened;
  RETURN cardinality(hours);
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
  htmls text[], texts text[], headers jsonb[], template_data jsonb[],
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
    key_ids, unsubscribe_groups, texts_from_html, htmls, texts, headers, template_data, recipient_numbers, positions,
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

-- What these did is part of the functions above.
DROP FUNCTION assert_within_limit(text, integer);
DROP FUNCTION assert_completed(bigint, integer);
