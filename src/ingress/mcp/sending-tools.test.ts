import { expect, it } from 'vitest';
import type { MailApi } from './mail-api.ts';
import { SENDING_TOOLS } from './sending-tools.ts';

it('send_email reports that a hold blocks the email, and that it must not be sent again', async () => {
  const hold = {
    id: 'hold_1',
    reason: 'Wrong prices',
    placed_by: 'guard',
    placed_at: '2026-11-18T12:00:00Z',
  };
  const data = { message_id: 'email_1', status: 'queued', state: 'held', hold };
  const api: MailApi = async () => ({ status: 201, body: { data } });
  const tool = SENDING_TOOLS.find(({ name }) => name === 'send_email');
  const answer = JSON.stringify(await tool?.run(api, {} as never));
  expect(answer).toContain('Accepted as email_1, and held');
  expect(answer).toContain('releases the hold hold_1. Do not send it again.');
});
