/** Servers whose replies are no SMTP. */
import { expect, it } from 'vitest';
import { raw, type SinkScript } from '../../support/smtp-sink.ts';
import { startScenario } from './scenario.ts';

const SITES: Readonly<Record<string, SinkScript>> = {
  http: { banner: raw('HTTP/1.1 400 Bad Request\r\n\r\n') },
  binary: { banner: raw(Buffer.from([0x16, 0x03, 0x01, 0x00, 0xff, 0x0d, 0x0a])) },
  'no-code': { ehlo: raw('hello there\r\n') },
  'in-rcpt': { rcpt: raw('\0\0\0\0\r\n') },
};

it('defers, and names the protocol error', async () => {
  const names = Object.keys(SITES);
  const scenario = await startScenario({
    sites: Object.fromEntries(names.map((name) => [name, { script: SITES[name] ?? {} }])),
  });
  const events = await Promise.all(names.map((name) => scenario.deliver(`${name}.test`)));
  expect(events.map(([event], index) => [names[index], event?.type, event?.reason])).toEqual(
    names.map((name) => [name, 'deferred', 'protocol_error']),
  );
  expect(names.map((name) => scenario.sink(name).messageCount)).toEqual(names.map(() => 0));
  expect(await scenario.leftovers()).toEqual([]);
});
