/** Whether the API tells the same as the tables: totals, and for a sample of emails everything it says about them. */
import type { StoredEmail } from './database-account.ts';
import { type Finding, finding } from './findings.ts';
import { KEY } from './installation.ts';

const SAMPLE = 400;
const AT_ONCE = 8;

interface TheEmail {
  readonly status: string;
  readonly recipients: readonly { readonly email: string; readonly status: string }[];
  readonly events: readonly { readonly type: string; readonly recipient: string }[];
}

export async function accountOfApi(
  url: string,
  stored: ReadonlyMap<string, readonly StoredEmail[]>,
): Promise<Finding[]> {
  const emails = [...stored.values()].flat();
  const every = Math.max(1, Math.floor(emails.length / SAMPLE));
  const sample = emails.filter((_, i) => i % every === 0);
  const odd: string[] = [];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, lane) => {
      for (const email of sample.filter((_, i) => i % AT_ONCE === lane))
        odd.push(...(await oddities(url, email)));
    }),
  );
  return [
    finding('emails of which the API tells otherwise', odd),
    finding('totals of lists that differ', await oddTotals(url, emails)),
  ];
}

async function oddities(url: string, email: StoredEmail): Promise<string[]> {
  const answered = (await ask<{ data: TheEmail }>(url, `/emails/${email.id}`)).data;
  const wrong: string[] = [];
  if (answered.status !== email.status) wrong.push(`${email.id} is ${email.status}, told ${answered.status}`);
  for (const { address, state } of email.recipients) {
    const recipient = answered.recipients.find((one) => one.email === address);
    if (recipient?.status !== state)
      wrong.push(`${email.id} to ${address} is ${state}, told ${recipient?.status}`);
    const types = answered.events.filter((one) => one.recipient === address).map(({ type }) => type);
    if (state === 'delivered' && types.at(-1) !== 'delivered')
      wrong.push(`${email.id} to ${address}: ${types.join()}`);
  }
  return wrong;
}

async function oddTotals(url: string, emails: readonly StoredEmail[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const status of ['', 'queued', 'delivered', 'bounced', 'failed']) {
    const query = status === '' ? '' : `&status=${status}`;
    const { pagination } = await ask<{ pagination: { total_count: number } }>(url, `/emails?limit=1${query}`);
    const found = emails.filter((email) => status === '' || email.status === status).length;
    if (pagination.total_count !== found)
      wrong.push(`${status || 'all'}: ${pagination.total_count}, not ${found}`);
  }
  return wrong;
}

async function ask<Body>(url: string, path: string): Promise<Body> {
  const response = await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${KEY}` } });
  if (!response.ok) throw new Error(`GET ${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Body;
}
