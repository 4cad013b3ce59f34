/** One of several visible recipients has an address that needs servers with SMTPUTF8. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { attemptsWhere } from '../../src/events/attempts.ts';
import { newId } from '../../src/runtime/ids.ts';
import { Live } from './live.ts';

const ASCII = newId('org');
const OWN = newId('org');
const REPLY = newId('org');

let live: Live;
beforeAll(async () => {
  const capabilities = ['PIPELINING', '8BITMIME', 'ENHANCEDSTATUSCODES'];
  live = await Live.start({ sites: { old: {} }, capabilities });
  for (const org of [ASCII, OWN, REPLY]) await live.seed('old', org, 1);
  const cc = [{ email: 'josé@there.test', name: 'José' }];
  await live.db.exec(
    adHoc(
      `UPDATE emails SET addresses = addresses || jsonb_build_object('cc', $2::jsonb) WHERE organization_id = $1`,
    ),
    [ASCII, JSON.stringify(cc)],
  );
  await live.db.exec(
    adHoc(
      `UPDATE emails SET addresses = addresses || jsonb_build_object('reply_to', $2::jsonb) WHERE organization_id = $1`,
    ),
    [REPLY, JSON.stringify(cc[0])],
  );
  await live.db.exec(adHoc('UPDATE recipients SET address = $2 WHERE organization_id = $1'), [
    OWN,
    'zoë@old.test',
  ]);
  await live.startWorker();
  await live.whenSent();
});
afterAll(() => live.stop());

it('delivers to the other recipients with that address written as a name', async () => {
  expect((await live.events(ASCII)).at(-1)).toMatchObject({ type: 'delivered' });
  const [message] = live.sink('old').messages;
  const head = message?.content.toString('latin1').split('\r\n\r\n')[0];
  expect(head).toMatch(/^Cc: =\?utf-8\?[QB]\?[^?]+\?=:;$/im);
  expect(head).not.toMatch(/[^\r\n\t -~]/);
  expect(message?.mailLine).not.toContain('SMTPUTF8');
});

it('bounces for the recipient with that address, and names the address', async () => {
  expect((await live.events(OWN)).at(-1)).toMatchObject({ type: 'bounced', reason: 'smtputf8_unsupported' });
  const { detail } = await lastAttempt(OWN);
  expect(detail).toContain('zoë@old.test');
});

it('bounces for all recipients if the Reply-To needs SMTPUTF8, and names the Reply-To', async () => {
  expect((await live.events(REPLY)).at(-1)).toMatchObject({
    type: 'bounced',
    reason: 'smtputf8_unsupported',
  });
  const { detail } = await lastAttempt(REPLY);
  expect(detail).toContain('josé@there.test');
  expect(detail).toContain('Reply-To');
});

function lastAttempt(organizationId: string): Promise<{ detail: string }> {
  return live.db.one(
    adHoc<{ detail: string }>(
      `SELECT detail FROM (${attemptsWhere('organization_id = $1')}) AS attempts ORDER BY attempt DESC LIMIT 1`,
    ),
    [organizationId],
  );
}
