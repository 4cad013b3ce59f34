import { describe, expect, it } from 'vitest';
import { Window } from './window.ts';

const LIMIT = 10;
const work = (window: Window, times: number, limit = LIMIT) => {
  for (let i = 0; i < times; i += 1) window.worked(limit);
};

describe('the number of connections', () => {
  it('starts at five, or at the limit where that is less', () => {
    expect([new Window().width(LIMIT), new Window().width(2)]).toEqual([5, 2]);
  });

  it('grows by one after as many deliveries as there are connections, up to the limit', () => {
    const window = new Window();
    work(window, 4);
    expect(window.width(LIMIT)).toBe(5);
    work(window, 2);
    expect(window.width(LIMIT)).toBe(6);
    work(window, 1000);
    expect(window.width(LIMIT)).toBe(LIMIT);
  });

  it('shrinks when some fail, and never below one', () => {
    const window = new Window();
    for (let i = 0; i < 30; i += 1) {
      window.failed(LIMIT);
      window.worked(1);
    }
    expect(window.width(LIMIT)).toBe(1);
  });
});

describe('a site is hopeless', () => {
  it('when as many deliveries in a row have failed as it had connections', () => {
    const window = new Window();
    expect(Array.from({ length: 5 }, () => window.failed(LIMIT))).toEqual([false, false, false, false, true]);
  });

  it('not while any delivery succeeds', () => {
    const window = new Window();
    for (let i = 0; i < 50; i += 1) {
      expect(window.failed(LIMIT)).toBe(false);
      window.worked(LIMIT);
    }
  });

  it('not before the third failure, however few connections there are', () => {
    const window = new Window();
    expect(Array.from({ length: 3 }, () => window.failed(1))).toEqual([false, false, true]);
  });
});
