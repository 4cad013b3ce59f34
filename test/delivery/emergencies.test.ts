/**
 * Runs every emergency command on a queue of a thousand deliveries before a worker starts. The worker must then send exactly the
 * mail that the command leaves.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { createOrganization } from '../../src/organizations/service.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { bounceQueue } from '../support/bounce-queue.ts';
import { runCommand } from '../support/command-line.ts';
import { TEST_SECRET_KEY } from '../support/secret-key.ts';
import { until } from '../support/until.ts';
import { Live } from './live.ts';

/** Parts of the queue. Each differs from the others in at least one property. */
const PARTS = {
  receipt: { site: 'big', count: 300, template: 'tmpl_receipt', key: 'key_shop', tag: 'spring' },
  news: { site: 'big', count: 300, template: 'tmpl_news', key: 'key_shop', tag: 'autumn' },
  letters: { site: 'small', count: 200, template: null, key: 'key_leaked', tag: 'autumn' },
  others: { site: 'small', count: 200, template: null, key: null, tag: null },
} as const;
type Part = keyof typeof PARTS;
const ALL = Object.keys(PARTS) as Part[];
const REASON = ['--reason', 'a test'];

let live: Live;
let first: string;
let second: string;
const organizationOf = (part: Part) => (part === 'others' ? second : first);
const domainOf = (part: Part) => (part === 'others' ? 'other.test' : 'shop.test');

beforeAll(async () => {
  live = await Live.start({ sites: { big: {}, small: {} } });
});
afterAll(() => live.stop());

beforeEach(async () => {
  [first, second] = [await newOrganization('First'), await newOrganization('Second')];
  for (const [organizationId, domain] of [
    [first, 'shop.test'],
    [second, 'other.test'],
  ])
    await exec(
      `INSERT INTO domains (id, organization_id, domain, created_at) VALUES ('dom_' || $2, $1, $2, now())`,
      organizationId,
      domain,
    );
  for (const id of ['tmpl_receipt', 'tmpl_news']) await template(id);
  for (const id of ['key_shop', 'key_leaked'])
    await exec(
      `INSERT INTO api_keys (id, organization_id, name, prefix, hash, scope, created_at)
       VALUES ($2, $1, 'Shop', 'pr_', sha256($2::text::bytea), 'send', now())`,
      first,
      id,
    );
  for (const part of ALL) await seed(part);
});
afterEach(async () => {
  await exec('TRUNCATE holds, outbox, sites');
  for (const table of ['template_versions', 'templates', 'api_keys', 'domains'])
    await exec(`DELETE FROM ${table}`);
  for (const sink of Object.values(live.sinks)) sink.messages.length = 0;
});

const exec = (text: string, ...params: unknown[]) => live.db.exec(adHoc(text), params);
const newOrganization = async (name: string) =>
  (await createOrganization(live.db, systemClock, { name, dailyLimit: 0 })).id;
const run = (...argv: string[]) => {
  const settings = { POSTRIDER_MODE: 'live', POSTRIDER_SECRET_KEY: TEST_SECRET_KEY };
  return runCommand(argv, { DATABASE_URL: live.database.url, ...settings });
};

async function template(id: string): Promise<void> {
  await exec(
    `INSERT INTO templates (organization_id, id, name, alias, subject, version, created_at, updated_at)
     VALUES ($1, $2, $2, replace($2, 'tmpl_', ''), 'S', 1, now(), now())`,
    first,
    id,
  );
  await exec(
    `INSERT INTO template_versions (organization_id, template_id, version, subject, html, text, created_at)
     VALUES ($1, $2, 1, 'S', '<p>x</p>', 'x', now())`,
    first,
    id,
  );
}

/** The sender's address of the mail names its part. */
async function seed(part: Part): Promise<void> {
  const { site, count, template, key, tag } = PARTS[part];
  const from = `${part}@${domainOf(part)}`;
  const tags = tag === null ? {} : { tags: [{ name: 'campaign', value: tag }] };
  await live.seed(site, organizationOf(part), count, { from, ...tags });
  await exec(
    'UPDATE emails SET template_id = $2, template_version = 1, api_key_id = $3 WHERE from_email = $1',
    from,
    template,
    key,
  );
  await exec(
    `UPDATE email_contents SET template_data = '{}', html = NULL, text = NULL
     WHERE $2::text IS NOT NULL AND email_id IN (SELECT id FROM emails WHERE from_email = $1)`,
    from,
    template,
  );
}

/** The sent mail by part, after a worker has sent all mail that it may send. */
async function sentByPart(): Promise<Partial<Record<Part, number>>> {
  const worker = await live.startWorker();
  await until(
    async () =>
      (
        await live.db.one(
          adHoc<{ count: number }>(
            `SELECT count(*) FROM outbox o WHERE hold_id IS NULL AND due_at <= now() + interval '1 minute'
               AND NOT EXISTS (SELECT FROM holds WHERE scope = 'all' AND lifted_at IS NULL)
               AND NOT EXISTS (SELECT FROM sites s JOIN site_domains d ON d.site = s.name
                               WHERE d.domain = o.domain AND s.paused_at IS NOT NULL)`,
          ),
        )
      ).count,
    (count) => count === 0,
  );
  await live.stopWorker(worker);
  const sent: Partial<Record<Part, number>> = {};
  for (const { content } of Object.values(live.sinks).flatMap((sink) => sink.messages)) {
    const [, name] = /^From: .*?(\w+)@/m.exec(content.toString()) ?? [];
    const part = ALL.find((one) => one === name) as Part;
    sent[part] = (sent[part] ?? 0) + 1;
  }
  return sent;
}

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const whole = (...parts: Part[]) => Object.fromEntries(parts.map((part) => [part, PARTS[part].count]));
const sizeOf = (...parts: Part[]) => parts.reduce((sum, part) => sum + PARTS[part].count, 0);

describe('a command that holds', () => {
  it.each<[string, () => string[], Part[]]>([
    ['everything', () => ['all'], ALL],
    ['an organization', () => ['organization', second], ['others']],
    ['a sending domain', () => ['domain', 'shop.test'], ['receipt', 'news', 'letters']],
    ['a template by its alias', () => ['template', 'receipt'], ['receipt']],
    ['a template by its id', () => ['template', 'tmpl_news', '--org', first], ['news']],
    ['a tag', () => ['tag', 'campaign:autumn'], ['news', 'letters']],
    ['a key', () => ['key', 'key_leaked'], ['letters']],
    ['a site', () => ['provider', 'mx.small.test'], ['letters', 'others']],
  ])('%s says how much it covers, and lets the rest go', async (_what, args, held) => {
    const { code, out, err } = await run('hold', ...args(), ...REASON);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(
      `The hold covers ${sizeOf(...held).toLocaleString('en')} deliveries in the queue now.`,
    );
    expect(await sentByPart()).toEqual(whole(...ALL.filter((part) => !held.includes(part))));
  });

  it.each<[string, string[]]>([
    ['a template', ['template', 'reciept']],
    ['a tag', ['tag', 'campaign:wintre']],
    ['a domain', ['domain', 'shpo.test']],
    ['a key', ['key', 'key_leakde']],
    ['a site', ['provider', 'mx.samll.test']],
    ['an organization', ['organization', 'org_none']],
  ])('refuses %s that is misspelt, and holds nothing', async (_what, args) => {
    const { code, out } = await run('hold', ...args, ...REASON);
    expect([code === 0, out]).toEqual([false, '']);
    expect((await run('hold', 'list')).out).toBe('Nothing is held.');
  });
});

describe('a command that ends mail', () => {
  it('discards what a hold covers, and nothing else', async () => {
    const { out } = await run('hold', 'template', 'receipt', ...REASON);
    const id = /release (hold_\w+)/.exec(out)?.[1] ?? '';
    const { out: said } = await run('discard', id, ...REASON, '--yes');
    expect(said).toContain('300 discarded.');
    expect(await sentByPart()).toEqual(whole('news', 'letters', 'others'));
  });

  it('releases what a hold covers', async () => {
    await run('hold', 'tag', 'campaign:spring', ...REASON);
    expect((await run('release', '--yes')).code).toBe(0);
    expect(await sentByPart()).toEqual(whole(...ALL));
  });

  it('revokes a key and withdraws what it queued', async () => {
    const { out } = await run('key', 'revoke', 'key_leaked', '--mail', 'withdraw', '--yes');
    expect(out).toContain('Withdrawn: 200 deliveries that the key had queued.');
    expect(await sentByPart()).toEqual(whole('receipt', 'news', 'others'));
  });

  it('revokes a key and holds what it queued', async () => {
    const { out } = await run('key', 'revoke', 'key_shop', '--mail', 'hold');
    expect(out).toContain('The hold covers 600 deliveries in the queue now.');
    expect(await sentByPart()).toEqual(whole('letters', 'others'));
  });

  it('suppresses an address, and lets mail to others go', async () => {
    expect((await run('suppression', 'add', 'r1@small.test', '--org', second)).code).toBe(0);
    expect(await sentByPart()).toEqual({ ...whole(...ALL), others: PARTS.others.count - 1 });
  });

  it.each<[string, () => string[]]>([
    ['a hold', () => ['discard', 'hold_none', ...REASON, '--yes']],
    ['a hold to release', () => ['release', 'hold_none', '--yes']],
    ['a key', () => ['key', 'revoke', 'key_none', '--mail', 'withdraw', '--yes']],
    ['a mode', () => ['queue', 'discard', '--mode', 'test', '--yes']],
  ])('refuses %s that there is not, and ends no mail', async (_what, args) => {
    const { code, out } = await run(...args());
    expect([code === 0, out]).toEqual([false, '']);
    expect(await live.queued()).toBe(sizeOf(...ALL));
  });

  it('discards the queue of a mode', async () => {
    const sandbox = await run('queue', 'discard', '--mode', 'sandbox', '--yes');
    expect(sandbox.out).toContain('were discarded: 0.');
    const done = await run('queue', 'discard', '--mode', 'live', '--yes');
    expect(done.out).toContain('were discarded: 1000.');
    expect(await sentByPart()).toEqual({});
  });
});

describe('a command about a site', () => {
  it('pauses it, says how much waits for it, and lets mail to others go', async () => {
    const { out } = await run('queue', 'pause', 'mx.small.test');
    expect(out).toContain('Deliveries in the queue that wait for this site now: 400.');
    expect(await sentByPart()).toEqual(whole('receipt', 'news'));
  });

  it('resumes it', async () => {
    await run('queue', 'pause', 'mx.small.test');
    expect((await run('queue', 'resume', 'mx.small.test')).out).toContain('is open again');
    expect(await sentByPart()).toEqual(whole(...ALL));
  });

  it('makes deferred mail for it due, and no other', async () => {
    await exec(`UPDATE outbox SET due_at = now() + interval '1 hour', attempt = 1`);
    expect((await run('queue', 'flush', 'mx.small.test')).out).toContain(
      '400 deferred deliveries are due now.',
    );
    expect(await sentByPart()).toEqual(whole('letters', 'others'));
  });

  it('makes deferred mail of an organization due, and no other', async () => {
    await exec(`UPDATE outbox SET due_at = now() + interval '1 hour', attempt = 1`);
    expect((await run('queue', 'flush', '--org', second)).out).toContain(
      '200 deferred deliveries are due now.',
    );
    expect(await sentByPart()).toEqual(whole('others'));
    expect(await run('queue', 'flush', '--org', 'org_none')).toMatchObject({ code: 1, out: '' });
  });

  it.each(['pause', 'resume', 'try-now', 'flush'])(
    'refuses one that there is not: queue %s',
    async (verb) => {
      const { code, out } = await run('queue', verb, 'mx.samll.test');
      expect([code, out]).toEqual([1, '']);
    },
  );

  it('tries nothing where it is not held up, and says so', async () => {
    expect((await run('queue', 'try-now', 'mx.small.test')).out).toContain('is not held up');
  });
});

describe('a command about an incident', () => {
  const WINDOW = ['--from', '2026-01-01T00:00Z', '--to', '2026-01-01T01:00Z'];

  it.each([
    ['--template', 'reciept'],
    ['--tag', 'campaign:wintre'],
    ['--provider', 'mx.samll.test'],
    ['--org', 'org_none'],
  ])('refuses a filter that matches nothing: %s', async (option, value) => {
    for (const command of [
      ['incident', ...WINDOW],
      ['undo', ...WINDOW, ...REASON, '--yes'],
    ]) {
      const { code, out } = await run(...command, option, value);
      expect([code === 0, out]).toEqual([false, '']);
    }
  });

  it('queues what bounced at one provider again, and nothing else', async () => {
    await bounceQueue(live.db, sizeOf(...ALL));
    const now = ['--from', ago(3_600_000), '--to', ago(-60_000), '--provider', 'mx.small.test'];
    expect((await run('incident', ...now)).out).toContain('An undo would queue 200 recipients again');
    expect((await run('undo', ...now, ...REASON)).err).toContain('To be queued again: 400.');
    const { code, out, err } = await run('undo', ...now, ...REASON, '--yes');
    expect([code, err]).toEqual([0, '']);
    expect(out.match(/200 recipients queued again, 200 suppressions lifted\./g)).toHaveLength(2);
    expect(await sentByPart()).toEqual(whole('letters', 'others'));
  });

  it('knows a template by its alias', async () => {
    expect(await run('incident', ...WINDOW, '--template', 'receipt')).toMatchObject({
      code: 0,
      out: 'Nothing bounced.',
    });
  });
});
