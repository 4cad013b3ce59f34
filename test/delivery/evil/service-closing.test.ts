/** Servers that say 421 and go, at every point of the conversation. */
import { expect, it } from 'vitest';
import { drop, type SinkPhase } from '../../support/smtp-sink.ts';
import { startScenario } from './scenario.ts';

const PHASES: readonly SinkPhase[] = ['banner', 'ehlo', 'mail', 'rcpt', 'data', 'dot'];

it('defers with the words of the server: after the dot too, for it said that it has nothing', async () => {
  const scenario = await startScenario({
    sites: Object.fromEntries(
      PHASES.map((phase) => [phase, { script: { [phase]: drop('421 4.3.2 going down') } }]),
    ),
    // Nobody is waited for here, so no busy machine need be taken for a server that is silent.
    worker: { deadlines: {} },
  });
  const events = await Promise.all(PHASES.map((phase) => scenario.deliver(`${phase}.test`)));
  expect(
    events.map(([event], index) => [PHASES[index], event?.type, event?.reason, event?.smtp_code]),
  ).toEqual(PHASES.map((phase) => [phase, 'deferred', 'host_not_accepting', 421]));
  expect(events.every(([event]) => event?.smtp_message?.includes('going down'))).toBe(true);
  expect(await scenario.leftovers()).toEqual([]);
});
