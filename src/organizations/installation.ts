/**
 * The organization that mail to our own users belongs to. It has no keys, members, domains or webhooks, and the
 * database refuses them; so nobody's lists, events, statistics or searches hold such mail. Migrations make it.
 */
export const INSTALLATION = 'org_0000000000000';

/** Of an organization `o`: whether it is the first of the installation, whose owners run it. */
export const IS_FIRST = `NOT EXISTS (
  SELECT FROM organizations e WHERE (e.created_at, e.id) < (o.created_at, o.id) AND e.id <> '${INSTALLATION}')`;
