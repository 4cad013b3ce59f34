/**
 * How transports are, for those who ask over HTTP. Whoever delivers knows it, and hands it in: this slice only passes it
 * on.
 */
import type { Sql } from '../database/sql.ts';
import type { SiteState } from '../sites/board.ts';

/** How a transport, or a site as it is seen from one address, is at the moment. */
export interface Health {
  readonly state: SiteState;
  readonly message: string;
  readonly since: Date | null;
  readonly until: Date | null;
  readonly reason: string | null;
  readonly reply: string | null;
}

/** As it is at one moment. */
export interface TransportHealth {
  /** Of a site by its name; all is well where nothing is known. */
  of(site: string): Health;
  /** Sites that do not take everything from an address, and how they are. */
  heldUpFrom(address: string): readonly (Health & { readonly site: string })[];
  /** How many running workers have the address on their machine. */
  workersWith(address: string): number;
}

export interface TransportBoard {
  /** `cells`: whose workers count, where it is not about one alone. */
  read(db: Sql, cells?: readonly Sql[]): Promise<TransportHealth>;
}

/** Where mail for a domain goes, by DNS and by the environment. */
export interface RecipientSite {
  /** The site of its mail hosts, and who that is. */
  readonly site: string;
  readonly provider: string;
  /** Where it goes if no rule is for it. */
  readonly home: string;
}

/** Null in the sandbox, where nobody asks DNS. */
export type FindDestination = (domain: string) => Promise<RecipientSite | null>;
