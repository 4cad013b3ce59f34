/** Servers that close the connection, at every point of the session. */
import { expect, it } from 'vitest';
import { drop, reset, type SinkPhase } from '../../support/smtp-sink.ts';
import { startScenario } from './scenario.ts';

const PHASES: readonly SinkPhase[] = ['banner', 'ehlo', 'mail', 'rcpt', 'data'];

it('defers, and says that the connection was lost', async () => {
  const scenario = await startScenario({
    sites: Object.fromEntries(
      PHASES.flatMap((phase) => [
        [`fin-${phase}`, { script: { [phase]: drop() } }],
        [`reset-${phase}`, { script: { [phase]: reset() } }],
      ]),
    ),
  });
  const names = Object.keys(scenario.sinks);
  const events = await Promise.all(names.map((name) => scenario.deliver(`${name}.test`)));
  expect(events.map(([event], index) => [names[index], event?.type, event?.reason])).toEqual(
    names.map((name) => [name, 'deferred', 'connection_lost']),
  );
  expect(events.every(([event]) => (event?.next_attempt_at?.getTime() ?? 0) > Date.now())).toBe(true);
  expect(names.map((name) => scenario.sink(name).messageCount)).toEqual(names.map(() => 0));
  expect(await scenario.leftovers()).toEqual([]);
});
