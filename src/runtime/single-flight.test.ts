import { expect, it } from 'vitest';
import { SingleFlight } from './single-flight.ts';

function gate() {
  let open = (_value: string) => {};
  const opened = new Promise<string>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

it('runs work once for callers of the same key', async () => {
  const flights = new SingleFlight<string, string>();
  const { opened, open } = gate();
  let runs = 0;
  const work = () => {
    runs += 1;
    return opened;
  };
  const both = [flights.run('a', work), flights.run('a', work)];
  open('done');
  expect(await Promise.all(both)).toEqual(['done', 'done']);
  expect(runs).toBe(1);
});

it('runs work of different keys at the same time', async () => {
  const flights = new SingleFlight<string, string>();
  const { opened, open } = gate();
  const slow = flights.run('a', () => opened);
  expect(await flights.run('b', async () => 'b')).toBe('b');
  open('a');
  expect(await slow).toBe('a');
});

it('runs again after a failure, which all waiting callers get', async () => {
  const flights = new SingleFlight<string, string>();
  const failing = () => Promise.reject(new Error('no answer'));
  const both = [flights.run('a', failing), flights.run('a', failing)];
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await flights.run('a', async () => 'answer')).toBe('answer');
});
