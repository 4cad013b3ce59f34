-- The places of keys that are on the suppression list, under themselves or under the hash that an erased address left. Each
-- key has the id of its organization in front. The settings keep a plan that never scans the whole list: a plan from the
-- time of an almost empty list would otherwise stay in use after a large import.
CREATE OR REPLACE FUNCTION suppressed_among(asked_keys text[], asked_hashes text[]) RETURNS integer[]
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
