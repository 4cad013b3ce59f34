/**
 * The acceptor's cache of the holds in force, so that the answer to a send says that the email will be held. It is refreshed at
 * most once a second, when an email is accepted. So a hold that was placed less than a second ago may be missing in an answer;
 * workers decide what is held, and the email's state says so.
 */

import { type Sql, sql } from '../../database/sql.ts';
import type { NewEmail } from '../../emails/email.ts';
import type { Clock } from '../../runtime/clock.ts';
import { TtlCache } from '../../runtime/ttl-cache.ts';
import { type HoldableMail, HoldIndex } from './hold.ts';
import { type DescribedHold, describedHolds } from './store.ts';

const HOLDS_KEPT = { keepMs: 1_000, max: 1 };
/** The provider of a domain seldom changes. */
const SITES_KEPT = { keepMs: 60_000, max: 10_000 };

interface SiteRow {
  readonly domain: string;
  readonly name: string;
  readonly provider: string;
}

const selectSites = sql<SiteRow>(
  'site_domains.for_holds',
  'SELECT domain, site AS name, provider FROM site_domains WHERE domain = ANY ($1::text[])',
  { home: 'cell' },
);

type Site = HoldableMail['site'];

export class KnownHolds {
  readonly #db: Sql;
  readonly #holds: TtlCache<Promise<HoldIndex<DescribedHold>>>;
  readonly #sites: TtlCache<{ readonly site: Site }>;

  constructor(db: Sql, clock: Clock) {
    this.#db = db;
    this.#holds = new TtlCache({ ...HOLDS_KEPT, clock });
    this.#sites = new TtlCache({ ...SITES_KEPT, clock });
  }

  /** The hold that will keep each email, or some of its recipients, in the order given. All emails are of one organization. */
  async on(emails: readonly NewEmail[]): Promise<(DescribedHold | null)[]> {
    const due = emails.map(isDueAtOnce);
    if (!due.includes(true)) return emails.map(() => null);
    const index = await this.#index();
    const organizationId = emails[0]?.organizationId ?? '';
    const sites = index.needsSite(organizationId) ? await this.#sitesOf(emails) : NO_SITES;
    return emails.map((email, i) => (due[i] ? holdOn(email, index, sites) : null));
  }

  #index(): Promise<HoldIndex<DescribedHold>> {
    const known = this.#holds.get('');
    if (known !== undefined) return known;
    const reading = describedHolds(this.#db).then((holds) => new HoldIndex(holds));
    this.#holds.set('', reading);
    reading.catch(() => this.#holds.delete(''));
    return reading;
  }

  async #sitesOf(emails: readonly NewEmail[]): Promise<ReadonlyMap<string, Site>> {
    const domains = new Set(
      emails.flatMap(({ recipients }) => recipients.map(({ address }) => address.domain)),
    );
    const found = new Map<string, Site>();
    const unknown: string[] = [];
    for (const domain of domains) {
      const known = this.#sites.get(domain);
      if (known === undefined) unknown.push(domain);
      else found.set(domain, known.site);
    }
    if (unknown.length === 0) return found;
    const rows = await this.#db.many(selectSites, [unknown]);
    const sites = new Map(rows.map(({ domain, ...site }) => [domain, site]));
    for (const domain of unknown) {
      const site = sites.get(domain) ?? null;
      this.#sites.set(domain, { site });
      found.set(domain, site);
    }
    return found;
  }
}

const NO_SITES: ReadonlyMap<string, Site> = new Map();

/** Scheduled or unapproved mail does not count, because the hold may have ended when that mail is due. */
function isDueAtOnce({ scheduledAtMs, terms }: NewEmail): boolean {
  return scheduledAtMs === null && !terms?.needsApproval;
}

function holdOn(
  email: NewEmail,
  index: HoldIndex<DescribedHold>,
  sites: ReadonlyMap<string, Site>,
): DescribedHold | null {
  const { organizationId, fromDomain, tags, stream, keyId, template } = email;
  const about = { organizationId, fromDomain, tags, stream, keyId, templateId: template?.id ?? null };
  for (const { address } of email.recipients) {
    const site = sites.get(address.domain) ?? null;
    const mail = { ...about, templateVersion: template?.version ?? null, recipient: address.email, site };
    const hold = index.find(mail);
    if (hold !== null) return hold;
  }
  return null;
}
