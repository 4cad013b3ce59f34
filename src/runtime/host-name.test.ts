import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostNameOf, isLoopback, withoutIpv6 } from './host-name.ts';

describe('a host', () => {
  it.each([
    ['localhost', 'localhost'],
    ['LocalHost:3000', 'localhost'],
    ['mail.example.org.', 'mail.example.org'],
    ['Mail.Example.org.:8443', 'mail.example.org'],
    ['my_service:3000', 'my_service'],
    ['127.0.0.1:3000', '127.0.0.1'],
    ['[::1]:3000', '::1'],
    ['[0:0:0:0:0:0:0:1]', '::1'],
    ['[FD00::0001]', 'fd00::1'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['2130706433', '127.0.0.1'],
    ['localhost:', 'localhost'],
  ])('%s is %s', (text, name) => {
    expect(hostNameOf(text)).toBe(name);
  });

  it.each([
    '',
    '.',
    ':3000',
    'a b',
    'localhost@evil.example',
    'evil.example/localhost',
    'evil.example#localhost',
    'evil.example?localhost',
    'evil.example\\localhost',
    'localhost:3000:3000',
    'localhost:99999',
    '::1',
    '[::1',
    '[localhost]',
    'evil%2eexample',
    'localhost,evil.example',
  ])('is not %j', (text) => {
    const name = hostNameOf(text);
    expect(name === null || (name !== 'localhost' && name !== '::1')).toBe(true);
  });

  it('is never a name of this machine unless the name itself says so', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const name = hostNameOf(`${text}.evil.example`);
        return name === null || !isLoopback(name);
      }),
    );
  });

  it.each(['localhost', '127.0.0.1', '127.8.9.10', '::1'])(
    '%s is reachable from this machine only',
    (name) => {
      expect(isLoopback(name)).toBe(true);
    },
  );

  it.each(['0.0.0.0', '::', '10.0.0.1', '127.evil.example', 'localhost.evil.example', '::ffff:7f00:1'])(
    '%s is reachable from other machines',
    (name) => {
      expect(isLoopback(name)).toBe(false);
    },
  );
});

describe('every address of the machine', () => {
  it.each(['EAFNOSUPPORT', 'EADDRNOTAVAIL'])('is every IPv4 address after %s', (code) => {
    expect(withoutIpv6('::', code)).toBe('0.0.0.0');
  });

  it('stays unchanged when the port is taken, and so does any other address', () => {
    expect(withoutIpv6('::', 'EADDRINUSE')).toBeUndefined();
    expect(withoutIpv6('::', undefined)).toBeUndefined();
    expect(withoutIpv6('::1', 'EADDRNOTAVAIL')).toBeUndefined();
  });
});
