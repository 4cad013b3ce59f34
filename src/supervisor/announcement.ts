/** The text that Postrider prints after its start. */
import type { Config } from '../runtime/config.ts';
import type { SubmissionPorts } from './http-address.ts';

interface Introduced {
  readonly config: Pick<Config, 'publicUrl' | 'mode' | 'hostname' | 'submission'>;
  /**
   * The API's address on this machine. The public address may lead through a proxy that is not configured
   * yet.
   */
  readonly localUrl: string;
  /** The ports for SMTP submission; undefined when there are none. */
  readonly submission: SubmissionPorts | undefined;
  readonly sender: string;
  /** The link for creating the first user; null when a user exists. */
  readonly setUpLink: string | null;
  /** A new API key, which is never shown again. */
  readonly newKey: string | null;
  /**
   * The variable that holds a working key; null without one. The key itself is never shown, because output
   * ends up in logs.
   */
  readonly givenKeyName: string | null;
  readonly isFirstStart: boolean;
}

/** The addresses of all parts and the first steps. */
export function introduction(introduced: Introduced): string {
  const { config, setUpLink, newKey, givenKeyName } = introduced;
  const lines = [
    '',
    `  Dashboard      ${setUpLink === null ? config.publicUrl : `${setUpLink}   (create the first user there)`}`,
    `  API            ${config.publicUrl}/api/v1`,
    `  Documentation  ${config.publicUrl}/docs`,
    ...smtpLines(introduced),
  ];
  if (newKey !== null) lines.push(`  API key        ${newKey}   (shown only once, keep it)`);
  else if (givenKeyName !== null) lines.push(`  API key        the one in ${givenKeyName}`);
  else lines.push('  More API keys  npx postrider key create --help');
  lines.push('', ...firstSteps(introduced));
  return lines.join('\n');
}

function smtpLines({ config, submission }: Introduced): string[] {
  if (submission === undefined) return [];
  const { port, tlsPort } = submission;
  const { host, offersStartTls } = config.submission;
  if (config.mode === 'sandbox') {
    return [`  SMTP           ${host}:${port}   (no password needed; an API key chooses its organization)`];
  }
  const at = offersStartTls
    ? `${config.hostname}:${port} (STARTTLS)`
    : `${host}:${port} (this machine alone)`;
  const secured = tlsPort === undefined ? '' : `, ${config.hostname}:${tlsPort} (TLS)`;
  return [`  SMTP           ${at}${secured}; any user name, an API key as the password`];
}

function firstSteps({ config, localUrl, sender, newKey, givenKeyName, isFirstStart }: Introduced): string[] {
  if (!isFirstStart) return [];
  if (config.mode === 'live')
    return ['Live mode: register a domain to send from first (POST /api/v1/domains).', ''];
  return newKey === null
    ? [
        `Send a first email, from a shell that has ${givenKeyName} too:`,
        '',
        `  ${curl(localUrl, `"Authorization: Bearer $${givenKeyName}"`, sender)}`,
        '',
      ]
    : ['Send a first email:', '', `  ${curl(localUrl, `'Authorization: Bearer ${newKey}'`, sender)}`, ''];
}

/** `heldFor` is the reason of a hold on all mail. */
export function readyLine(mode: Config['mode'], heldFor: string | null): string {
  if (heldFor !== null)
    return `Postrider is ready, and everything is held: nothing is sent until \`npx postrider release\` (${heldFor}).`;
  return mode === 'sandbox'
    ? 'Postrider is ready. Sandbox mode: every email is captured here, none leaves this machine.'
    : 'Postrider is ready. Live mode: emails go to their recipients.';
}

/** One line, so that it can be pasted into any shell. */
function curl(localUrl: string, authorization: string, sender: string): string {
  const body = {
    from: { email: sender },
    to: [{ email: 'ada@example.org' }],
    subject: 'Hello from Postrider',
    text: 'It works.',
  };
  return (
    `curl ${localUrl}/api/v1/emails/send -H ${authorization} ` +
    `-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
  );
}
