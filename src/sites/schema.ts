/** Schemas of sites. */
import { Type } from 'typebox';
import { nullable, strictObject, stringEnum, timestamp } from '../http/schema.ts';
import { SITE_STATES } from './site-view.ts';

export const sitesQuery = strictObject({
  view: stringEnum(['organization', 'installation'], {
    default: 'organization',
    description:
      '`organization`: sites that your own mail waits for. `installation`: all that have mail or are held up, with everybody’s mail counted; for operators.',
  }),
});

const told = {
  id: Type.String({ examples: ['site_0c3f9a51be2d47a6c9e1'] }),
  name: Type.String({
    description: 'The mail hosts, or the provider, that share limits.',
    examples: ['(mx1|mx2).example.net'],
  }),
  state: stringEnum(SITE_STATES, {
    description:
      '`open`: accepts mail. `slow`: asked us to slow down, and gets `messages_per_minute`. `blocked`: nothing is sent until `until`. `probing`: one trial delivery. `paused`: by an operator.',
  }),
  message: Type.String({ description: 'The state in a sentence.' }),
  since: nullable(timestamp({ description: 'Since when it is held up.' })),
  until: nullable(timestamp({ description: 'For `blocked`: when it is tried again.' })),
  reason: nullable(Type.String({ description: 'Why, from the closed list of reasons.' })),
  reply: nullable(Type.String({ description: 'The reply that caused it, without addresses.' })),
  messages_per_minute: nullable(Type.Number({ description: 'The pace of a slow site.' })),
  connections: nullable(
    Type.Integer({ description: 'At most this many at a time, after it said there were too many.' }),
  ),
};

export const siteView = told;

export const site = Type.Object(
  {
    ...told,
    provider: nullable(Type.String()),
    due: Type.Integer({
      description:
        'Deliveries that are due and wait for it. Of yours, up to 10,000 of all that wait are looked at.',
    }),
    scheduled: Type.Integer({ description: 'Deliveries that are due later.' }),
    oldest_due_at: nullable(timestamp()),
    domains: Type.Array(Type.String(), { description: 'Of these recipients’ domains; the first 20.' }),
    editable: Type.Boolean({ description: 'Whether you may pause, resume and try it.' }),
  },
  { $id: 'Site' },
);
