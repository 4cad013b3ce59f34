-- What became of the emails of each stream, as `hourly_counts` has it of all. `transactional` is the rest, and has no rows.
CREATE TABLE stream_counts (
  organization_id text COLLATE "C" NOT NULL,
  stream          text COLLATE "C" NOT NULL,
  hour            timestamptz NOT NULL,
  accepted        integer NOT NULL DEFAULT 0,
  delivered       integer NOT NULL DEFAULT 0,
  bounced         integer NOT NULL DEFAULT 0,
  failed          integer NOT NULL DEFAULT 0,
  opened          integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, stream, hour)
) WITH (fillfactor = 50);

-- Complaints and clicks apart, as of all mail: what comes in changes both, and a transaction must not return to a table.
CREATE TABLE stream_reactions (
  organization_id text COLLATE "C" NOT NULL,
  stream          text COLLATE "C" NOT NULL,
  hour            timestamptz NOT NULL,
  complaints      integer NOT NULL DEFAULT 0,
  clicked         integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, stream, hour)
);

CREATE FUNCTION move_stream_counts(
  stream_organizations text[], streams text[], stream_hours timestamptz[], stream_accepted integer[],
  stream_delivered integer[] DEFAULT NULL, stream_bounced integer[] DEFAULT NULL, stream_failed integer[] DEFAULT NULL,
  stream_opened integer[] DEFAULT NULL
) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stream_counts AS c (organization_id, stream, hour, accepted, delivered, bounced, failed, opened)
  SELECT stream_organizations[i], new.stream, stream_hours[i], stream_accepted[i], coalesce(stream_delivered[i], 0),
         coalesce(stream_bounced[i], 0), coalesce(stream_failed[i], 0), coalesce(stream_opened[i], 0)
  FROM unnest(streams) WITH ORDINALITY AS new(stream, i) ORDER BY 1, 2, 3
  ON CONFLICT (organization_id, stream, hour) DO UPDATE SET
    accepted = c.accepted + excluded.accepted,
    delivered = c.delivered + excluded.delivered,
    bounced = c.bounced + excluded.bounced,
    failed = c.failed + excluded.failed,
    opened = c.opened + excluded.opened;
  RETURN cardinality(streams);
END $$;

-- Of emails that are accepted. Their tags say the stream, so those without tags cost nothing.
CREATE FUNCTION count_streams(organization_ids text[], created float8[], tags jsonb[])
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  counted integer;
BEGIN
  SELECT move_stream_counts(array_agg(new.organization), array_agg(new.stream), array_agg(new.hour), array_agg(new.emails))
  INTO counted
  FROM (
    SELECT organization_ids[i] AS organization, tag->>'value' AS stream,
           to_timestamp(floor(created[i] / 3600000) * 3600) AS hour, count(*)::integer AS emails
    FROM unnest(tags) WITH ORDINALITY AS own(list, i) CROSS JOIN LATERAL jsonb_array_elements(own.list) AS tag
    WHERE tag->>'name' = 'message-stream'
    GROUP BY 1, 2, 3
  ) AS new
  HAVING count(*) > 0;
  RETURN counted;
END $$;

-- As before, but that streams are counted.
-- Accepts all of these emails, or answers which senders may not send and which recipients are on the list (by place) and
-- writes nothing. Counters move last, because each stays locked from then to the commit.
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
