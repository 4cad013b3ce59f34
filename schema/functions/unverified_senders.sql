-- The places of senders whose domain is not verified for their organization. Null if there are none.
CREATE OR REPLACE FUNCTION unverified_senders(sender_ids text[], sender_domains text[]) RETURNS integer[]
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
