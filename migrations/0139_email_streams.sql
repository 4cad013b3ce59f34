-- contract: 0053
-- The functions without `email_streams` end: no release called them. Processes of release 0.1.0 call accept_emails().

-- From schema/functions/accept_new_emails.sql.
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

-- From schema/functions/append_events.sql.
-- Appends events to the log and queues their webhooks. `event_numbers` says which email an event belongs to; without it
-- there is one element per event in every array. Times are milliseconds since 1970.
CREATE OR REPLACE FUNCTION append_events(
  organization_ids text[], email_ids uuid[], happened float8[],
  event_numbers integer[], event_ids uuid[], positions smallint[], recipients text[], types text[], urls text[],
  holds jsonb[],
  attempts smallint[] DEFAULT NULL, mx_hosts text[] DEFAULT NULL, smtp_codes smallint[] DEFAULT NULL,
  smtp_messages text[] DEFAULT NULL, enhanced_codes text[] DEFAULT NULL, reasons text[] DEFAULT NULL,
  tls text[] DEFAULT NULL, next_attempts float8[] DEFAULT NULL, user_agents text[] DEFAULT NULL,
  tls_certificates jsonb[] DEFAULT NULL
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  due timestamptz := now();
BEGIN
  INSERT INTO events (organization_id, email_id, id, position, recipient, type, created_at, attempt, mx_host, smtp_code,
                      smtp_message, enhanced_code, reason, tls, next_attempt_at, user_agent, tls_certificate, url, hold)
  SELECT organization_ids[n], email_ids[n], new.id, positions[i], recipients[i], types[i],
         to_timestamp(happened[n] / 1000.0), attempts[i], mx_hosts[i], smtp_codes[i], smtp_messages[i], enhanced_codes[i],
         reasons[i], tls[i], to_timestamp(next_attempts[i] / 1000.0), user_agents[i], tls_certificates[i], urls[i], holds[i]
  FROM unnest(event_ids) WITH ORDINALITY AS new(id, i), LATERAL (SELECT coalesce(event_numbers[i], i)) AS email(n);

  IF EXISTS (SELECT FROM webhook_endpoints w WHERE w.organization_id = ANY (organization_ids) AND w.enabled) THEN
    INSERT INTO webhook_deliveries (endpoint_id, event_id, organization_id, email_id, event_type, due_at, created_at)
    SELECT w.id, new.id, w.organization_id, email_ids[n], types[i], due, to_timestamp(happened[n] / 1000.0)
    FROM unnest(event_ids) WITH ORDINALITY AS new(id, i)
    CROSS JOIN LATERAL (SELECT coalesce(event_numbers[i], i)) AS email(n)
    JOIN webhook_endpoints w ON w.organization_id = organization_ids[n]
    WHERE w.enabled AND (w.event_types IS NULL OR types[i] = ANY (w.event_types))
      AND (w.streams IS NULL OR coalesce(
        -- Emails accepted before the column have the stream as a tag.
        (SELECT coalesce(e.stream, jsonb_path_query_first(e.tags, '$[*] ? (@.name == "message-stream").value') #>> '{}')
         FROM emails e WHERE e.organization_id = organization_ids[n] AND e.id = email_ids[n]),
        'transactional') = ANY (w.streams));
  END IF;
  RETURN cardinality(event_ids);
END $$;

-- From schema/functions/previous-release/append_events.sql.
-- previous-release: 0.1.0 calls this function. Drop the function after 2027-03-01, from release 0.3.0 on.
-- Later releases call append_events() with `urls` and `holds`.
CREATE OR REPLACE FUNCTION append_events(
  -- Of each email, or of each event without `event_numbers`.
  organization_ids text[], email_ids uuid[], happened float8[],
  event_numbers integer[], event_ids uuid[], positions smallint[], recipients text[], types text[],
  attempts smallint[] DEFAULT NULL, mx_hosts text[] DEFAULT NULL, smtp_codes smallint[] DEFAULT NULL,
  smtp_messages text[] DEFAULT NULL, enhanced_codes text[] DEFAULT NULL, reasons text[] DEFAULT NULL,
  tls text[] DEFAULT NULL, next_attempts float8[] DEFAULT NULL, user_agents text[] DEFAULT NULL,
  tls_certificates jsonb[] DEFAULT NULL
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  due timestamptz := now();
BEGIN
  INSERT INTO events (organization_id, email_id, id, position, recipient, type, created_at, attempt, mx_host, smtp_code,
                      smtp_message, enhanced_code, reason, tls, next_attempt_at, user_agent, tls_certificate)
  SELECT organization_ids[n], email_ids[n], new.id, positions[i], recipients[i], types[i],
         to_timestamp(happened[n] / 1000.0), attempts[i], mx_hosts[i], smtp_codes[i], smtp_messages[i], enhanced_codes[i],
         reasons[i], tls[i], to_timestamp(next_attempts[i] / 1000.0), user_agents[i], tls_certificates[i]
  FROM unnest(event_ids) WITH ORDINALITY AS new(id, i), LATERAL (SELECT coalesce(event_numbers[i], i)) AS email(n);

  IF EXISTS (SELECT FROM webhook_endpoints w WHERE w.organization_id = ANY (organization_ids) AND w.enabled) THEN
    INSERT INTO webhook_deliveries (endpoint_id, event_id, organization_id, email_id, event_type, due_at, created_at)
    SELECT w.id, new.id, w.organization_id, email_ids[n], types[i], due, to_timestamp(happened[n] / 1000.0)
    FROM unnest(event_ids) WITH ORDINALITY AS new(id, i)
    CROSS JOIN LATERAL (SELECT coalesce(event_numbers[i], i)) AS email(n)
    JOIN webhook_endpoints w ON w.organization_id = organization_ids[n]
    WHERE w.enabled AND (w.event_types IS NULL OR types[i] = ANY (w.event_types))
      AND (w.streams IS NULL OR coalesce(
        -- Emails accepted before the column have the stream as a tag.
        (SELECT coalesce(e.stream, jsonb_path_query_first(e.tags, '$[*] ? (@.name == "message-stream").value') #>> '{}')
         FROM emails e WHERE e.organization_id = organization_ids[n] AND e.id = email_ids[n]),
        'transactional') = ANY (w.streams));
  END IF;
  RETURN cardinality(event_ids);
END $$;

-- From schema/functions/store_new_emails.sql.
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

DROP FUNCTION accept_new_emails(
  text[], text[], text[], text[], text, text[], new_email[], new_content[], new_recipient[], new_attachment[], text[],
  text[], uuid[], smallint[], jsonb[], text[], date[], integer[], text[], text[], date[], integer[], text[], date[],
  text[], bigint[], text[], timestamptz[], integer[], text[], text[], timestamptz[], integer[]
);
DROP FUNCTION store_new_emails(text, text[], new_email[], new_content[], new_recipient[], new_attachment[]);
