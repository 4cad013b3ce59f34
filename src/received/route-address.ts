/** The addresses that routes are for, `support@example.org` or `*@reply.example.org`, and which of them an address is. Pure. */
import { halvesOf, parseAddress } from '../protocols/message/address.ts';
import { canonicalDomain } from '../protocols/message/domain-name.ts';

/** For everything at a name that has no route of its own. */
export const ANY_LOCAL = '*';

export interface RouteAddress {
  readonly local: string;
  readonly name: string;
}

export type ParsedRouteAddress =
  | ({ readonly ok: true } & RouteAddress)
  | { readonly ok: false; readonly message: string };

/**
 * What other servers once read as instructions (`%`, `!`, `@` in quotes, `/`, `|`): nobody has such an address here, so that nobody
 * has to find out what it does.
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
    return { ok: false, message: 'must not have a +: what follows it is taken for a note of the sender' };
  const parsed = parseAddress(text);
  if (!parsed.ok) return { ok: false, message: parsed.message };
  const folded = foldedLocal(local);
  if (folded === null) return { ok: false, message: 'has characters that no address here may have' };
  return { ok: true, local: folded, name: domain.domain };
}

/** The form in which local parts are compared; null where there can be no such mailbox. */
export function foldedLocal(local: string): string | null {
  const plain = /^"([A-Za-z0-9._+-]+)"$/.exec(local)?.[1] ?? local;
  if (plain === '' || plain.length > 64 || UNUSUAL.test(plain)) return null;
  return plain.normalize('NFC').toLowerCase();
}

/** The routes that an address may be for, the most particular first. */
export function localsFor(folded: string): readonly string[] {
  const plus = folded.indexOf('+');
  return [folded, ...(plus > 0 ? [folded.slice(0, plus)] : []), ANY_LOCAL];
}

export function addressOfRoute({ local, name }: RouteAddress): string {
  return `${local}@${name}`;
}
