/**
 * A hold: mail of a scope is accepted but not sent until the hold is released or its mail is discarded.
 *
 *   in force ──release──▶ releasing ──▶ released      lifted at once: its mail is due again, step by step
 *      └──────discard──▶ discarding ──▶ discarded     lifted when none of its mail is left
 *
 * Only store.ts writes the table `holds`.
 */

import type { Tag } from '../../emails/email.ts';
import { matchingTagFilters } from '../../emails/tag-filter.ts';

/** The scopes that users can place. */
export const PLACED_SCOPES = ['all', 'organization', 'domain', 'template', 'tag', 'key', 'provider'] as const;
export type PlacedScope = (typeof PLACED_SCOPES)[number];

/** Only the guard places `lane` and `recipient`. */
export const HOLD_SCOPES = [...PLACED_SCOPES, 'lane', 'recipient'] as const;
export type HoldScope = (typeof HOLD_SCOPES)[number];

export const HOLD_ENDINGS = ['release', 'discard'] as const;
export type HoldEnding = (typeof HOLD_ENDINGS)[number];

export const HOLD_STATES = ['in_force', 'releasing', 'released', 'discarding', 'discarded'] as const;
export type HoldState = (typeof HOLD_STATES)[number];

/** The mail that a hold covers. */
export interface HoldTarget {
  /** Null means all organizations. */
  readonly organizationId: string | null;
  readonly scope: HoldScope;
  /**
   * A sender's domain, a template's id, a tag as `name` or `name:value`, an API key's id, a provider or a site; a lane; an
   * address.
   */
  readonly value: string | null;
}

/** The display name: `all`, `domain shop.example`, `organization org_…`. */
export function holdName(
  { scope, value }: Pick<HoldTarget, 'scope' | 'value'>,
  organizationId: string | null,
): string {
  const which = scope === 'organization' ? organizationId : value;
  return which === null ? scope : `${scope} ${which}`;
}

export interface HoldInForce extends HoldTarget {
  readonly id: string;
  /** Whether webhooks are held, too. Only for a hold of all mail. */
  readonly withWebhooks: boolean;
}

/**
 * The facts about mail that may be held. Before mail is loaded, only the sender's organization and the destination are known.
 */
export interface HoldableMail {
  readonly organizationId: string;
  readonly site: { readonly name: string; readonly provider: string } | null;
  readonly fromDomain?: string;
  readonly templateId?: string | null;
  readonly tags?: readonly Tag[] | null;
  /** Null means `transactional`. */
  readonly stream?: string | null;
  /** The API key that submitted it. */
  readonly keyId?: string | null;
  readonly templateVersion?: number | null;
  readonly recipient?: string;
}

/**
 * The lane by which the guard groups mail: the version of a template, or the sender's domain if there is none, the stream, and
 * the recipient's provider. For example `tmpl_0c3f version 3 to google`, or `shop.example in bulk to google`. coverage.ts has
 * the same rule in SQL.
 */
export function guardedLaneOf(mail: HoldableMail): string | null {
  const { site, fromDomain, templateId, templateVersion, stream = null } = mail;
  if (site === null || fromDomain === undefined) return null;
  const what = templateId ? `${templateId} version ${templateVersion ?? 0}` : fromDomain;
  const where = stream === null ? '' : ` in ${stream}`;
  return `${what}${where} to ${providerOf(site)}`;
}

/** A receiver without a profile is identified by its mail hosts. */
function providerOf({ name, provider }: { readonly name: string; readonly provider: string }): string {
  return provider === 'other' || provider === '' ? name : provider;
}

/** Scopes that depend on the destination of a mail. */
const SITE_SCOPES: ReadonlySet<HoldScope> = new Set(['provider', 'lane']);

/** An index of the holds in force. Pure. */
export class HoldIndex<Hold extends HoldInForce = HoldInForce> {
  readonly #holds: ReadonlyMap<string, Hold>;
  /** The organizations with a hold that depends on the destination; null: all organizations. */
  readonly #needSite: ReadonlySet<string | null>;

  constructor(holds: readonly Hold[]) {
    this.#holds = new Map(holds.map((hold) => [keyOf(hold), hold]));
    const bySite = holds.filter(({ scope }) => SITE_SCOPES.has(scope));
    this.#needSite = new Set(bySite.map(({ organizationId }) => organizationId));
  }

  /** Whether finding the organization's holds requires the destination site. */
  needsSite(organizationId: string): boolean {
    return this.#needSite.has(null) || this.#needSite.has(organizationId);
  }

  count(scope: HoldScope): number {
    return [...this.#holds.values()].filter((hold) => hold.scope === scope).length;
  }

  /** The hold of all mail, if there is one. */
  get ofAll(): Hold | null {
    return this.#holds.get(keyOf({ organizationId: null, scope: 'all', value: null })) ?? null;
  }

  /** The first hold that stops this mail. */
  find(mail: HoldableMail): Hold | null {
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

function* placesOf(mail: HoldableMail): Generator<[HoldScope, string | null]> {
  const { site, fromDomain, templateId, tags = null, stream, keyId, recipient } = mail;
  yield ['all', null];
  yield ['organization', null];
  if (site !== null) {
    yield ['provider', site.name];
    yield ['provider', site.provider];
  }
  if (fromDomain !== undefined) yield ['domain', fromDomain];
  if (templateId) yield ['template', templateId];
  if (keyId) yield ['key', keyId];
  const lane = guardedLaneOf(mail);
  if (lane !== null) yield ['lane', lane];
  if (recipient !== undefined) yield ['recipient', recipient.toLowerCase()];
  for (const filter of matchingTagFilters(tags, stream)) yield ['tag', filter];
}

function keyOf({ organizationId, scope, value }: HoldTarget): string {
  return `${scope} ${organizationId ?? '*'} ${value ?? ''}`;
}
