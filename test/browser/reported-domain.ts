/** A domain that receivers have reported about. */

import { adHoc } from '../../src/database/sql.ts';
import { storeReport } from '../../src/domains/reports/store.ts';
import { readingDmarcReport } from '../../src/inbound/aggregate/dmarc-report.ts';
import { readTlsReport } from '../../src/inbound/aggregate/tls-report.ts';
import { atOnce } from '../../src/runtime/sliced-work.ts';
import { recentReport } from '../support/report-mail.ts';
import type { BrowserFixture } from './fixture.ts';

const DAY_MS = 86_400_000;

/** Its id. The reporter gives itself a name that is a script. */
export async function reportAbout({ api: { api, db }, organization }: BrowserFixture): Promise<string> {
  const find = adHoc<{ id: string }>('SELECT id FROM domains WHERE organization_id = $1 AND domain = $2');
  const { id: domainId } = await db.one(find, [organization.id, organization.domain]);
  // So that it is known what its DMARC record asks for.
  await api('GET', `/domains/${domainId}/verify`, undefined, organization.key);
  const ref = { organizationId: organization.id, domainId };
  for (let days = 0; days < 10; days += 1) {
    const atMs = Date.now() - days * DAY_MS;
    const xml = recentReport('google.xml', organization.domain, atMs)
      .replace('google.com', '&lt;script&gt;alert(1)&lt;/script&gt;')
      .replaceAll('mail.postrider.example', `bounces.${organization.domain}`);
    const dmarc = atOnce(readingDmarcReport([xml]));
    const tls = readTlsReport([recentReport('tls.json', organization.domain, atMs)]);
    for (const read of [dmarc, tls]) {
      if (!read.ok) throw new Error(read.why);
      await storeReport(db, ref, read.report);
    }
  }
  return domainId;
}
