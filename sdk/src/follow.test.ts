import { expect, it } from 'vitest';
import { RateLimitError } from './errors.ts';
import { follow } from './follow.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** A connection that says something and then breaks, or ends. */
function line(text: string, broken = false): ReadableStream<Uint8Array> {
  let said = false;
  return new ReadableStream({
    pull(controller) {
      if (!said) controller.enqueue(bytes(text));
      else if (broken) controller.error(new TypeError('terminated'));
      else controller.close();
      said = true;
    },
  });
}

const eventLines = (...ids: string[]) => ids.map((id) => `id: ${id}\ndata: {"id":"${id}"}\n\n`).join('');

it('goes on after what it was told last when it is cut off or ended, also by an id alone, and waits when it is told to', async () => {
  const asked: (string | undefined)[] = [];
  const answers = [
    () => line(`retry: 2000\n\n${eventLines('evt_1', 'evt_2')}`, true),
    () => line('id: evt_5\n\n'),
    () => {
      const message = 'At most 50 streams may be open at a time.';
      throw new RateLimitError({ code: 'RATE_LIMITED', status: 429, message });
    },
    () => line(eventLines('evt_2', 'evt_6')),
  ];
  const events = follow<{ id: string }>({
    connect: async (lastId) => {
      asked.push(lastId);
      return (answers[asked.length - 1] as () => ReadableStream<Uint8Array>)();
    },
    known: [],
    signal: undefined,
  });
  const seen = [await events.next(), await events.next(), await events.next()].map(({ value }) => value?.id);
  await events.return();
  expect(seen).toEqual(['evt_1', 'evt_2', 'evt_6']);
  expect(asked).toEqual([undefined, 'evt_2', 'evt_5', 'evt_5']);
}, 20_000);
