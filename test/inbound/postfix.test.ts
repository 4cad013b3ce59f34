/** Somebody else's mail server, for real: Postfix takes our mail, and sends a bounce to the return path. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Flow, typesOf } from '../flows/flow.ts';
import { startApi } from '../support/api.ts';
import { countsDiffer } from '../support/counts.ts';
import { type DnsZoneServer, startDnsZone } from '../support/dns-zone.ts';
import { INBOUND_HOST, startInbound, type TestInbound } from '../support/inbound.ts';
import { liveEnv } from '../support/mail-worker.ts';
import { type RemotePostfix, startRemotePostfix, whyNoPostfix } from '../support/postfix.ts';

const DOMAIN = 'customer.example';
const missing = whyNoPostfix();

describe.skipIf(missing !== null)(
  `mail to a Postfix${missing === null ? '' : `, skipped: ${missing}`}`,
  () => {
    let inbound: TestInbound;
    let postfix: RemotePostfix;
    let zone: DnsZoneServer;
    let flow: Flow;
    beforeAll(async () => {
      const api = await startApi({ env: { POSTRIDER_MODE: 'live' } });
      inbound = await startInbound(api.database, { env: { POSTRIDER_MODE: 'live' } });
      postfix = await startRemotePostfix({
        domain: DOMAIN,
        bouncesTo: { host: INBOUND_HOST, port: inbound.port },
      });
      zone = await startDnsZone({
        [DOMAIN]: { MX: [[10, `mx.${DOMAIN}`]] },
        [`mx.${DOMAIN}`]: { A: ['127.0.0.1'] },
      });
      flow = await Flow.on(api, {
        ...liveEnv(zone, postfix.port),
        POSTRIDER_HOSTNAME: INBOUND_HOST,
      });
    });
    afterAll(async () => {
      await flow?.stop();
      await zone?.stop();
      await postfix?.stop();
      await inbound?.stop();
    });

    it('that it takes and cannot deliver comes back: the recipient has bounced and is suppressed', async () => {
      const nobody = `no-such-user-of-postrider@${DOMAIN}`;
      const id = await flow.send([nobody, `reader@${DOMAIN}`]);
      const email = await flow.when(id, ({ status }) => status === 'bounced');
      const seen = email.events.filter(({ recipient }) => recipient === nobody).map(({ type }) => type);
      expect(seen).toEqual(['queued', 'processing', 'delivered', 'bounced']);
      expect(email.events.filter(({ type }) => type === 'bounced')).toMatchObject([
        { reason: 'unknown_recipient', enhanced_code: '5.1.1' },
      ]);
      const { data } = (await flow.api('GET', '/suppressions')).body;
      expect(data).toMatchObject([{ email: nobody, reason: 'hard_bounce', source: 'automatic' }]);
      expect(await countsDiffer(flow.db)).toEqual([]);
      const again = await flow.api('POST', '/emails/send', {
        from: { email: `hello@${flow.organization.domain}` },
        to: [{ email: nobody }],
        subject: 'Again',
        text: 'Hello?',
      });
      expect(again.body.error.code).toBe('RECIPIENTS_SUPPRESSED');
    });

    it('that it delivers stays delivered', async () => {
      const id = await flow.send(`reader@${DOMAIN}`);
      const email = await flow.final(id);
      expect(typesOf(email)).toEqual(['queued', 'processing', 'delivered']);
    });
  },
);
