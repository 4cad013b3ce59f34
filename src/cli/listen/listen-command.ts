/**
 * `npx postrider listen` forwards events to an application on this machine, like webhooks, from a local or
 * remote installation.
 */
import { EVENT_TYPES } from '../../events/append.ts';
import { newSecret, secretText } from '../../webhooks/endpoints/secret.ts';
import { WEBHOOK_FORMATS, type WebhookFormat } from '../../webhooks/endpoints/store.ts';
import { CliError, type Command, type CommandContext, EXIT_USAGE, type Options } from '../command.ts';
import { followEvents, type StreamedEvent } from './event-stream.ts';
import { type Forwarding, forward } from './forward.ts';

export const listenCommand: Command = {
  name: 'listen',
  isElsewhere: true,
  required: { 'forward-to': 'URL' },
  optional: { events: 'TYPES', format: 'FORMAT', secret: 'WHSEC', url: 'URL', key: 'KEY' },
  summary: 'Forward events to an application on this machine, signed like webhooks',
  explains: {
    '--forward-to': 'the URL at which the application receives webhooks',
    '--events': 'only these types, separated by commas: email.delivered,email.bounced',
    '--format': 'the format of the webhooks',
    '--secret': 'the signing secret, for example of an existing webhook; the default is a new secret',
    '--url': 'the URL of the installation; the default is POSTRIDER_PUBLIC_URL',
    '--key': 'a key of scope full; safer in POSTRIDER_API_KEY, which other users of this machine cannot read',
  },
  choices: { '--format': WEBHOOK_FORMATS },
  example: 'listen --forward-to http://localhost:8000/hook',
  json: false,
  run: (context, _, options) => listen(context, options),
};

const MAIL = 'email.';
/** Events that a key press can send again. */
const REMEMBERED = 100;

async function listen(context: CommandContext, options: Options): Promise<null> {
  const { say, warn, enough } = context;
  const forwarding = forwardingOf(context, options);
  const wanted = typesOf(options.events);
  const lastEvents: StreamedEvent[] = [];
  const forwardAndPrint = async (event: StreamedEvent, again = false) => {
    const line = await outcomeOf(event, forwarding);
    if (line !== null) say(`${again ? 'again  ' : ''}${line}`);
    return line !== null;
  };
  const stopKeys = context.onKey?.((key) => {
    const event = key === 'r' ? lastEvents.at(-1) : undefined;
    if (event !== undefined) void forwardAndPrint(event, true);
    if (key === 'a') for (const one of lastEvents) void forwardAndPrint(one, true);
  });
  say(`Forwarding to ${forwarding.to.href}, signed with ${secretText(forwarding.secret)}`);
  const { clock } = context;
  const { apiUrl: url, key } = forwarding;
  const onJoined = () => say(`Following ${url}.${stopKeys === undefined ? '' : KEYS}`);
  const onBroken = (why: string) => warn(`Lost the connection (${why}); making a new one.`);
  for await (const event of followEvents({ clock, url, key, signal: enough, onJoined, onBroken })) {
    if (wanted !== null && !wanted.has(event.type)) continue;
    if (!(await forwardAndPrint(event))) continue;
    lastEvents.push(event);
    if (lastEvents.length > REMEMBERED) lastEvents.shift();
  }
  stopKeys?.();
  return null;
}

const KEYS = ` Press r to send the last event again, a for the last ${REMEMBERED}, Ctrl+C to stop.`;

/** Null when the format has no equivalent. */
async function outcomeOf(event: StreamedEvent, forwarding: Forwarding): Promise<string | null> {
  const what = `${MAIL}${event.type}`.padEnd(18);
  const about = `${what}  ${event.recipient}  ${event.id}`.replace(/\p{Cc}/gu, ' ');
  try {
    const forwarded = await forward(event, forwarding);
    return forwarded === 'no word' ? null : `${about}  → ${forwarded.answer}`;
  } catch (error) {
    return `${about}  → not forwarded: ${(error as Error).message}`;
  }
}

function forwardingOf({ config, clock, enough }: CommandContext, options: Options): Forwarding {
  const here = options.url === undefined ? config.bootstrapApiKey : undefined;
  const key = options.key ?? config.apiKey ?? here;
  if (key === undefined)
    throw new CliError(
      'No API key names the organization. Give a key of scope full: --key pr_… or POSTRIDER_API_KEY.',
      EXIT_USAGE,
    );
  return {
    ...{ key, nowMs: () => clock.nowMs(), signal: enough },
    apiUrl: urlOf('--url', options.url ?? config.publicUrl).href.replace(/\/+$/, ''),
    to: urlOf('--forward-to', options['forward-to'] ?? ''),
    secret: secretOf(options.secret),
    format: formatOf(options.format),
  };
}

function urlOf(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CliError(`${name} must be a URL such as http://localhost:8000/hook, not ${text}.`, EXIT_USAGE);
  return url;
}

function secretOf(text: string | undefined): Buffer {
  if (text === undefined) return newSecret();
  const secret = Buffer.from(text.replace(/^whsec_/, ''), 'base64');
  if (secret.length >= 24) return secret;
  throw new CliError(
    '--secret must be the signing secret of a webhook, which begins with whsec_.',
    EXIT_USAGE,
  );
}

function formatOf(text: string = 'postrider'): WebhookFormat {
  const found = WEBHOOK_FORMATS.find((one) => one === text);
  if (found !== undefined) return found;
  throw new CliError(`There is no format ${text}. There are: ${WEBHOOK_FORMATS.join(', ')}.`, EXIT_USAGE);
}

/** Event types by their webhook names; null means all. */
function typesOf(text: string | undefined): ReadonlySet<string> | null {
  if (text === undefined) return null;
  const names = text.split(',').map((one) => one.trim());
  const unknown = names.find((name) => !EVENT_TYPES.some((type) => `${MAIL}${type}` === name));
  if (unknown === undefined) return new Set(names.map((name) => name.slice(MAIL.length)));
  const known = EVENT_TYPES.map((type) => `${MAIL}${type}`).join(', ');
  throw new CliError(`There is no event ${unknown}. There are: ${known}.`, EXIT_USAGE);
}
