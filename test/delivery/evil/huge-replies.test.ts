/** Replies of a megabyte: one endless line, or many lines with an end. */
import { expect, it } from 'vitest';
import { raw } from '../../support/smtp-sink.ts';
import { startScenario } from './scenario.ts';

const MEGABYTE = 1024 * 1024;
const line = `550-${'x'.repeat(500)}\r\n`;

it('are cut off, and nothing of their size is stored', async () => {
  const scenario = await startScenario({
    sites: {
      line: { script: { rcpt: raw(`550 ${'x'.repeat(MEGABYTE)}\r\n`) } },
      lines: { script: { rcpt: raw(`${line.repeat(MEGABYTE / line.length)}550 end\r\n`) } },
      banner: { script: { banner: raw('220 '.padEnd(MEGABYTE, 'x')) } },
    },
  });
  const names = Object.keys(scenario.sinks);
  const events = await Promise.all(names.map((name) => scenario.deliver(`${name}.test`)));
  expect(events.map(([event], index) => [names[index], event?.type, event?.reason])).toEqual(
    names.map((name) => [name, 'deferred', 'protocol_error']),
  );
  expect(events.every(([event]) => (event?.smtp_message ?? '').length <= 1_100)).toBe(true);
  expect(await scenario.leftovers()).toEqual([]);
});
