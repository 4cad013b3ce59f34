/** AUTH PLAIN or LOGIN, for relays that require authentication. Credentials never reach the transcript. */
import type { Capabilities } from './capabilities.ts';
import type { SmtpCredentials, SmtpFinding } from './facts.ts';
import { command, isFinding, type Link } from './link.ts';

/** Null after successful authentication. */
export async function authenticate(
  link: Link,
  credentials: SmtpCredentials,
  offered: Capabilities,
  overTls: boolean,
): Promise<SmtpFinding | null> {
  if (!overTls && credentials.allowWithoutTls !== true) {
    return { kind: 'local', problem: 'auth_needs_tls', detail: 'credentials are only sent over TLS' };
  }
  if (offered.auth.has('PLAIN')) return await authPlain(link, credentials);
  if (offered.auth.has('LOGIN')) return await authLogin(link, credentials);
  return { kind: 'local', problem: 'auth_not_offered', detail: 'neither AUTH PLAIN nor AUTH LOGIN in EHLO' };
}

async function authPlain(link: Link, { user, password }: SmtpCredentials): Promise<SmtpFinding | null> {
  const secret = base64(`\0${user}\0${password}`);
  return await step(link, `AUTH PLAIN ${secret}`, 2, 'AUTH PLAIN (hidden)');
}

async function authLogin(link: Link, { user, password }: SmtpCredentials): Promise<SmtpFinding | null> {
  return (
    (await step(link, 'AUTH LOGIN', 3, 'AUTH LOGIN')) ??
    (await step(link, base64(user), 3, '(hidden user)')) ??
    (await step(link, base64(password), 2, '(hidden password)'))
  );
}

async function step(link: Link, line: string, wanted: 2 | 3, shownAs: string): Promise<SmtpFinding | null> {
  const answer = await command(link, 'auth', line, wanted, link.deadlines.authMs, shownAs);
  return isFinding(answer) ? answer : null;
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
