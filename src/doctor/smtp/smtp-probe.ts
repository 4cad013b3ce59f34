/**
 * Connects to a mail server, greets it and quits, to learn whether it accepts our connection. No mail is
 * sent.
 */
import { parseCapabilities } from '../../protocols/smtp/capabilities.ts';
import { type Channel, type ChannelFailure, isFailure, openChannel } from '../../protocols/smtp/channel.ts';
import { CutOff } from '../../protocols/smtp/cut-off.ts';
import type { SmtpFailure, SmtpReply } from '../../protocols/smtp/facts.ts';
import type { ParsedReply } from '../../protocols/smtp/reply-parser.ts';

export type SmtpProbe =
  | { readonly kind: 'greeted'; readonly banner: string; readonly offersStartTls: boolean }
  | { readonly kind: 'refused'; readonly phase: 'banner' | 'ehlo'; readonly reply: SmtpReply }
  | {
      readonly kind: 'failed';
      readonly phase: 'connect' | 'banner' | 'ehlo';
      readonly failure: SmtpFailure;
      readonly detail: string;
    };

export interface SmtpEndpoint {
  readonly address: string;
  readonly port: number;
}

/** `timeoutMs` is the timeout for each reply. */
export async function probeSmtp(
  { address, port }: SmtpEndpoint,
  ehloName: string,
  timeoutMs: number,
): Promise<SmtpProbe> {
  const channel = await openChannel({ address, port }, timeoutMs, new CutOff());
  if (isFailure(channel)) return failed('connect', channel);
  try {
    return await greetAt(channel, ehloName, timeoutMs);
  } finally {
    channel.write('QUIT\r\n');
    await channel.readReply(Math.min(timeoutMs, GOODBYE_MS));
    channel.destroy();
  }
}

const GOODBYE_MS = 1_000;

async function greetAt(channel: Channel, ehloName: string, timeoutMs: number): Promise<SmtpProbe> {
  const banner = await channel.readReply(timeoutMs);
  if (isFailure(banner)) return failed('banner', banner);
  if (!isWelcome(banner)) return { kind: 'refused', phase: 'banner', reply: banner };
  channel.write(`EHLO ${ehloName}\r\n`);
  const hello = await channel.readReply(timeoutMs);
  if (isFailure(hello)) return failed('ehlo', hello);
  if (!isWelcome(hello)) return { kind: 'refused', phase: 'ehlo', reply: hello };
  return { kind: 'greeted', banner: banner.text, offersStartTls: parseCapabilities(hello.lines).startTls };
}

function isWelcome({ code }: ParsedReply): boolean {
  return code >= 200 && code < 300;
}

function failed(phase: 'connect' | 'banner' | 'ehlo', { failure, detail }: ChannelFailure): SmtpProbe {
  return { kind: 'failed', phase, failure, detail };
}
