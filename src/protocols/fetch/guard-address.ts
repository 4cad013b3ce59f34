/**
 * A connection's lookup function that only returns permitted addresses. The socket itself calls it, so a name
 * cannot change between check and use.
 */
import { isIP, type LookupFunction } from 'node:net';
import type { Resolver } from '../dns/resolver.ts';
import { type DestinationRules, findDestination, refusalOfAddress } from './destination.ts';

export class DestinationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DestinationError';
  }
}

export interface Guard {
  /** Sockets do not look up IP addresses, so call this before every attempt. */
  check(url: URL): void;
  /** For a connection to this URL's host and port. */
  lookupFor(url: URL): LookupFunction;
}

export function createGuard(resolver: Pick<Resolver, 'addresses'>, rules: DestinationRules): Guard {
  const vetted = async (url: URL): Promise<readonly string[]> => {
    const destination = await findDestination(url, resolver, rules);
    switch (destination.kind) {
      case 'found':
        return destination.addresses;
      case 'refused':
        throw new DestinationError(destination.why);
      case 'unknown':
        throw new DestinationError(`${url.hostname} cannot be found in DNS`);
      case 'unavailable':
        throw new DestinationError(`DNS does not answer for ${url.hostname}`);
    }
  };
  return {
    check(url) {
      const why = refusalOfAddress(url, rules);
      if (why !== null) throw new DestinationError(why);
    },
    lookupFor: (url) => (_host, options, done) => {
      vetted(url).then(
        (addresses) => {
          const all = addresses.map((address) => ({ address, family: isIP(address) }));
          if (options.all) done(null, all);
          else done(null, all[0]?.address ?? '', all[0]?.family);
        },
        (error: Error) => done(error, ''),
      );
    },
  };
}
