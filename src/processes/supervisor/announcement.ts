/** What a person reads when Postrider is up. */
import type { Config } from '../../runtime/config.ts';

export interface Announced {
  readonly config: Pick<Config, 'mode' | 'publicUrl'>;
  /** Where this machine reaches the API: the public address may lead through a proxy that is not there yet. */
  readonly localUrl: string;
  readonly sender: string;
  /** The key to show in the curl line; undefined when it is not ours to show any more. */
  readonly apiKey: string | undefined;
}

export function announcement({ config, localUrl, sender, apiKey }: Announced): string {
  const sandbox = config.mode === 'sandbox';
  const lines = [
    '',
    sandbox
      ? 'Postrider is ready. Sandbox mode: every email is captured here, none leaves this machine.'
      : 'Postrider is ready. Live mode: emails go to their recipients.',
    '',
    `  Dashboard      ${config.publicUrl}`,
    `  API            ${config.publicUrl}/api/v1`,
    `  API reference  ${config.publicUrl}/docs`,
    '',
  ];
  if (apiKey === undefined) {
    lines.push('  Another API key: npx postrider key create --help', '');
  } else {
    lines.push('Send a first email:', '', `  ${curl(localUrl, apiKey, sender)}`, '');
  }
  return lines.join('\n');
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
