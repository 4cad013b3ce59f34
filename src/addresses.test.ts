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
      'protocols/message/address.ts',
    ]);
  });

  it('has its domain written in ASCII where domains are, and nowhere else', () => {
    expect(having(/\bdomainToASCII\b|\bpunycode\b/).toSorted()).toEqual([
      'protocols/dns/name.ts', // names to look up, which may have underscores
      'protocols/message/domain-name.ts',
    ]);
  });

  it('is parsed where it comes in', () => {
    expect(having(/\bparseAddress\b(?!\.)/).toSorted()).toEqual([
      'accounts/users/email.ts', // what people sign in with
      'cli/send-command.ts',
      'cli/suppression-commands.ts',
      'delivery/tls/report-record.ts', // where DNS says that reports are wanted
      'emails/lists/list-schema.ts',
      'emails/mailbox-schema.ts', // recipients of a batch, each refused alone
      'emails/resendable.ts', // those of an email that is sent again, which were stored
      'erasure/erase.ts', // for its route and its command
      'http/address-field.ts',
      'ingress/account-mailer.ts',
      'ingress/compat/mailgun/address-validation.ts',
      'ingress/compat/mailgun/recipient-variables.ts',
      'ingress/compat/postmark/bounce-routes.ts',
      'ingress/compat/postmark/query.ts',
      'ingress/compat/postmark/suppression-routes.ts',
      'ingress/compat/reason-lists.ts',
      'ingress/compat/resend/suppressions.ts',
      'ingress/smtp-submission/submission-dialogue.ts',
      'organizations/settings/guard.ts', // addresses that are never slowed
      'processes/tls-reporting.ts', // who they are from
      'protocols/message/address.ts',
      'protocols/message/mailbox-text.ts',
      'protocols/message/reading/address-list.ts',
      'protocols/message/reading/sender-mailbox.ts', // From and Sender of submitted messages
      'protocols/message/recipient-pattern.ts', // whom a key may write to
      'received/route-address.ts', // of routes, which may be for any name
      'request-logs/entry.ts', // of bodies that were refused, whatever they are
      'sandbox/service.ts',
      'search/kinds/emails.ts', // what a person searches for
      'search/kinds/suppressions.ts', // the same, and addresses of refused requests
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
      'domains/sandbox-domain.ts', // the domain of the sandbox, a constant
      'protocols/message/address.ts',
      'protocols/message/domain-name.ts',
      'protocols/message/stored.ts',
      'protocols/message/unsafe-text.ts',
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
