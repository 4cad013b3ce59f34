/** The request and response schemas of holds. */
import { Type } from 'typebox';
import { pageFields } from '../../http/pagination.ts';
import { nullable, strictObject, stringEnum, timestamp } from '../../http/schema.ts';
import type { HoldFigures } from './coverage.ts';
import { HOLD_ENDINGS, HOLD_SCOPES, HOLD_STATES, type HoldState, PLACED_SCOPES } from './hold.ts';
import type { HoldWithFigures, PlacedHold } from './service.ts';
import type { HoldRow } from './store.ts';

const scope = stringEnum(PLACED_SCOPES, {
  description:
    'Which mail: of the organization, of one of its sending domains, with a template, with a tag, sent with an API key. Operators also: `all` of the installation, or to a `provider`.',
  examples: ['organization'],
});
const value = Type.String({
  minLength: 1,
  maxLength: 330,
  description:
    'The domain, the template’s id or alias, the tag (`name` or `name:value`), the key’s id, or the provider or site. Left out for `all` and `organization`.',
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
        'Allows a tag that no mail has yet. Without `ahead` an unused tag is refused, because it is probably misspelt.',
    }),
  ),
  reason: reason('Why, for everybody who wonders where the mail is.'),
});

export const discardBody = strictObject({
  reason: reason('Why the mail is not to be sent any more. It is kept with the hold.'),
});

export const holdsQuery = strictObject({
  ...pageFields,
  view: stringEnum(['organization', 'installation'], {
    default: 'organization',
    description: '`installation`: those that operators placed, for operators.',
  }),
});

const fields = {
  id: Type.String({ examples: ['hold_0c3f9a51be2d47a6c9e1'] }),
  organization_id: nullable(
    Type.String({ description: 'The organization whose mail is held; null for all organizations.' }),
  ),
  scope: stringEnum(HOLD_SCOPES, {
    description:
      'As it was placed; `lane` (a template version, or a sender’s domain, in a stream to a provider) and `recipient` (one address) are placed by the guard.',
  }),
  value: nullable(Type.String()),
  with_webhooks: Type.Boolean({ description: 'Webhooks wait, too, as they do after a restore.' }),
  reason: Type.String(),
  state: stringEnum(HOLD_STATES),
  by_operator: Type.Boolean({ description: 'An operator placed it, and only an operator can end it.' }),
  placed_by: Type.String({
    description: 'A user’s address, the name of an API key, or `operator` and a user’s name on the server.',
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
  ended_at: nullable(timestamp({ description: 'When all of that was done.' })),
  released: Type.Integer({ description: 'Deliveries that were parked, and let go so far.' }),
  discarded: Type.Integer({ description: 'Deliveries that were discarded so far.' }),
};

export const holdItem = Type.Object(fields, { $id: 'Hold' });

const mailFields = {
  held: Type.Integer({ description: 'Deliveries that would be sent if it were released now.' }),
  expired: Type.Integer({
    description: 'Of these, the ones whose lifetime was over before the hold. They end as failed.',
  }),
  later: Type.Integer({
    description: 'Deliveries that are due later: scheduled, or between two attempts.',
  }),
  oldest_at: nullable(timestamp({ description: 'When the oldest of those held was accepted.' })),
};

export const holdDetail = Type.Object({ ...fields, mail: Type.Object(mailFields) }, { $id: 'HoldDetail' });

export const placedHold = Type.Object(
  {
    ...fields,
    mail: nullable(
      Type.Object(mailFields, {
        description:
          'How much it covers now. Null where counting took too long; `GET /holds/:id` counts again.',
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
