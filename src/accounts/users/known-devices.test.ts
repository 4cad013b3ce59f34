import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { KnownDevices } from './known-devices.ts';

const devices = new KnownDevices(randomBytes(32));
const ada = { id: 'usr_ada', password: 'scrypt$ada' };

describe('a device that has signed in', () => {
  const cookie = devices.issue(ada);

  it('is recognised by the account it signed in to', () => {
    expect(devices.recognise(cookie, ada)).toBe(cookie.split('.')[0]);
  });

  it.each([
    ['another account', cookie, { ...ada, id: 'usr_bob' }],
    ['the account with a new password', cookie, { ...ada, password: 'scrypt$new' }],
    ['one whose name was changed', cookie.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')), ada],
    ['one that was cut short', cookie.slice(0, -1), ada],
    ['no cookie', undefined, ada],
    ['nonsense', 'x.y', ada],
  ])('is unknown: %s', (_, given, account) => {
    expect(devices.recognise(given, account)).toBeUndefined();
  });

  it('is unknown when another key signed its cookie', () => {
    expect(new KnownDevices(randomBytes(32)).recognise(cookie, ada)).toBeUndefined();
  });
});
