import { afterEach, describe, expect, it } from 'vitest';
import { address } from '../support/addresses.ts';
import {
  MAIL_HOST,
  startValidation,
  TAKES_MAIL,
  type TestValidation,
  type TestValidationOptions,
} from '../support/validation.ts';

const started: TestValidation[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await one.stop();
});

async function start(zone = {}, options: TestValidationOptions = {}): Promise<TestValidation> {
  const validation = await startValidation({ ...MAIL_HOST, 'corp.com': TAKES_MAIL, ...zone }, options);
  started.push(validation);
  return validation;
}

describe('a batch', () => {
  it('keeps the order, duplicates and entries that are no addresses', async () => {
    const { validate } = await start();
    const asked = ['b@corp.com', 'not an address', 'a@corp.com', 'b@corp.com', '', 'a@foo.test'];
    const results = await validate(...asked);
    expect(results.map(({ address }) => (address.ok ? address.email : ''))).toEqual([
      'b@corp.com',
      '',
      'a@corp.com',
      'b@corp.com',
      '',
      'a@foo.test',
    ]);
    expect(results.map((one) => one.verdict)).toEqual([
      'deliverable',
      'undeliverable',
      'deliverable',
      'deliverable',
      'undeliverable',
      'undeliverable',
    ]);
  });

  it('asks DNS once for each domain, however it is spelled', async () => {
    const { validate, zone } = await start();
    await validate('a@corp.com', 'b@corp.com', 'c@CORP.com', 'a@corp.com');
    expect(zone.count('corp.com', 'MX')).toBe(1);
    expect(zone.count('corp.com', 'A')).toBe(1);
    expect(zone.count('mx.mail-host.com', 'A')).toBe(1);
  });

  it('asks nothing for reserved names, literals and what is no address', async () => {
    const { validate, zone } = await start();
    await validate('a@foo.test', 'a@example.org', 'a@[192.0.2.1]', 'nonsense', 'a@b.localhost');
    expect(zone.queries).toEqual([]);
  });

  it('looks many domains up side by side', async () => {
    const domains = Array.from({ length: 30 }, (_, at) => `corp${at}.com`);
    const { validate, zone } = await start(Object.fromEntries(domains.map((one) => [one, TAKES_MAIL])));
    zone.hold();
    const under = validate(...domains.map((domain) => `a@${domain}`));
    for (const domain of domains) await zone.asked(domain);
    zone.release();
    expect((await under).every((one) => one.verdict === 'deliverable')).toBe(true);
  });
});

describe('the time budget', () => {
  it('ends the waiting for DNS, and what is not known then is unknown', async () => {
    const { validate } = await start({ 'silent.com': 'TIMEOUT' }, { budgetMs: 50, timeoutMs: 20_000 });
    const before = performance.now();
    const [result] = await validate('a@silent.com');
    expect(performance.now() - before).toBeLessThan(10_000);
    expect(result?.checks.mx.status).toBe('unknown');
    expect(result?.score).toBe(0.2);
  });

  it('asks nothing when there is none', async () => {
    const { validate, zone } = await start({}, { budgetMs: 0 });
    const [result] = await validate('a@corp.com');
    expect([result?.checks.mx.status, result?.checks.dns.status, result?.score]).toEqual([
      'unknown',
      'unknown',
      0.2,
    ]);
    expect(zone.queries).toEqual([]);
  });
});

describe('the lists of the organization', () => {
  it('make a domain disposable with everything below it', async () => {
    const { one } = await start({ 'a.corp.com': TAKES_MAIL }, { deny: ['corp.com'] });
    for (const email of ['jane@corp.com', 'jane@a.corp.com']) {
      const result = await one(email);
      expect(result.checks.disposable).toMatchObject({ status: 'fail', reason: 'denied_by_organization' });
      expect(result.checks.free_provider.provider_type).toBe('disposable');
      expect(result.score).toBe(0.65);
    }
  });

  it('make a disposable domain an ordinary one', async () => {
    const zone = { 'mailinator.com': TAKES_MAIL };
    const { one } = await start(zone, { allow: ['mailinator.com'] });
    const result = await one('jane@mailinator.com');
    expect(result.checks.disposable).toMatchObject({ status: 'pass', reason: 'allowed_by_organization' });
    expect(result.score).toBe(0);
  });
});

describe('the history of the organization', () => {
  it('sets a floor for an address that bounced, and a higher one for one that is suppressed', async () => {
    const past = new Map([
      [address('bounced@corp.com').key, 'hard_bounce'],
      [address('gone@corp.com').key, 'suppressed'],
    ] as const);
    const { validate } = await start({}, { past });
    const results = await validate('Bounced@corp.com', 'gone@corp.com', 'other@corp.com');
    expect(results.map((one) => [one.score, one.signals])).toEqual([
      [0.9, ['hard_bounced']],
      [0.95, ['suppressed']],
      [0, []],
    ]);
  });
});

describe('the domains of the sandbox', () => {
  it('take mail while the sandbox runs, and are reserved names otherwise', async () => {
    const sandbox = await start({}, { sandboxDomains: ['simulator.test'] });
    const live = await start();
    expect((await sandbox.one('delivered@simulator.test')).verdict).toBe('deliverable');
    expect((await sandbox.one('jane@other.test')).verdict).toBe('undeliverable');
    expect((await live.one('delivered@simulator.test')).verdict).toBe('undeliverable');
  });
});

describe('a top-level domain that is not on our list', () => {
  it('is taken for real when DNS knows it, for wrong when DNS does not, and left open when DNS is silent', async () => {
    const zone = { 'corp.brandnew': TAKES_MAIL, 'corp.silentnew': 'SERVFAIL' };
    const { validate } = await start(zone);
    const [known, missing, silent] = await validate(
      'a@corp.brandnew',
      'a@corp.missingnew',
      'a@corp.silentnew',
    );
    expect([known?.checks.typo.status, known?.score]).toEqual(['pass', 0]);
    expect([missing?.checks.typo.status, missing?.score]).toEqual(['fail', 0.95]);
    expect([silent?.checks.typo.status, silent?.score]).toEqual(['unknown', 0.2]);
  });
});
