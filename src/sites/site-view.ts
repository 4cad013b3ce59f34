/**
 * The state of sites for the HTTP API. The delivery code implements it; this folder only forwards it. Sites belong to the
 * installation; an organization sees only what affects its own waiting mail.
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

/** Why mail waits that is due, or that would be due if its site accepted it. */
export interface WaitingFor {
  /** Null until a worker has seen the mail. When the route table chooses a transport, this is the transport. */
  readonly site: SiteView | null;
  /** The site of the recipient's domain, regardless of the route. */
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

export interface SiteViews {
  /** Sites for which mail of the organization waits. */
  ofOrganization(db: Sql, organizationId: string): Promise<SiteView[]>;
  /** Sites with waiting mail of any organization, or with a problem. */
  ofInstallation(cells: readonly Sql[]): Promise<SiteView[]>;
  /** In the order of `mail`, all of which belongs to the organization. */
  waitingFor(db: Sql, organizationId: string, mail: readonly WaitingMail[]): Promise<WaitingFor[]>;
  isWorkerRunning(db: Sql): Promise<boolean>;
  pause(db: Sql, name: string): Promise<void>;
  resume(db: Database, name: string): Promise<void>;
  tryNow(db: Database, name: string): Promise<void>;
}
