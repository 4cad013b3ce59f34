import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readServerSentEvents, type ServerSentEvent } from './server-sent-events.ts';

function streamOf(chunks: readonly Uint8Array[], end = true): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      if (end) controller.close();
    },
  });
}

async function eventsIn(chunks: readonly Uint8Array[]): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  for await (const event of readServerSentEvents(streamOf(chunks), 10_000)) events.push(event);
  return events;
}

const TEXT =
  'retry: 2000\n\n: still here\n\nid: evt_1\ndata: {"a":"ü✓"}\n\ndata: one\ndata:two\n\nid: evt_3\ndata: cut off';
const EVENTS = [
  { id: 'evt_1', data: '{"a":"ü✓"}' },
  { id: undefined, data: 'one\ntwo' },
];

it('reads the same wherever the bytes are cut, and however lines end', async () => {
  for (const text of [TEXT, TEXT.replaceAll('\n', '\r\n')]) {
    const bytes = new TextEncoder().encode(text);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 20 }), async (cuts) => {
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const chunks = places.slice(1).map((end, n) => bytes.slice(places[n], end));
        expect(await eventsIn(chunks)).toEqual(EVENTS);
      }),
      { numRuns: 100 },
    );
  }
});

it('fails when nothing comes for too long, and lets go of the stream', async () => {
  const silent = streamOf([new TextEncoder().encode('data: 1\n\n')], false);
  const events = readServerSentEvents(silent, 30);
  expect((await events.next()).value).toEqual({ id: undefined, data: '1' });
  await expect(events.next()).rejects.toThrow('Nothing came for 30 ms');
  expect(silent.locked).toBe(true);
  expect((await events.next()).done).toBe(true);
});
