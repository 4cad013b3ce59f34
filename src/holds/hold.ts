/**
 * What a hold is: mail of a scope is accepted and not sent, until the hold is released or its mail is discarded.
 *
 *   in force ──release──▶ releasing ──▶ released      lifted at once: its mail is due again, step by step
 *      └──────discard──▶ discarding ──▶ discarded     lifted when nothing of its mail is left
 *
 * Only store.ts writes the table `holds`.
 */
import type { Tag } from '../emails/email.ts';

export const HOLD_SCOPES = ['all', 'organization', 'domain', 'template', 'tag', 'provider'] as const;
export type HoldScope = (typeof HOLD_SCOPES)[number];

/** How a hold ends. */
export const HOLD_ENDINGS = ['release', 'discard'] as const;
export type HoldEnding = (typeof HOLD_ENDINGS)[number];

export const HOLD_STATES = ['in_force', 'releasing', 'released', 'discarding', 'discarded'] as const;
export type HoldState = (typeof HOLD_STATES)[number];

/** Which mail it is about. */
export interface HoldTarget {
  /** Null: everybody's. */
  readonly organizationId: string | null;
  readonly scope: HoldScope;
  /** A sender's domain, a template's id, a tag as `name` or `name:value`, a provider or a site. */
  readonly value: string | null;
}

/** As people call it: `all`, `domain shop.example`, `organization org_…`. */
export function holdName(
  { scope, value }: Pick<HoldTarget, 'scope' | 'value'>,
  organizationId: string | null,
): string {
  const which = scope === 'organization' ? organizationId : value;
  return which === null ? scope : `${scope} ${which}`;
}

export interface HoldInForce extends HoldTarget {
  readonly id: string;
  /** Webhooks wait, too. Only of a hold of everything. */
  readonly withWebhooks: boolean;
}

/** What is known of a mail that may be held; before it is loaded, no more than who sends it and where to. */
export interface HoldableMail {
  readonly organizationId: string;
  readonly site: { readonly name: string; readonly provider: string } | null;
  readonly fromDomain?: string;
  readonly templateId?: string | null;
  readonly tags?: readonly Tag[] | null;
}

/** The holds in force, for looking up those of a mail. Pure. */
export class HoldIndex {
  readonly #holds: ReadonlyMap<string, HoldInForce>;

  constructor(holds: readonly HoldInForce[]) {
    this.#holds = new Map(holds.map((hold) => [keyOf(hold), hold]));
  }

  count(scope: HoldScope): number {
    return [...this.#holds.values()].filter((hold) => hold.scope === scope).length;
  }

  /** A hold that stops everything. */
  get ofAll(): HoldInForce | null {
    return this.#holds.get(keyOf({ organizationId: null, scope: 'all', value: null })) ?? null;
  }

  /** The first that stops this mail. */
  find(mail: HoldableMail): HoldInForce | null {
    if (this.#holds.size === 0) return null;
    for (const [scope, value] of placesOf(mail)) {
      for (const organizationId of [null, mail.organizationId]) {
        const hold = this.#holds.get(keyOf({ organizationId, scope, value }));
        if (hold !== undefined) return hold;
      }
    }
    return null;
  }
}

function* placesOf({
  site,
  fromDomain,
  templateId,
  tags,
}: HoldableMail): Generator<[HoldScope, string | null]> {
  yield ['all', null];
  yield ['organization', null];
  if (site !== null) {
    yield ['provider', site.name];
    yield ['provider', site.provider];
  }
  if (fromDomain !== undefined) yield ['domain', fromDomain];
  if (templateId) yield ['template', templateId];
  for (const { name, value } of tags ?? []) {
    yield ['tag', name];
    yield ['tag', `${name}:${value}`];
  }
}

function keyOf({ organizationId, scope, value }: HoldTarget): string {
  return `${scope} ${organizationId ?? '*'} ${value ?? ''}`;
}
