/** Addresses are parsed by one module. The rest of `src` carries what it made of them, and takes nothing apart by hand. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('.', import.meta.url));
const texts = new Map(
  readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => [file, readFileSync(join(SRC, file), 'utf8')]),
);

/** The files in which a pattern occurs. */
function having(pattern: RegExp): string[] {
  return [...texts].filter(([, text]) => pattern.test(text)).map(([file]) => file);
}

describe('an address', () => {
  it('is taken apart by its parser alone', () => {
    const byHand = having(/\b(?:lastI|i)ndexOf\(\s*['"`]@|\bsplit\(\s*(?:['"`]@|\/@)/);
    expect(byHand.toSorted()).toEqual([
      'delivery/policy/refusals/words.ts', // words of a reply, where an @ marks what may have been an address
      'kit/message/address.ts',
    ]);
  });

  it('has its domain written in ASCII where domains are, and nowhere else', () => {
    expect(having(/\bdomainToASCII\b|\bpunycode\b/).toSorted()).toEqual([
      'kit/dns/name.ts', // names to look up, which may have underscores
      'kit/message/domain-name.ts',
      'sandbox/receiver.ts', // undoes what its SMTP library did
    ]);
  });

  it('is parsed where it comes in', () => {
    expect(having(/\bparseAddress\b(?!\.)/).toSorted()).toEqual([
      'accounts/users/account-mailer.ts',
      'accounts/users/email.ts', // what people sign in with
      'delivery/tls/report-record.ts', // where DNS says that reports are wanted
      'doors/compat/reason-lists.ts',
      'doors/mailgun/address-validation.ts',
      'doors/mailgun/recipient-variables.ts',
      'doors/postmark/bounce-routes.ts',
      'doors/postmark/query.ts',
      'doors/postmark/suppression-routes.ts',
      'doors/resend/suppressions.ts',
      'doors/submission-smtp/submission-dialogue.ts',
      'emails/lists/list-schema.ts',
      'emails/mailbox-schema.ts', // recipients of a batch, each refused alone
      'erasure/erase.ts', // for its route and its command
      'kit/http/address-field.ts',
      'kit/message/address.ts',
      'kit/message/mailbox-text.ts',
      'kit/message/reading/address-list.ts',
      'kit/message/reading/sender-mailbox.ts', // From and Sender of submitted messages
      'kit/message/recipient-pattern.ts', // whom a key may write to
      'organizations/settings/guard.ts', // addresses that are never slowed
      'processes/cli/send-command.ts',
      'processes/cli/suppression-commands.ts',
      'processes/tls-reporting.ts', // who they are from
      'received/route-address.ts', // of routes, which may be for any name
      'request-logs/redacted.ts', // of bodies that were refused, whatever they are
      'sandbox/service.ts',
      'suppressions/import-list.ts',
      'validation/routes.ts',
    ]);
  });
});

describe('a brand', () => {
  it('is given by the module that checks, and by nobody else', () => {
    const brands = [...texts.values()].flatMap((text) =>
      [...text.matchAll(/export type (\w+) = Branded</g)].map(([, name]) => name),
    );
    expect(brands).toContain('EmailAddress');
    expect(having(new RegExp(`\\bas (?:${brands.join('|')}|MailDomain)\\b`)).toSorted()).toEqual([
      'kit/message/address.ts',
      'kit/message/domain-name.ts',
      'kit/message/stored.ts',
      'kit/message/unsafe-text.ts',
      'organizations/bootstrap.ts', // the domain of the sandbox, which stands in the code
      'suppressions/erased-entry.ts', // what stands for an erased address
      'suppressions/suppression.ts',
    ]);
  });

  it('is trusted where it was stored: by modules that read it from a table or a signed token', () => {
    const trusting = having(/from '[./\w-]+\/stored\.ts'/);
    expect(trusting.length).toBeGreaterThan(5);
    expect(trusting.filter((file) => !/\bsql[<(]|\bdecode\w+Token\b/.test(texts.get(file) ?? ''))).toEqual(
      [],
    );
  });
});
