/**
 * What is known of sites, for those who ask over HTTP. Whoever delivers knows it, and hands it in: this slice only passes it
 * on. Sites are the installation's; what an organization is told is about its own waiting mail.
 */

import type { Database } from '../database/database.ts';
import type { Sql } from '../database/sql.ts';
import type { Tag } from '../emails/email.ts';

export const SITE_STATES = ['open', 'slow', 'blocked', 'probing', 'paused'] as const;
export type SiteState = (typeof SITE_STATES)[number];

export interface SiteView {
  readonly id: string;
  readonly name: string;
  readonly provider: string | null;
  readonly state: SiteState;
  readonly message: string;
  readonly since: Date | null;
  readonly until: Date | null;
  readonly reason: string | null;
  readonly reply: string | null;
  readonly messages_per_minute: number | null;
  readonly connections: number | null;
  readonly due: number;
  readonly scheduled: number;
  readonly oldest_due_at: Date | null;
  readonly domains: readonly string[];
}

/** What mail waits for that is due, or would be if its site took it. */
export interface WaitingFor {
  /** Null where no worker has looked yet. Where the route table has a say, this is the transport. */
  readonly site: SiteView | null;
  /** The site that its domain belongs to, whichever way it goes. */
  readonly destination: { readonly name: string; readonly provider: string } | null;
  readonly isWorkerRunning: boolean;
  readonly expectedAt: Date | null;
}

export interface WaitingMail {
  readonly emailId: string;
  readonly position: number;
  readonly stream: string;
  readonly senderDomain: string;
  readonly tags: readonly Tag[];
  readonly domain: string;
  readonly dueAt: Date;
}

export interface SiteBoard {
  /** Sites that mail of the organization waits for. */
  ofOrganization(db: Sql, organizationId: string): Promise<SiteView[]>;
  /** Sites with anybody's mail, or with something to say. */
  ofInstallation(cells: readonly Sql[]): Promise<SiteView[]>;
  /** In the order of the mail that is asked for, which is the organization's. */
  waitingFor(db: Sql, organizationId: string, mail: readonly WaitingMail[]): Promise<WaitingFor[]>;
  isWorkerRunning(db: Sql): Promise<boolean>;
  pause(db: Sql, name: string): Promise<void>;
  resume(db: Database, name: string): Promise<void>;
  tryNow(db: Database, name: string): Promise<void>;
}
