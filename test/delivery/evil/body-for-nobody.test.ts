/** A server that refuses the recipient and then still asks for the message. */
import { expect, it } from 'vitest';
import { startScenario } from './scenario.ts';

it('bounces by the reply to the recipient, and hands over nothing', async () => {
  const scenario = await startScenario({
    sites: { greedy: { script: { rcpt: '550 5.1.1 no such user', data: '354 go ahead' } } },
  });
  const [event] = await scenario.deliver('greedy.test');
  expect(event).toMatchObject({ type: 'bounced', reason: 'unknown_recipient', smtp_code: 550 });
  expect(scenario.sink('greedy').messages.map(({ content }) => content.length)).toEqual([0]);
  expect(await scenario.leftovers()).toEqual([]);
});
