/** The request and response schemas of holds. */
import { Type } from 'typebox';
import { bulkIds } from '../../http/bulk.ts';
import { pageFields } from '../../http/pagination.ts';
import { nullable, strictObject, stringEnum, timestamp } from '../../http/schema.ts';
import type { HoldFigures } from './coverage.ts';
import { HOLD_ENDINGS, HOLD_SCOPES, HOLD_STATES, type HoldState, PLACED_SCOPES } from './hold.ts';
import type { HoldWithFigures, PlacedHold } from './service.ts';
import type { HoldRow } from './store.ts';

const scope = stringEnum(PLACED_SCOPES, {
  description:
    'Which mail to hold: all mail of the organization, mail from one of its sending domains, mail with a template or a tag, or mail that was sent with an API key. Operators can also hold `all` mail of the installation, or mail to a `provider`.',
  examples: ['organization'],
});
const value = Type.String({
  minLength: 1,
  maxLength: 330,
  description:
    'Value for the scope: the domain, the id or alias of the template, the tag (`name` or `name:value`), the id of the key, or the provider or site. Omit it for `all` and `organization`.',
  examples: ['tmpl_0c3f9a51be2d47a6c9e1'],
});
const reason = (description: string) =>
  Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description, examples: ['Wrong prices'] });

export const placeBody = strictObject({
  scope,
  value: Type.Optional(value),
  ahead: Type.Optional(
    Type.Boolean({
      description:
        'Whether the tag may be one that no mail has yet. By default an unused tag is refused, because it is probably misspelt.',
    }),
  ),
  reason: reason('Why the mail is held. Emails that the hold covers show this reason.'),
});

const discardReason = reason('Why the mail must not be sent. The reason is stored with the hold.');

export const discardBody = strictObject({ reason: discardReason });

const ids = bulkIds('Ids of the holds.', 'hold_0c3f9a51be2d47a6c9e1');

export const releaseSeveralBody = strictObject({ ids }, { $id: 'ReleaseHolds' });
export const discardSeveralBody = strictObject({ ids, reason: discardReason }, { $id: 'DiscardHolds' });

export const holdsQuery = strictObject({
  ...pageFields,
  view: stringEnum(['organization', 'installation'], {
    default: 'organization',
    description:
      '`organization`: holds on mail of your organization. `installation`: holds that operators placed; for operators.',
  }),
});

const fields = {
  id: Type.String({ examples: ['hold_0c3f9a51be2d47a6c9e1'] }),
  organization_id: nullable(
    Type.String({ description: 'Id of the organization whose mail is held. Null for all organizations.' }),
  ),
  scope: stringEnum(HOLD_SCOPES, {
    description:
      'Kind of mail that is held. The guard also places holds of scope `lane` (mail of a template version or a sender domain, in one stream, to one provider) and `recipient` (mail to one address).',
  }),
  value: nullable(Type.String()),
  with_webhooks: Type.Boolean({ description: 'Whether webhooks are held too, as after a restore.' }),
  reason: Type.String(),
  state: stringEnum(HOLD_STATES),
  by_operator: Type.Boolean({
    description: 'Whether an operator placed the hold. Only an operator can then end it.',
  }),
  placed_by: Type.String({
    description:
      'Who placed the hold: the email address of a user, the name of an API key, `operator` with the user name on the server, or `guard` for an automatic hold.',
  }),
  placed_at: timestamp(),
  decision: nullable(
    Type.Object({
      kind: stringEnum(HOLD_ENDINGS),
      reason: nullable(Type.String()),
      by: Type.String(),
      at: timestamp(),
    }),
  ),
  ended_at: nullable(
    timestamp({ description: 'Time at which the release or the discarding was complete. Null before that.' }),
  ),
  released: Type.Integer({ description: 'Number of held deliveries that have been released so far.' }),
  discarded: Type.Integer({ description: 'Number of deliveries that have been discarded so far.' }),
};

export const holdItem = Type.Object(fields, { $id: 'Hold' });

const mailFields = {
  held: Type.Integer({
    description: 'Number of deliveries that would be sent if the hold were released now.',
  }),
  expired: Type.Integer({
    description: 'Number of these deliveries whose lifetime ended before the hold. They end as `failed`.',
  }),
  later: Type.Integer({
    description: 'Number of deliveries that are due later: scheduled, or between two attempts.',
  }),
  oldest_at: nullable(
    timestamp({ description: 'Time at which the oldest held email was accepted. Null if no mail is held.' }),
  ),
};

export const holdDetail = Type.Object({ ...fields, mail: Type.Object(mailFields) }, { $id: 'HoldDetail' });

export const placedHold = Type.Object(
  {
    ...fields,
    mail: nullable(
      Type.Object(mailFields, {
        description:
          'Amount of mail that the hold covers now. Null if counting took too long; `GET /holds/{id}` counts again.',
      }),
    ),
  },
  { $id: 'PlacedHold' },
);

/** The public form of a hold. */
export function holdView(row: HoldRow) {
  const { ending, ending_reason, ending_by, ending_at, lifted_at: _lifted, ...rest } = row;
  return {
    ...rest,
    state: holdStateOf(row),
    decision:
      ending === null || ending_at === null
        ? null
        : { kind: ending, reason: ending_reason, by: ending_by ?? '', at: ending_at },
  };
}

export function holdDetailView({ hold, figures }: HoldWithFigures) {
  return { ...holdView(hold), mail: figuresView(figures) };
}

export function placedHoldView({ hold, figures }: PlacedHold) {
  return { ...holdView(hold), mail: figures && figuresView(figures) };
}

function figuresView({ held, expired, later, oldestAt }: HoldFigures) {
  return { held, expired, later, oldest_at: oldestAt };
}

export function holdStateOf({ ending, ended_at }: Pick<HoldRow, 'ending' | 'ended_at'>): HoldState {
  if (ending === null) return 'in_force';
  if (ending === 'release') return ended_at === null ? 'releasing' : 'released';
  return ended_at === null ? 'discarding' : 'discarded';
}
