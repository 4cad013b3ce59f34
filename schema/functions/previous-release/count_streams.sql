-- previous-release: 0.1.0 needs this function, which accept_emails() calls. Drop the function after 2027-03-01, from release 0.3.0 on.
-- Later releases pass the counts of streams to accept_new_emails().
CREATE OR REPLACE FUNCTION count_streams(organization_ids text[], created float8[], tags jsonb[])
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
