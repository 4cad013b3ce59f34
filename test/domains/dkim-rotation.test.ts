import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { beginRotation } from '../../src/domains/rotate.ts';
import { retireDkimKeys } from '../../src/domains/rotation-store.ts';
import type { DomainWithRotation } from '../../src/domains/service.ts';
import { DomainSigningKeys } from '../../src/domains/signing-keys.ts';
import { presentDomain } from '../../src/domains/view.ts';
import { DAY_MS, MINUTE_MS } from '../../src/runtime/durations.ts';
import { domainName } from '../support/addresses.ts';
import { DomainFixture, HOST } from './fixture.ts';

let fixture: DomainFixture;
beforeAll(async () => {
  fixture = await DomainFixture.start();
});
afterAll(() => fixture.stop());

const shown = (row: DomainWithRotation) => presentDomain(row, HOST).dkim_rotation;
const rotate = (id: string) => fixture.domains.rotateDkim(fixture.organizationId, id);
const verify = (id: string) => fixture.domains.verify({ organizationId: fixture.organizationId }, id);
const signers = () =>
  new DomainSigningKeys({ db: fixture.test.db, clock: fixture.clock, keys: fixture.deps.keys });
const selectorOf = async (keys: DomainSigningKeys, domain: string, sendAtMs?: number) =>
  (await keys.find(fixture.organizationId, domainName(domain), sendAtMs))?.selector;

function publishNew(row: DomainWithRotation): void {
  const record = shown(row)?.dns_record;
  if (record) fixture.zone.set(record.name, { TXT: [record.value] });
}

/** A domain whose new key signs. */
async function switched(domain: string): Promise<{ before: DomainWithRotation; after: DomainWithRotation }> {
  const before = await fixture.verified(domain);
  publishNew(await rotate(before.id));
  await verify(before.id);
  fixture.clock.offsetMs += 11 * MINUTE_MS;
  return { before, after: await verify(before.id) };
}

describe('a rotation of a DKIM key', () => {
  it('is not found where the domain is deleted at the same moment', async () => {
    const domain = await fixture.verified('gone.example');
    await fixture.test.db.exec(adHoc('DELETE FROM domains WHERE id = $1'), [domain.id]);
    await expect(beginRotation(fixture.deps, domain)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('signs with the old key until DNS has shown the new record twice', async () => {
    const before = await fixture.verified('turn.example');
    const started = await rotate(before.id);
    expect(shown(started)).toMatchObject({ status: 'waiting_for_dns', previous_selector: before.selector });
    expect(started.selector).toBe(before.selector);
    const absent = await verify(before.id);
    expect(shown(absent)).toMatchObject({
      status: 'waiting_for_dns',
      seen_at: null,
      check: { status: 'fail' },
    });
    expect(absent.dkim_verified).toBe(true);

    publishNew(started);
    const seen = await verify(before.id);
    expect(shown(seen)).toMatchObject({ status: 'waiting_for_dns', seen_at: expect.any(Date) });
    expect(await selectorOf(signers(), 'turn.example')).toBe(before.selector);
    fixture.clock.offsetMs += 11 * MINUTE_MS;
    expect(await fixture.round()).toContain('turn.example');
    const after = await fixture.find(before.id);
    expect(shown(after)).toMatchObject({
      status: 'switched',
      selector: shown(started)?.selector,
      previous_selector: before.selector,
    });
    expect(presentDomain(after, HOST)).toMatchObject({
      is_verified: true,
      dkim_selector: shown(started)?.selector,
    });
    expect(after.checks?.[0]).toMatchObject({
      record: 'dkim',
      status: 'pass',
      name: shown(after)?.dns_record.name,
    });
    expect(fixture.eventsOf('turn.example')).toContain('dkim_key_switched');
  });

  it('says from which time on mail is signed with the new key', async () => {
    const { after } = await switched('announced.example');
    expect(shown(after)?.message).toContain(`due from ${after.rotation?.switched_at?.toISOString()} on`);
  });

  it('signs every attempt of a mail with the key of the time of its first one', async () => {
    const { before, after } = await switched('same-bytes.example');
    const untilMs = after.rotation?.switched_at?.getTime() ?? 0;
    const keys = signers();
    expect(await selectorOf(keys, 'same-bytes.example', untilMs - 1)).toBe(before.selector);
    expect(await selectorOf(keys, 'same-bytes.example', untilMs)).toBe(after.selector);
    // Whoever looked just before the switch still has the old key only, and is right about the mail of this minute.
    expect(untilMs).toBeGreaterThan(fixture.clock.nowMs() + 30_000);
  });

  it('destroys the old key after seven days, and says that its record can go', async () => {
    const { before, after } = await switched('retired.example');
    const keyOf = adHoc<{ gone: boolean }>(
      'SELECT private_key IS NULL AS gone FROM dkim_rotations WHERE domain_id = $1',
    );
    await retireDkimKeys(fixture.test.db, fixture.clock.nowMs() + 6 * DAY_MS);
    expect(await fixture.test.db.one(keyOf, [before.id])).toEqual({ gone: false });
    await retireDkimKeys(fixture.test.db, fixture.clock.nowMs() + 8 * DAY_MS);
    expect(await fixture.test.db.one(keyOf, [before.id])).toEqual({ gone: true });
    const finished = await fixture.find(before.id);
    expect(shown(finished)).toMatchObject({
      status: 'finished',
      message: expect.stringContaining(before.selector),
    });
    expect(await selectorOf(signers(), 'retired.example', 0)).toBe(after.selector);
    expect(shown(await rotate(before.id))).toMatchObject({ status: 'waiting_for_dns' });
  });

  it('can be called off before the switch, and not after', async () => {
    const row = await fixture.verified('off.example');
    const started = await rotate(row.id);
    await expect(rotate(row.id)).rejects.toThrow(/already waiting for its DNS record/);
    const off = await fixture.domains.cancelDkimRotation(fixture.organizationId, row.id);
    expect(shown(off)).toBeNull();
    publishNew(started);
    fixture.clock.offsetMs += 11 * MINUTE_MS;
    expect((await verify(row.id)).selector).toBe(row.selector);
    const { before } = await switched('on.example');
    await expect(fixture.domains.cancelDkimRotation(fixture.organizationId, before.id)).rejects.toThrow(
      /No rotation is waiting/,
    );
  });
});
