/** What a person reads when Postrider comes up. */
import type { Config } from '../../runtime/config.ts';

export interface Introduced {
  readonly config: Pick<Config, 'publicUrl' | 'mode'>;
  /** Where this machine reaches the API: the public address may lead through a proxy that is not there yet. */
  readonly localUrl: string;
  readonly sender: string;
  /** A key that was just made and is never shown again. */
  readonly newKey: string | null;
  /** The key for the curl line; undefined when it is not ours to show any more. */
  readonly curlKey: string | undefined;
}

/** Where everything is and how to begin. */
export function introduction({ config, localUrl, sender, newKey, curlKey }: Introduced): string {
  const lines = [
    '',
    `  Dashboard      ${config.publicUrl}`,
    `  API            ${config.publicUrl}/api/v1`,
    `  API reference  ${config.publicUrl}/docs`,
  ];
  if (newKey !== null) lines.push(`  API key        ${newKey}   (shown this once, keep it)`);
  if (curlKey === undefined) lines.push('  More API keys  npx postrider key create --help', '');
  else if (config.mode === 'live')
    lines.push('', 'Live mode: register a domain to send from first (POST /api/v1/domains).', '');
  else lines.push('', 'Send a first email:', '', `  ${curl(localUrl, curlKey, sender)}`, '');
  return lines.join('\n');
}

export function readyLine(mode: Config['mode']): string {
  return mode === 'sandbox'
    ? 'Postrider is ready. Sandbox mode: every email is captured here, none leaves this machine.'
    : 'Postrider is ready. Live mode: emails go to their recipients.';
}

/** One line: it survives being pasted into any shell. */
function curl(localUrl: string, apiKey: string, sender: string): string {
  const body = {
    from: { email: sender },
    to: [{ email: 'ada@example.org' }],
    subject: 'Hello from Postrider',
    text: 'It works.',
  };
  return (
    `curl ${localUrl}/api/v1/emails/send -H 'Authorization: Bearer ${apiKey}' ` +
    `-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
  );
}
