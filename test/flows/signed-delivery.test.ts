/** What a receiver's server is really handed: after composing, signing, dot-stuffing and the wire. */

import { generateKeyPairSync } from 'node:crypto';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deliver } from '../../src/delivery/attempt/deliver.ts';
import type { DeliverDeps } from '../../src/delivery/attempt/deliver-deps.ts';
import type { DeliveryRecord } from '../../src/delivery/attempt/delivery-record.ts';
import { createSigner, type SigningKeys } from '../../src/delivery/attempt/signing.ts';
import { UNLIMITED_SLOT } from '../../src/delivery/scheduler/connection-slot.ts';
import type { Dispatched } from '../../src/delivery/scheduler/scheduler.ts';
import { NO_ROUTES } from '../../src/delivery/transports/planner.ts';
import { createFixedRouter } from '../../src/delivery/transports/router.ts';
import type { DeliverableEmail } from '../../src/emails/store-delivery.ts';
import { SmtpPool } from '../../src/protocols/smtp/pool.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { newId } from '../../src/runtime/ids.ts';
import { createLog } from '../../src/runtime/log.ts';
import { Budget } from '../../src/runtime/work-loop/budget.ts';
import { address, mailbox } from '../support/addresses.ts';
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts';

const ORGANIZATION = newId('org');
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const record = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
const keys: SigningKeys = {
  find: async (organizationId, domain) =>
    organizationId === ORGANIZATION && domain === 'xn--mller-kva.example'
      ? { selector: 'pr1', key: privateKey }
      : null,
};
const email: DeliverableEmail = {
  id: '01932e1b-7c2a-7000-8000-0123456789ab',
  createdAtMs: Date.UTC(2024, 10, 15, 2, 6, 0, 123),
  scheduledAtMs: null,
  from: mailbox('orders@müller.example', 'Müller'),
  recipient: address('zoe@customer.example').email,
  addresses: { to: [mailbox('zoe@customer.example')], cc: [], bcc: [], reply_to: null },
  options: {},
  subject: 'Your order',
  html: null,
  mime: null,
  text: '.\n..\n.hidden   dots \t\n\n\t\n.\n\n\n',
  template_id: null,
  template_version: null,
  built_with: null,
  locale: null,
  template_data: null,
  text_from_html: false,
  headers: { 'X-Order': '48' },
  attachments: [],
  trackOpens: false,
  unsubscribe: false,
  tags: null,
  stream: null,
  keyId: null,
  unsubscribeGroup: null,
  withdrawnFor: null,
};

let sink: SmtpSink;
let smtp: SmtpPool;
beforeEach(async () => {
  sink = await startSmtpSink();
  smtp = new SmtpPool({ clock: systemClock, limits: { stopGraceMs: 100 } });
});
afterEach(async () => {
  await smtp.stop();
  await sink.close();
});

function depsFor(loaded: DeliverableEmail, records: DeliveryRecord[] = []): DeliverDeps {
  const target = { host: 'mx.customer.example', address: sink.address, port: sink.port };
  return {
    clock: systemClock,
    log: createLog('test', 'silent'),
    router: createFixedRouter({ ...target, tls: 'never', ehloName: 'mail.example' }),
    routes: NO_ROUTES,
    smtp,
    load: async () => ({ ...loaded, unrenderable: null }),
    paces: { putOffUntil: async () => null },
    askMailbox: async () => ({ suppressed: false, mailboxWasFull: false }),
    isSimulated: () => false,
    recorder: { record: async (one) => void records.push(one) },
    returnPath: { keys: { at: () => Buffer.alloc(32, 1) }, host: 'mail.example' },
    links: { keys: { at: () => Buffer.alloc(32, 2) }, publicUrl: 'https://mail.example' },
    sign: createSigner(keys),
    retry: { speed: 1, random: () => 0.5 },
    memory: new Budget(1_000_000),
    mayHandOver: () => true,
    holds: { find: () => null },
    onDeferred: () => {},
  };
}

function claimed(attempt = 1): Dispatched {
  const firstAttemptAtMs = Date.UTC(2024, 10, 17, 8, 0, 0, 123);
  const expiresAtMs = systemClock.nowMs() + 86_400_000;
  const names = { organizationId: ORGANIZATION, emailId: email.id, position: 0 };
  const delivery = {
    ...names,
    domain: 'customer.example',
    priority: 1,
    attempt,
    firstAttemptAtMs,
    expiresAtMs,
    size: 1000,
    dueAtMs: 0,
    waitedMs: 0,
  };
  return { delivery, slot: UNLIMITED_SLOT, isClaimed: Promise.resolve(true) };
}

async function verdicts(content: Buffer): Promise<{ result: string; aligned: unknown }[]> {
  const { results } = await dkimVerify(content, { resolver: async () => [[record]] });
  return results.map(({ status }) => ({ result: status.result, aligned: status.aligned }));
}

describe('a delivery', () => {
  it('arrives with a signature that verifies and is aligned with its sender', async () => {
    await deliver(depsFor(email), claimed());
    const [arrived] = sink.messages;
    const content = arrived?.content ?? Buffer.alloc(0);
    expect(content.toString()).toContain('\r\n.hidden   dots');
    expect(await verdicts(content)).toEqual([{ result: 'pass', aligned: 'xn--mller-kva.example' }]);
  });

  it('is dated and signed at the time of its first attempt, not of its acceptance', async () => {
    await deliver(depsFor(email), claimed(3));
    const content = sink.messages[0]?.content.toString() ?? '';
    expect(content).toContain('Date: Sun, 17 Nov 2024 08:00:00 +0000');
    expect(content).toMatch(new RegExp(`\\bt=${Date.UTC(2024, 10, 17, 8) / 1000};`));
  });

  it('begins after it was accepted and claimed, whatever the worker’s clock says', async () => {
    const acceptedMs = Date.UTC(2024, 10, 17, 8, 0, 0, 500);
    const behind = { nowMs: () => Date.UTC(2024, 10, 17, 7, 59, 58) };
    const records: DeliveryRecord[] = [];
    const deps = depsFor({ ...email, createdAtMs: acceptedMs }, records);
    await deliver({ ...deps, clock: behind }, claimed());
    expect(records.map(({ kind, atMs }) => [kind, atMs > acceptedMs])).toEqual([
      ['started', true],
      ['finished', true],
    ]);
  });

  it('is the same bytes at the second attempt, signature and all', async () => {
    await deliver(depsFor(email), claimed(1));
    await deliver(depsFor(email), claimed(2));
    const [first, second] = sink.messages;
    expect(first?.content.toString()).toContain('DKIM-Signature');
    expect(second?.content).toEqual(first?.content);
  });

  it('arrives with both signatures where our own domain signs, too, and only the sender’s is aligned', async () => {
    const own = { domain: 'host.example', selector: 'pr2', key: privateKey };
    const deps = { ...depsFor(email), sign: createSigner(keys, { find: async () => own }) };
    await deliver(deps, claimed(1));
    await deliver(deps, claimed(2));
    const [first, second] = sink.messages;
    expect(await verdicts(first?.content ?? Buffer.alloc(0))).toEqual([
      { result: 'pass', aligned: 'xn--mller-kva.example' },
      { result: 'pass', aligned: false },
    ]);
    expect(second?.content).toEqual(first?.content);
  });

  it('goes out unsigned when its domain has no key', async () => {
    const from = mailbox('orders@other.example');
    await deliver(depsFor({ ...email, from }), claimed());
    const [arrived] = sink.messages;
    expect(arrived?.content.toString()).toMatch(/^From: orders@other\.example/);
    expect(arrived?.content.toString()).not.toContain('DKIM-Signature');
  });

  it('says nothing of an attempt when it was taken over while it waited for its turn', async () => {
    const records: DeliveryRecord[] = [];
    let isOurs = true;
    const acquire = async () => {
      isOurs = false;
      return true;
    };
    const deps = { ...depsFor(email, records), mayHandOver: () => isOurs };
    await deliver(deps, { ...claimed(), slot: { ...UNLIMITED_SLOT, acquire } });
    expect(records).toMatchObject([{ kind: 'released', start: 'not_started' }]);
    expect(sink.connections).toHaveLength(0);
  });

  it('is prepared while its claim is written to disk, and handed over afterwards', async () => {
    let claimIsOnDisk: (isClaimed: boolean) => void = () => {};
    const isClaimed = new Promise<boolean>((resolve) => {
      claimIsOnDisk = resolve;
    });
    let delivering = Promise.resolve();
    await new Promise<void>((composed) => {
      const sign: DeliverDeps['sign'] = (...given) => createSigner(keys)(...given).finally(composed);
      delivering = deliver({ ...depsFor(email), sign }, { ...claimed(), isClaimed });
    });
    expect(sink.connections).toHaveLength(0);
    claimIsOnDisk(true);
    await delivering;
    expect(sink.messages).toHaveLength(1);
  });

  it.each([
    ['ready to be sent', email],
    ['to be discarded', { ...email, withdrawnFor: 'superseded' as const }],
  ])(
    'leaves no trace when its claim may not be on disk: another claim may have it, with the same number: %s',
    async (_, loaded) => {
      const records: DeliveryRecord[] = [];
      await deliver(depsFor(loaded, records), { ...claimed(), isClaimed: Promise.resolve(false) });
      expect(records).toEqual([]);
      expect(sink.connections).toHaveLength(0);
    },
  );

  it('leaves no trace when a limit puts it off and its claim may not be on disk', async () => {
    const records: DeliveryRecord[] = [];
    const paces = { putOffUntil: async () => systemClock.nowMs() + 60_000 };
    const lost = { ...claimed(), isClaimed: Promise.resolve(false) };
    await deliver({ ...depsFor(email, records), paces }, lost);
    expect(records).toEqual([]);
  });

  it('is tried later, and not sent unsigned, when its key cannot be had', async () => {
    const records: DeliveryRecord[] = [];
    const sign = createSigner({ find: () => Promise.reject(new Error('a key that cannot be read')) });
    await deliver({ ...depsFor(email, records), sign }, claimed());
    expect(sink.connections).toHaveLength(0);
    expect(records).toMatchObject([{ kind: 'finished', verdict: { kind: 'deferred' } }]);
  });
});
