/** Resolves a listen name to its addresses: `localhost` is 127.0.0.1 and, where there is IPv6, ::1. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { ABSENT_ADDRESS } from '../runtime/host-name.ts';

export type AddressesOf = (host: string) => Promise<readonly string[]>;

export const addressesOf: AddressesOf = async (host) => {
  if (isIP(host) !== 0) return [host];
  const found = await lookup(host, { all: true });
  return [...new Set(found.map(({ address }) => address))];
};

/** Why the addresses are unavailable. A missing address is no reason while another one works. */
export function whyNotAll(codes: readonly (string | undefined)[]): string | undefined {
  const problems = codes.filter((code) => code !== undefined);
  const grave = problems.find((code) => !ABSENT_ADDRESS.includes(code));
  return grave ?? (problems.length === codes.length ? problems[0] : undefined);
}
