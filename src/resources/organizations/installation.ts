/**
 * The organization that mail to our own users belongs to. It has no keys, members, domains or webhooks, and the
 * database refuses them; so nobody's lists, events, statistics or searches hold such mail. Migrations make it.
 */
export const INSTALLATION = 'org_0000000000000';
