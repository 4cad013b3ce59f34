import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkSoon, claimDue } from '../../src/domains/check-store.ts';
import { DomainService } from '../../src/domains/service.ts';
import { insertDomain } from '../../src/domains/store.ts';
import { presentDomain } from '../../src/domains/view.ts';
import { claimDueDomains, createDomainChecks, recheck } from '../../src/operations/domain-checks.ts';
import { enterMode } from '../../src/operations/enter-mode.ts';
import { HOUR_MS } from '../../src/runtime/durations.ts';
import { newId } from '../../src/runtime/ids.ts';
import { createSandboxTxt } from '../../src/sandbox/dns.ts';
import { domainName } from '../support/addresses.ts';
import { until } from '../support/until.ts';
import { DomainFixture, HOST } from './fixture.ts';

let fixture: DomainFixture;
beforeAll(async () => {
  fixture = await DomainFixture.start();
});
afterAll(() => fixture.stop());
afterEach(async () => {
  for (const { id } of await fixture.domains.list({ organizationId: fixture.organizationId })) {
    await fixture.domains.remove(fixture.organizationId, id);
  }
  fixture.zone.replaceZone({});
  fixture.clock.offsetMs = 0;
  fixture.logged.splice(0);
});

const later = (hours: number) => {
  fixture.clock.offsetMs += hours * HOUR_MS;
};

describe('checks in the background', () => {
  it('find the records of a new domain soon after they are published', async () => {
    const row = await fixture.register('new.example');
    expect(await fixture.round()).toEqual([]);
    later(1 / 60);
    expect(await fixture.round()).toEqual(['new.example']);
    expect((await fixture.find(row.id)).dkim_verified).toBe(false);
    fixture.publish(row);
    later(2.1 / 60);
    await fixture.round();
    expect(await fixture.find(row.id)).toMatchObject({
      spf_verified: true,
      dkim_verified: true,
      verified_in: 'live',
    });
    expect(fixture.eventsOf('new.example')).toEqual(['domain_verified']);
  });

  it('run by themselves once the service is started', async () => {
    const row = await fixture.register('service.example');
    fixture.publish(row);
    later(1);
    const checks = createDomainChecks(fixture.deps);
    await checks.start();
    await fixture.zone.asked('service.example');
    await until(async () => (await fixture.find(row.id)).spf_verified);
    await checks.stop();
    expect(fixture.eventsOf('service.example')).toEqual(['domain_verified']);
  });

  it('are made once, however many workers look', async () => {
    for (let n = 0; n < 5; n += 1) await fixture.register(`many${n}.example`);
    later(1);
    fixture.zone.forgetQueries();
    const rounds = await Promise.all(Array.from({ length: 6 }, () => fixture.round()));
    expect(rounds.flat().sort()).toEqual([0, 1, 2, 3, 4].map((n) => `many${n}.example`));
    for (let n = 0; n < 5; n += 1) expect(fixture.zone.count(`many${n}.example`, 'TXT')).toBe(1);
  });

  it('are left to others when the worker that claimed them is gone', async () => {
    await fixture.register('left.example');
    later(1);
    const now = new Date(fixture.clock.nowMs());
    expect(await claimDue(fixture.test.db, now, 10, new Date(now.getTime() + 300_000))).toHaveLength(1);
    expect(await fixture.round()).toEqual([]);
    later(0.1);
    expect(await fixture.round()).toEqual(['left.example']);
  });

  it('hold no connection while DNS is slow', async () => {
    const row = await fixture.register('slow.example');
    fixture.publish(row);
    fixture.zone.hold();
    const verifying = Array.from({ length: 30 }, () =>
      fixture.domains.verify({ organizationId: fixture.organizationId }, row.id),
    );
    await fixture.zone.asked('slow.example');
    expect((await fixture.find(row.id)).id).toBe(row.id);
    fixture.zone.release();
    expect((await Promise.all(verifying)).every((one) => one.check_number > 0)).toBe(true);
    expect((await fixture.find(row.id)).check_number).toBe(30);
  });

  it('say nothing of a domain that is deleted meanwhile', async () => {
    const row = await fixture.register('deleted.example');
    later(1);
    fixture.zone.hold();
    const round = fixture.round();
    await fixture.zone.asked('deleted.example');
    await fixture.domains.remove(fixture.organizationId, row.id);
    fixture.zone.release();
    expect(await round).toEqual(['deleted.example']);
    expect(fixture.logged).toEqual([]);
  });
});

describe('a verified domain that loses its records', () => {
  it('is warned about for 72 hours and then stops sending', async () => {
    const { id } = await fixture.verified('lost.example');
    fixture.zone.remove('lost.example');
    later(24.5);
    await fixture.round();
    const failing = await fixture.find(id);
    expect(failing).toMatchObject({ spf_verified: true, dkim_verified: true });
    const stops = new Date((failing.failing_since as Date).getTime() + 72 * HOUR_MS).toISOString();
    expect(presentDomain(failing, HOST).warning).toBe(
      `Its DNS records are wrong. Unless they are fixed, it stops sending at ${stops}. lost.example has no SPF record. Publish a TXT record at lost.example with the value: v=spf1 include:mail.host.test ~all`,
    );
    for (let hours = 6; hours < 72; hours += 6) {
      later(6);
      await fixture.round();
      expect((await fixture.find(id)).spf_verified).toBe(true);
    }
    later(6.1);
    await fixture.round();
    expect(await fixture.find(id)).toMatchObject({
      spf_verified: false,
      dkim_verified: true,
      verified_at: null,
      failing_since: null,
    });
    expect(fixture.eventsOf('lost.example')).toEqual([
      'domain_verified',
      ...Array(12).fill('domain_verification_failing'),
      'domain_unverified',
    ]);
  });

  it('goes on when they come back', async () => {
    const row = await fixture.verified('back.example');
    fixture.zone.set('back.example', { TXT: ['v=spf1 -all'] });
    later(25);
    await fixture.round();
    fixture.publish(row);
    later(7);
    await fixture.round();
    expect(await fixture.find(row.id)).toMatchObject({ spf_verified: true, failing_since: null });
    expect(fixture.eventsOf('back.example').slice(1)).toEqual([
      'domain_verification_failing',
      'domain_verification_recovered',
    ]);
  });

  it.each(['SERVFAIL', 'TIMEOUT', 'REFUSED'] as const)(
    'is not touched by %s, however long',
    async (failure) => {
      const { id, selector } = await fixture.verified('silent.example');
      fixture.zone.set('silent.example', failure);
      fixture.zone.set(`${selector}._domainkey.silent.example`, failure);
      fixture.zone.set('_dmarc.silent.example', failure);
      for (let day = 0; day < 10; day += 1) {
        later(25);
        expect(await fixture.round()).toEqual(['silent.example']);
      }
      expect(
        (await fixture.domains.verify({ organizationId: fixture.organizationId }, id)).checks,
      ).toMatchObject([{ status: 'unknown' }, { status: 'unknown' }, { status: 'unknown' }]);
      expect(await fixture.find(id)).toMatchObject({
        spf_verified: true,
        dkim_verified: true,
        failing_since: null,
      });
    },
  );

  it('keeps its time of grace when someone asks, and the answer says what is wrong', async () => {
    const { id } = await fixture.verified('asked.example');
    fixture.zone.remove('asked.example');
    const asked = () => fixture.domains.verify({ organizationId: fixture.organizationId }, id);
    for (let times = 0; times < 5; times += 1) {
      const after = await asked();
      expect(after).toMatchObject({ spf_verified: true, dkim_verified: true });
      expect(presentDomain(after, HOST)).toMatchObject({
        is_verified: true,
        warning: expect.stringContaining('asked.example has no SPF record'),
        checks: [{ status: 'pass' }, { status: 'fail' }, { status: 'warn' }],
      });
    }
    later(73);
    expect(await asked()).toMatchObject({ spf_verified: false, dkim_verified: true, verified_at: null });
  });
});

describe('a sender that receivers refuse', () => {
  it('is looked at at once, and then at most every three minutes', async () => {
    const row = await fixture.verified('refused.example');
    fixture.zone.remove(`${row.selector}._domainkey.refused.example`);
    const refused = () =>
      checkSoon(fixture.test.db, fixture.organizationId, 'refused.example', fixture.clock.nowMs());
    later(1);
    expect(await fixture.round()).toEqual([]);
    await refused();
    expect(await fixture.round()).toEqual(['refused.example']);
    expect((await fixture.find(row.id)).failing_since).not.toBeNull();
    await refused();
    expect(await fixture.round()).toEqual([]);
    later(3.1 / 60);
    expect(await fixture.round()).toEqual(['refused.example']);
    expect(fixture.eventsOf('refused.example').slice(1)).toEqual(
      Array(2).fill('domain_verification_failing'),
    );
  });
});

describe('changing from the sandbox to live', () => {
  const inSandbox = () => ({
    ...fixture.deps,
    mode: 'sandbox' as const,
    txtLookups: () => createSandboxTxt({ db: fixture.test.db, host: HOST }),
  });

  it('ends what only the sandbox vouched for, and nothing else', async () => {
    const real = await fixture.verified('real.example');
    const sandbox = new DomainService(inSandbox());
    const toy = await sandbox.register(fixture.organizationId, domainName('toy.example'));
    expect((await sandbox.verify({ organizationId: fixture.organizationId }, toy.id)).verified_in).toBe(
      'sandbox',
    );
    await sandbox.verify({ organizationId: fixture.organizationId }, real.id);
    await enterMode(fixture.test.db, 'live', fixture.clock);
    expect(await fixture.find(toy.id)).toMatchObject({
      spf_verified: false,
      dkim_verified: false,
      checks: null,
    });
    expect(await fixture.find(real.id)).toMatchObject({ spf_verified: true, dkim_verified: true });
    expect(await fixture.round()).toEqual(['toy.example']);
  });

  it('looks at everything again on the way back', async () => {
    const row = await fixture.register('toy.example');
    await enterMode(fixture.test.db, 'sandbox', fixture.clock);
    const deps = inSandbox();
    for (const due of await claimDueDomains(deps, 10)) await recheck(deps, due);
    expect(await fixture.find(row.id)).toMatchObject({ spf_verified: true, verified_in: 'sandbox' });
  });

  it('leaves alone what an operator put there', async () => {
    const now = new Date();
    const { id } = await insertDomain(fixture.test.db, {
      id: newId('dom'),
      organization_id: fixture.organizationId,
      domain: domainName('operator.example'),
      spf_verified: true,
      dkim_verified: true,
      verified_at: now,
      created_at: now,
    });
    await enterMode(fixture.test.db, 'live', fixture.clock);
    expect((await fixture.find(id)).spf_verified).toBe(true);
  });
});
