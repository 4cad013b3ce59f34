import { describe, expect, it } from 'vitest';
import { assertEnvelope } from './commands.ts';

const envelope = (to: string) => () => assertEnvelope({ from: 'b@host.test', to, smtpUtf8: false });

describe('the last check before an address becomes a command', () => {
  it.each(['ada@example.org', '"ada lovelace"@example.org', '"a<b>c"@example.org', '"a\\"b"@example.org'])(
    'lets %s through',
    (to) => expect(envelope(to)).not.toThrow(),
  );

  it.each([
    'ada@example.org\r\nRSET',
    '"ada\r\n"@example.org',
    '"ada\u0000"@example.org',
    'ada lovelace@example.org',
    'ada@example.org> SIZE=1',
    '"ada"@example.org> <x',
    '"ada" x@example.org',
    '"ada@example.org y',
    '',
  ])('refuses %j', (to) => expect(envelope(to)).toThrow());
});
