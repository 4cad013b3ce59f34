/**
 * `npx postrider mcp`: an MCP server over stdin and stdout for a local or remote installation. The parent
 * process supplies an API key.
 */
import { once } from 'node:events';
import { type MailApi, parsed, withQuery } from '../ingress/mcp/mail-api.ts';
import type { ToolCaller } from '../ingress/mcp/tool.ts';
import { packageVersion } from '../processes/package-version.ts';
import type { KeyPolicy, Scope } from '../runtime/permissions.ts';
import { CliError, type Command, type CommandContext, EXIT_USAGE, type Options } from './command.ts';

export const mcpCommand: Command = {
  name: 'mcp',
  isElsewhere: true,
  optional: { url: 'URL', key: 'KEY' },
  summary: 'Serve MCP over stdin and stdout, for agents that send and look up mail',
  explains: {
    '--url': 'the URL of the installation; the default is POSTRIDER_PUBLIC_URL',
    '--key':
      'a key of scope agent; safer in POSTRIDER_API_KEY, which other users of this machine cannot read',
  },
  example: 'mcp --url https://mail.example.org',
  json: false,
  run: (context, _, options) => serve(context, options),
};

/** Longer than any response of the API takes. */
const ANSWER_WITHIN_MS = 60_000;

async function serve({ config, enough, warn }: CommandContext, options: Options): Promise<null> {
  const url = urlOf(options.url ?? config.publicUrl);
  const here = options.url === undefined ? config.bootstrapApiKey : undefined;
  const key = options.key ?? config.apiKey ?? here;
  if (key === undefined)
    throw new CliError(
      'An API key is missing. Create a key of scope agent, and give the key: --key pr_… or POSTRIDER_API_KEY.',
      EXIT_USAGE,
    );
  const api = apiAt(url, key);
  const caller = await callerOf(api, url);
  const [{ serveStdio }, { createMcpServer }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('../ingress/mcp/mcp-server.ts'),
  ]);
  const handle = serveStdio(() => createMcpServer(packageVersion(), caller, api), {
    onerror: (error) => warn(error.message),
  });
  // Only protocol messages may be printed on stdout, because clients parse it.
  await Promise.race([once(process.stdin, 'close'), once(process.stdin, 'end'), aborted(enough)]);
  await handle.close();
  return null;
}

function aborted(signal: AbortSignal): Promise<unknown> {
  return signal.aborted ? Promise.resolve() : once(signal, 'abort');
}

function urlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CliError(`--url must be a URL such as https://mail.example.org, not ${text}.`, EXIT_USAGE);
  return url.href.replace(/\/+$/, '');
}

function apiAt(url: string, key: string): MailApi {
  return async (method, path, { query, body, headers = {} } = {}) => {
    const response = await fetch(url + withQuery(`/api/v1${path}`, query), {
      method,
      headers: {
        ...headers,
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // The key must not be sent to another host.
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    return { status: response.status, body: parsed(await response.text()) };
  };
}

/** Called once: a connected client keeps its list of tools. The API checks the key's rights at every call. */
async function callerOf(api: MailApi, url: string): Promise<ToolCaller> {
  const answer = await api('GET', '/api-keys/current').catch((error: Error) => {
    throw new CliError(
      `Nothing answers at ${url}: ${error.cause ?? error.message}. Set --url to the address where Postrider answers.`,
    );
  });
  if (answer.status !== 200)
    throw new CliError(
      `${url} does not accept this API key (${answer.status}). Create a key in the dashboard.`,
    );
  const { scope, policy } = (answer.body as { data: { scope: Scope; policy: KeyPolicy | null } }).data;
  const inbox = await api('GET', '/sandbox/messages', { query: { limit: 1 } });
  return { scope, policy, isSandbox: inbox.status === 200 };
}
