/** The address patterns of routes, `support@example.org` or `*@reply.example.org`, and their matching. Pure. */
import { halvesOf, parseAddress } from '../protocols/message/address.ts';
import { canonicalDomain } from '../protocols/message/domain-name.ts';

/** Matches every address of a name without a route of its own. */
const ANY_LOCAL = '*';

export interface RouteAddress {
  readonly local: string;
  readonly name: string;
}

type ParsedRouteAddress =
  | ({ readonly ok: true } & RouteAddress)
  | { readonly ok: false; readonly message: string };

/**
 * Characters that old servers interpreted as routing instructions (`%`, `!`, `@` in quotes, `/`, `|`). No address here may
 * contain them, so that they cannot have an effect.
 */
const UNUSUAL = /[%!@/|"\\\s*]|^\.|\.\.|\.$/;

export function parseRouteAddress(text: string): ParsedRouteAddress {
  const { local, domain: given } = halvesOf(text);
  if (!text.includes('@'))
    return { ok: false, message: 'must be an address, such as support@example.org or *@example.org' };
  const domain = canonicalDomain(given);
  if (!domain.ok) return { ok: false, message: domain.message };
  if (local === ANY_LOCAL) return { ok: true, local, name: domain.domain };
  if (local.includes('+'))
    return { ok: false, message: 'must not have a +: mail to name+anything arrives at the route of name' };
  const parsed = parseAddress(text);
  if (!parsed.ok) return { ok: false, message: parsed.message };
  const folded = foldedLocal(local);
  if (folded === null) return { ok: false, message: 'has characters that no address here may have' };
  return { ok: true, local: folded, name: domain.domain };
}

/** The form in which local parts are compared; null if no mailbox can have this name. */
export function foldedLocal(local: string): string | null {
  const plain = /^"([A-Za-z0-9._+-]+)"$/.exec(local)?.[1] ?? local;
  if (plain === '' || plain.length > 64 || UNUSUAL.test(plain)) return null;
  return plain.normalize('NFC').toLowerCase();
}

/** The routes that may match an address, the most specific first. */
export function localsFor(folded: string): readonly string[] {
  const plus = folded.indexOf('+');
  return [folded, ...(plus > 0 ? [folded.slice(0, plus)] : []), ANY_LOCAL];
}

export function addressOfRoute({ local, name }: RouteAddress): string {
  return `${local}@${name}`;
}
