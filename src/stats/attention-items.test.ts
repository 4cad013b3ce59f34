import { describe, expect, it } from 'vitest';
import type { AttentionFacts } from './attention-facts.ts';
import { attentionOf } from './attention-items.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
const ago = (minutes: number) => new Date(NOW - minutes * 60_000);
const domain = {
  id: 'dom_1',
  domain: 'a.example',
  spf_verified: true,
  dkim_verified: true,
  failing_since: null,
};
const webhook = {
  id: 'whk_1',
  url: 'https://a.example/hook',
  enabled: true,
  disabled_reason: null,
  failing_since: null,
  last_error: null,
};
const counts = {
  sent: 0,
  queued: 0,
  delivered: 0,
  bounced: 0,
  failed: 0,
  opened: 0,
  complained: 0,
  clicked: 0,
};
const well: AttentionFacts = {
  nowMs: NOW,
  domains: [domain],
  webhooks: [webhook],
  sendingHosts: [],
  ownKey: null,
  dailyLimit: 0,
  usedToday: 0,
  oldestDueAt: null,
  isWorkerRunning: true,
  isAnyClaimed: true,
  heldUp: [],
  holds: [],
  guardFindings: [],
  warmUps: [],
  rolledBack: [],
  lastDays: counts,
  refused: [],
  reported: [],
  trackingHosts: [],
};

const about = (facts: Partial<AttentionFacts>) =>
  attentionOf({ ...well, ...facts }).map(({ kind, severity, id }) => [kind, severity, id]);

describe('the attention list', () => {
  it('is empty when all is well', () => {
    expect(about({})).toEqual([]);
    expect(about({ dailyLimit: 100, usedToday: 79, oldestDueAt: ago(4) })).toEqual([]);
  });

  it('includes a reduced warm-up limit as a warning, and a finished warm-up as information', () => {
    const turn = { address: '192.0.2.8', provider: 'google', day: '2026-11-14', before: 250 };
    const bent = { ...turn, kind: 'bent', after: 100, used: 200, objected: 60, complained: 1 } as const;
    expect(attentionOf({ ...well, warmUps: [bent] })).toMatchObject([
      {
        ...{ kind: 'warm_up_bent', severity: 'warning', name: '192.0.2.8 to google' },
        message:
          'The daily limit of 192.0.2.8 for google changed from 250 to 100: of 200 emails on 2026-11-14, 60 were refused or deferred and 1 reported as spam.',
      },
    ]);
    const done = { ...bent, kind: 'done', after: null } as const;
    expect(about({ warmUps: [done] })).toEqual([['warm_up_done', 'info', null]]);
  });

  it('includes a canary that was rolled back, with its figures', () => {
    const share = { canary: 'off-acme', transport: 'pool', provider: 'google' };
    const message = 'No mail to google goes through pool any more: 17 of 21 were deferred there.';
    const items = attentionOf({
      ...well,
      rolledBack: [
        { ...share, message },
        { ...share, message: null },
      ],
    });
    expect(items).toMatchObject([
      {
        ...{ kind: 'canary_fallen', severity: 'warning', id: null, name: 'off-acme to google' },
        message: `The canary off-acme fell back automatically. ${message}`,
      },
      {
        message: 'The canary off-acme fell back automatically. No mail to google goes through pool any more.',
      },
    ]);
  });

  it('includes a tracking host of a verified domain whose check failed', () => {
    const looked = (status: 'fail' | 'pass' | 'pending' | 'unknown', more: object = {}) => {
      const check = { status, expected: 'mail.host.test', found: [], message: 'Publish a CNAME record.' };
      const host = { domain_id: domain.id, host: 'links.example.org', host_check: check, ...more };
      return about({ trackingHosts: [host] });
    };
    expect(looked('fail')).toEqual([['domain_tracking_host', 'warning', domain.id]]);
    expect([looked('pass'), looked('pending'), looked('unknown')]).toEqual([[], [], []]);
    expect(looked('fail', { host: null })).toEqual([]);
    expect(looked('fail', { domain_id: 'dom_gone' })).toEqual([]);
    const unverified = { ...domain, dkim_verified: false };
    const check = { status: 'fail', expected: '', found: [], message: '' } as const;
    const host = { domain_id: domain.id, host: 'links.example.org', host_check: check };
    const kinds = about({ domains: [unverified], trackingHosts: [host] }).map(([kind]) => kind);
    expect(kinds).not.toContain('domain_tracking_host');
  });

  it('includes our own mail that receivers did not attribute to the domain, above a fiftieth of at least 100', () => {
    const reported = (messages: number, failed: number, id = domain.id) =>
      about({ reported: [{ domain_id: id, messages, failed }] });
    expect(reported(100, 3)).toEqual([['reports_failing', 'warning', domain.id]]);
    expect(reported(100, 2)).toEqual([]);
    expect(reported(99, 99)).toEqual([]);
    expect(reported(100, 3, 'dom_gone')).toEqual([]);
  });

  it('includes a host whose mail is refused, or whose links do not work', () => {
    const findings = [
      { about: 'reverse_dns', status: 'fail', message: 'no PTR' },
      { about: 'public_url', status: 'warn', message: 'not https' },
      { about: 'spf', status: 'pass', message: 'right' },
      { about: 'address', status: 'unknown', message: 'no answer' },
    ] as const;
    expect(about({ sendingHosts: [{ host: 'mail.a.example', findings }] })).toEqual([
      ['sending_host', 'critical', null],
      ['tracking_off', 'warning', null],
    ]);
  });

  it('includes our own domain while its DKIM record is wrong, more severely once mail was signed by it', () => {
    const check = (status: 'pass' | 'fail' | 'unknown') => {
      const name = 'pr1._domainkey.host.example';
      return {
        record: 'dkim',
        status,
        type: 'TXT',
        name,
        expected: '',
        found: [],
        message: 'No record.',
      } as const;
    };
    const key = { domain: 'host.example', switches: [], missing_since: null, last_check: null };
    expect(about({ ownKey: key })).toEqual([]);
    expect(about({ ownKey: { ...key, last_check: check('unknown') } })).toEqual([]);
    const waiting = attentionOf({ ...well, ownKey: { ...key, last_check: check('fail') } });
    expect(waiting).toMatchObject([{ kind: 'sending_host', severity: 'info', name: 'host.example' }]);
    expect(waiting[0]?.message).toContain('No record. `npx postrider dkim` shows the record.');
    const signs = { ...key, switches: [ago(9_000)] };
    expect(about({ ownKey: { ...signs, last_check: check('pass') } })).toEqual([]);
    expect(about({ ownKey: { ...signs, missing_since: ago(60), last_check: check('fail') } })).toEqual([
      ['sending_host', 'warning', null],
    ]);
  });

  it('includes a domain that is not verified, or soon will not be', () => {
    expect(about({ domains: [domain, { ...domain, id: 'dom_2', dkim_verified: false }] })).toEqual([
      ['domain_unverified', 'warning', 'dom_2'],
    ]);
    expect(about({ domains: [{ ...domain, failing_since: ago(4) }] })).toEqual([
      ['domain_failing', 'critical', 'dom_1'],
    ]);
    expect(about({ domains: [] })).toEqual([['no_verified_domain', 'critical', null]]);
  });

  it('includes a webhook that was disabled automatically, or that fails', () => {
    const disabled = { ...webhook, enabled: false };
    expect(about({ webhooks: [{ ...disabled, disabled_reason: 'manual' }] })).toEqual([]);
    expect(about({ webhooks: [{ ...disabled, disabled_reason: 'failing' }] })).toEqual([
      ['webhook_disabled', 'warning', 'whk_1'],
    ]);
    expect(about({ webhooks: [{ ...webhook, failing_since: ago(1) }] })).toEqual([]);
    expect(about({ webhooks: [{ ...webhook, failing_since: ago(60) }] })).toEqual([
      ['webhook_failing', 'warning', 'whk_1'],
    ]);
  });

  it('includes a limit that is nearly or fully used', () => {
    expect(about({ dailyLimit: 100, usedToday: 80 })).toEqual([['sending_limit_near', 'warning', null]]);
    expect(about({ dailyLimit: 100, usedToday: 100 })).toEqual([['sending_limit_reached', 'critical', null]]);
  });

  it('includes, within seconds, due mail without a running worker', () => {
    const late = (minutes: number) => ({
      oldestDueAt: ago(minutes),
      isWorkerRunning: false,
      isAnyClaimed: false,
    });
    expect(about(late(9 / 60))).toEqual([]);
    expect(about(late(10 / 60))).toEqual([['nobody_delivers', 'critical', null]]);
    expect(attentionOf({ ...well, ...late(6) })[0]?.message).toBe(
      'Mail has been due for 6 minutes, and no worker delivers it: no worker is running, so nothing is sent.',
    );
  });

  it('includes, within seconds, running workers that claim no mail', () => {
    expect(about({ oldestDueAt: ago(14 / 60), isAnyClaimed: false })).toEqual([]);
    expect(about({ oldestDueAt: ago(15 / 60), isAnyClaimed: false })).toEqual([
      ['nobody_delivers', 'critical', null],
    ]);
    expect(about({ oldestDueAt: ago(15 / 60) })).toEqual([]);
    expect(attentionOf({ ...well, oldestDueAt: ago(6) })[0]?.message).toContain(
      'the running workers cannot keep up',
    );
  });

  it('includes a site that has held mail up for minutes', () => {
    const site = {
      id: 'site_1',
      name: 'mx',
      state: 'slow',
      message: 'It asked for less.',
      reply: null,
      due: 1,
    } as const;
    expect(about({ heldUp: [{ ...site, oldest_due_at: ago(4) }] })).toEqual([]);
    expect(about({ heldUp: [{ ...site, oldest_due_at: ago(5) }] })).toEqual([
      ['site_waiting', 'info', 'site_1'],
    ]);
    expect(about({ heldUp: [{ ...site, oldest_due_at: ago(30) }] })).toEqual([
      ['site_waiting', 'warning', 'site_1'],
    ]);
  });

  it('includes mail that is delayed for no other reason', () => {
    expect(about({ oldestDueAt: ago(5) })).toEqual([['queue_delayed', 'warning', null]]);
    expect(about({ oldestDueAt: ago(30) })).toEqual([['queue_delayed', 'critical', null]]);
  });

  it('includes held mail, and then not the delay of the queue', () => {
    const hold = { id: 'hold_1', scope: 'all', value: null, reason: 'Restored', by_operator: true } as const;
    const facts = { holds: [{ ...hold, placed_at: ago(60) }], oldestDueAt: ago(30) };
    expect(about(facts)).toEqual([['mail_held', 'warning', 'hold_1']]);
    expect(attentionOf({ ...well, ...facts })[0]?.message).toBe(
      'All mail of this installation has been held by the operator since 2026-11-15 11:00 UTC: Restored',
    );
    const tag = {
      ...hold,
      scope: 'tag',
      value: 'kind:news',
      by_operator: false,
      placed_at: ago(60),
    } as const;
    expect(attentionOf({ ...well, holds: [tag] })[0]?.message).toContain(
      'Mail with the tag kind:news has been held since',
    );
  });

  it('includes rates that providers object to, above a minimum of mail', () => {
    expect(about({ lastDays: { ...counts, sent: 99, delivered: 90, bounced: 9 } })).toEqual([]);
    expect(about({ lastDays: { ...counts, sent: 1000, delivered: 980, bounced: 20 } })).toEqual([]);
    expect(about({ lastDays: { ...counts, sent: 1000, delivered: 979, bounced: 21 } })).toEqual([
      ['bounce_rate_high', 'warning', null],
    ]);
    expect(about({ lastDays: { ...counts, sent: 1000, delivered: 1000, complained: 4 } })).toEqual([
      ['complaint_rate_high', 'critical', null],
    ]);
  });

  it('includes the three most frequent reasons for refused requests', () => {
    const refused = [
      { code: 'DOMAIN_NOT_VERIFIED', count: 1_312 },
      { code: 'RECIPIENTS_SUPPRESSED', count: 1 },
      { code: 'HEADERS_TOO_LARGE', count: 1 },
      { code: 'RATE_LIMITED', count: 1 },
    ];
    const items = attentionOf({ ...well, refused });
    expect(items.map(({ id, severity, message }) => [id, severity, message])).toEqual([
      [
        'DOMAIN_NOT_VERIFIED',
        'warning',
        "1,312 requests were refused in the last hour: the sender's domain is not verified.",
      ],
      ['HEADERS_TOO_LARGE', 'warning', '1 request was refused in the last hour: HEADERS_TOO_LARGE.'],
      [
        'RECIPIENTS_SUPPRESSED',
        'info',
        '1 request was refused in the last hour: a recipient is on the suppression list.',
      ],
    ]);
  });

  it('begins with the most severe item', () => {
    const webhooks = [{ ...webhook, enabled: false, disabled_reason: 'gone' }];
    expect(about({ webhooks, domains: [] }).map(([, severity]) => severity)).toEqual(['critical', 'warning']);
  });
});
