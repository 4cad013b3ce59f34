/**
 * The interface to the health of transports, for HTTP routes. The delivery side has this knowledge and passes in the
 * implementation.
 */
import type { Sql } from '../database/sql.ts';
import type { SiteState } from '../sites/site-view.ts';

/** The current health of a transport, or of a site as seen from one source address. */
export interface Health {
  readonly state: SiteState;
  readonly message: string;
  readonly since: Date | null;
  readonly until: Date | null;
  readonly reason: string | null;
  readonly reply: string | null;
}

export interface TransportHealth {
  /** By the site's name; a site without data counts as healthy. */
  of(site: string): Health;
  /** The sites that are restricted from an address, with their health. */
  heldUpFrom(address: string): readonly (Health & { readonly site: string })[];
  /** How many running workers have the address on their machine. */
  workersWith(address: string): number;
}

export interface TransportHealthSource {
  /** `cells`: the cells whose workers count; only one cell by default. */
  read(db: Sql, cells?: readonly Sql[]): Promise<TransportHealth>;
}

/** Where mail for a domain goes, by DNS and by the environment. */
export interface RecipientSite {
  /** The site of its mail hosts, and its provider. */
  readonly site: string;
  readonly provider: string;
  /** The transport if no rule matches. */
  readonly home: string;
}

/** Null in the sandbox, which makes no DNS queries. */
export type FindDestination = (domain: string) => Promise<RecipientSite | null>;
