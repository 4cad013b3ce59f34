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
import { DomainWorld, HOST } from './world.ts';

let world: DomainWorld;
beforeAll(async () => {
  world = await DomainWorld.start();
});
afterAll(() => world.stop());
afterEach(async () => {
  for (const { id } of await world.domains.list({ organizationId: world.organizationId })) {
    await world.domains.remove(world.organizationId, id);
  }
  world.zone.replaceZone({});
  world.clock.offsetMs = 0;
  world.logged.splice(0);
});

const later = (hours: number) => {
  world.clock.offsetMs += hours * HOUR_MS;
};

describe('checks in the background', () => {
  it('find the records of a new domain soon after they are published', async () => {
    const row = await world.register('new.example');
    expect(await world.round()).toEqual([]);
    later(1 / 60);
    expect(await world.round()).toEqual(['new.example']);
    expect((await world.find(row.id)).dkim_verified).toBe(false);
    world.publish(row);
    later(2.1 / 60);
    await world.round();
    expect(await world.find(row.id)).toMatchObject({
      spf_verified: true,
      dkim_verified: true,
      verified_in: 'live',
    });
    expect(world.eventsOf('new.example')).toEqual(['domain_verified']);
  });

  it('run by themselves once the service is started', async () => {
    const row = await world.register('service.example');
    world.publish(row);
    later(1);
    const checks = createDomainChecks(world.deps);
    await checks.start();
    await world.zone.asked('service.example');
    await until(async () => (await world.find(row.id)).spf_verified);
    await checks.stop();
    expect(world.eventsOf('service.example')).toEqual(['domain_verified']);
  });

  it('are made once, however many workers look', async () => {
    for (let n = 0; n < 5; n += 1) await world.register(`many${n}.example`);
    later(1);
    world.zone.forgetQueries();
    const rounds = await Promise.all(Array.from({ length: 6 }, () => world.round()));
    expect(rounds.flat().sort()).toEqual([0, 1, 2, 3, 4].map((n) => `many${n}.example`));
    for (let n = 0; n < 5; n += 1) expect(world.zone.count(`many${n}.example`, 'TXT')).toBe(1);
  });

  it('are left to others when the worker that claimed them is gone', async () => {
    await world.register('left.example');
    later(1);
    const now = new Date(world.clock.nowMs());
    expect(await claimDue(world.test.db, now, 10, new Date(now.getTime() + 300_000))).toHaveLength(1);
    expect(await world.round()).toEqual([]);
    later(0.1);
    expect(await world.round()).toEqual(['left.example']);
  });

  it('hold no connection while DNS is slow', async () => {
    const row = await world.register('slow.example');
    world.publish(row);
    world.zone.hold();
    const verifying = Array.from({ length: 30 }, () =>
      world.domains.verify({ organizationId: world.organizationId }, row.id),
    );
    await world.zone.asked('slow.example');
    expect((await world.find(row.id)).id).toBe(row.id);
    world.zone.release();
    expect((await Promise.all(verifying)).every((one) => one.check_number > 0)).toBe(true);
    expect((await world.find(row.id)).check_number).toBe(30);
  });

  it('say nothing of a domain that is deleted meanwhile', async () => {
    const row = await world.register('deleted.example');
    later(1);
    world.zone.hold();
    const round = world.round();
    await world.zone.asked('deleted.example');
    await world.domains.remove(world.organizationId, row.id);
    world.zone.release();
    expect(await round).toEqual(['deleted.example']);
    expect(world.logged).toEqual([]);
  });
});

describe('a verified domain that loses its records', () => {
  it('is warned about for 72 hours and then stops sending', async () => {
    const { id } = await world.verified('lost.example');
    world.zone.remove('lost.example');
    later(24.5);
    await world.round();
    const failing = await world.find(id);
    expect(failing).toMatchObject({ spf_verified: true, dkim_verified: true });
    const stops = new Date((failing.failing_since as Date).getTime() + 72 * HOUR_MS).toISOString();
    expect(presentDomain(failing, HOST).warning).toBe(
      `Its DNS records are wrong. Unless they are fixed, it stops sending at ${stops}. lost.example has no SPF record. Publish a TXT record at lost.example with the value: v=spf1 include:mail.host.test ~all`,
    );
    for (let hours = 6; hours < 72; hours += 6) {
      later(6);
      await world.round();
      expect((await world.find(id)).spf_verified).toBe(true);
    }
    later(6.1);
    await world.round();
    expect(await world.find(id)).toMatchObject({
      spf_verified: false,
      dkim_verified: true,
      verified_at: null,
      failing_since: null,
    });
    expect(world.eventsOf('lost.example')).toEqual([
      'domain_verified',
      ...Array(12).fill('domain_verification_failing'),
      'domain_unverified',
    ]);
  });

  it('goes on when they come back', async () => {
    const row = await world.verified('back.example');
    world.zone.set('back.example', { TXT: ['v=spf1 -all'] });
    later(25);
    await world.round();
    world.publish(row);
    later(7);
    await world.round();
    expect(await world.find(row.id)).toMatchObject({ spf_verified: true, failing_since: null });
    expect(world.eventsOf('back.example').slice(1)).toEqual([
      'domain_verification_failing',
      'domain_verification_recovered',
    ]);
  });

  it.each(['SERVFAIL', 'TIMEOUT', 'REFUSED'] as const)(
    'is not touched by %s, however long',
    async (failure) => {
      const { id, selector } = await world.verified('silent.example');
      world.zone.set('silent.example', failure);
      world.zone.set(`${selector}._domainkey.silent.example`, failure);
      world.zone.set('_dmarc.silent.example', failure);
      for (let day = 0; day < 10; day += 1) {
        later(25);
        expect(await world.round()).toEqual(['silent.example']);
      }
      expect((await world.domains.verify({ organizationId: world.organizationId }, id)).checks).toMatchObject(
        [{ status: 'unknown' }, { status: 'unknown' }, { status: 'unknown' }],
      );
      expect(await world.find(id)).toMatchObject({
        spf_verified: true,
        dkim_verified: true,
        failing_since: null,
      });
    },
  );

  it('keeps its time of grace when someone asks, and the answer says what is wrong', async () => {
    const { id } = await world.verified('asked.example');
    world.zone.remove('asked.example');
    const asked = () => world.domains.verify({ organizationId: world.organizationId }, id);
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
    const row = await world.verified('refused.example');
    world.zone.remove(`${row.selector}._domainkey.refused.example`);
    const refused = () =>
      checkSoon(world.test.db, world.organizationId, 'refused.example', world.clock.nowMs());
    later(1);
    expect(await world.round()).toEqual([]);
    await refused();
    expect(await world.round()).toEqual(['refused.example']);
    expect((await world.find(row.id)).failing_since).not.toBeNull();
    await refused();
    expect(await world.round()).toEqual([]);
    later(3.1 / 60);
    expect(await world.round()).toEqual(['refused.example']);
    expect(world.eventsOf('refused.example').slice(1)).toEqual(Array(2).fill('domain_verification_failing'));
  });
});

describe('changing from the sandbox to live', () => {
  const inSandbox = () => ({
    ...world.deps,
    mode: 'sandbox' as const,
    txtLookups: () => createSandboxTxt({ db: world.test.db, host: HOST }),
  });

  it('ends what only the sandbox vouched for, and nothing else', async () => {
    const real = await world.verified('real.example');
    const sandbox = new DomainService(inSandbox());
    const toy = await sandbox.register(world.organizationId, domainName('toy.example'));
    expect((await sandbox.verify({ organizationId: world.organizationId }, toy.id)).verified_in).toBe(
      'sandbox',
    );
    await sandbox.verify({ organizationId: world.organizationId }, real.id);
    await enterMode(world.test.db, 'live', world.clock);
    expect(await world.find(toy.id)).toMatchObject({
      spf_verified: false,
      dkim_verified: false,
      checks: null,
    });
    expect(await world.find(real.id)).toMatchObject({ spf_verified: true, dkim_verified: true });
    expect(await world.round()).toEqual(['toy.example']);
  });

  it('looks at everything again on the way back', async () => {
    const row = await world.register('toy.example');
    await enterMode(world.test.db, 'sandbox', world.clock);
    const deps = inSandbox();
    for (const due of await claimDueDomains(deps, 10)) await recheck(deps, due);
    expect(await world.find(row.id)).toMatchObject({ spf_verified: true, verified_in: 'sandbox' });
  });

  it('leaves alone what an operator put there', async () => {
    const now = new Date();
    const { id } = await insertDomain(world.test.db, {
      id: newId('dom'),
      organization_id: world.organizationId,
      domain: domainName('operator.example'),
      spf_verified: true,
      dkim_verified: true,
      verified_at: now,
      created_at: now,
    });
    await enterMode(world.test.db, 'live', world.clock);
    expect((await world.find(id)).spf_verified).toBe(true);
  });
});
