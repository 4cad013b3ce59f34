/**
 * The organization that owns mail to the installation's own users. It has no keys, members, domains or webhooks, and
 * the database refuses them, so no customer's lists, events, statistics or searches contain this mail. Migrations
 * create it.
 */
export const INSTALLATION = 'org_0000000000000';

/** Whether the organization `o` is the installation's first, whose owners run the installation. */
export const IS_FIRST = `NOT EXISTS (
  SELECT FROM organizations e WHERE (e.created_at, e.id) < (o.created_at, o.id) AND e.id <> '${INSTALLATION}')`;
