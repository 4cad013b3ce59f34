/**
 * Removes expired reports, and the oldest of domains above their limit. Owns the list of domains that received a
 * report since the last run, because only those can be above the limit. After a restart a domain is listed again with
 * its next report.
 */
import type { Sql } from '../../database/sql.ts';
import type { DomainRef } from '../../protocols/message/report-address.ts';
import { MAX_ROWS_OF_DOMAIN, removeOldReports, removeReportsOf } from './store.ts';

const MAX_DOMAINS = 10_000;
/** Each statement removes a batch; the next run continues. */
const MAX_STATEMENTS = 100;

export class ReportTrimmer {
  readonly #db: Sql;
  readonly #maxRows: number;
  #grown = new Map<string, DomainRef>();

  constructor(db: Sql, maxRows: number = MAX_ROWS_OF_DOMAIN) {
    this.#db = db;
    this.#maxRows = maxRows;
  }

  note(domain: DomainRef): void {
    if (this.#grown.size < MAX_DOMAINS)
      this.#grown.set(`${domain.organizationId} ${domain.domainId}`, domain);
  }

  async run(): Promise<void> {
    await inTurns(() => removeOldReports(this.#db));
    const grown = this.#grown;
    this.#grown = new Map();
    for (const domain of grown.values())
      await inTurns(() => removeReportsOf(this.#db, domain, this.#maxRows));
  }
}

async function inTurns(removeSome: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < MAX_STATEMENTS; turn += 1) if (!(await removeSome())) return;
}
