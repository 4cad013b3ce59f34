/** Servers that keep the connection and say nothing, at every point of the conversation. */
import { expect, it } from 'vitest';
import type { SinkPhase } from '../../support/smtp-sink.ts';
import { hang, startScenario } from './scenario.ts';

const PHASES: readonly SinkPhase[] = ['ehlo', 'starttls', 'mail', 'rcpt', 'data', 'dot'];

it('costs the deadline of that point and no more; after the dot the message may have arrived', async () => {
  const scenario = await startScenario({
    sites: Object.fromEntries(
      PHASES.map((phase) => [
        phase,
        { script: { [phase]: hang }, ...(phase === 'starttls' ? { capabilities: ['STARTTLS'] } : {}) },
      ]),
    ),
  });
  const events = await Promise.all(PHASES.map((phase) => scenario.deliver(`${phase}.test`)));
  expect(events.map(([event], index) => [PHASES[index], event?.type, event?.reason])).toEqual(
    PHASES.map((phase) => [
      phase,
      'deferred',
      phase === 'dot' ? 'reply_lost_after_message' : 'connection_timed_out',
    ]),
  );
  expect(await scenario.leftovers()).toEqual([]);
});
