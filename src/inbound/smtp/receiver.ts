/** The mail server that receives bounces, complaints, and mail for organizations. */
import type { Certificate } from '../../certificates/x509.ts';
import { ClientLimits, type Limits } from '../../protocols/smtp/server/client-limits.ts';
import type { SessionBounds, SessionTimes } from '../../protocols/smtp/server/dialogue.ts';
import { SmtpListener } from '../../protocols/smtp/server/listener.ts';
import { MESSAGE_PACES, type MessagePaces } from '../../protocols/smtp/server/message-pace.ts';
import type { Reply } from '../../protocols/smtp/server/replies.ts';
import { fixedTls, type ServerTls } from '../../protocols/smtp/server/server-tls.ts';
import { SessionSlots } from '../../protocols/smtp/server/session-slots.ts';
import type { Log } from '../../runtime/log.ts';
import { SharedCapacity } from '../../runtime/work-loop/shared-capacity.ts';
import { type InboundCounted, InboundDialogue, type InboundDialogueOptions } from './inbound-dialogue.ts';

export type InboundLimits = Limits<InboundCounted>;

export interface InboundReceiverOptions extends Pick<InboundDialogueOptions, 'find' | 'store'> {
  readonly receiving: Omit<InboundDialogueOptions['receiving'], 'memory'>;
  readonly listen: { readonly host: string; readonly port: number };
  /** The name in its greeting. */
  readonly host: string;
  readonly log: Log;
  readonly nowMs: () => number;
  readonly certificate: Certificate | null;
  /** Certificates that may be replaced at run time; instead of `certificate`. */
  readonly tls?: ServerTls | undefined;
  readonly limits?: Partial<InboundLimits>;
  readonly times?: Partial<SessionTimes>;
  readonly paces?: Partial<MessagePaces>;
  /** For organizations' mail in transfer, over all connections. */
  readonly memoryBytes?: number;
  readonly maxMessageBytes?: number;
  readonly exempt?: (address: string) => boolean;
  readonly onReply?: (reply: Reply) => void;
}

const LIMITS: InboundLimits = {
  sessions: 400,
  sessionsPerAddress: 40,
  connections: 600,
  messages: 12_000,
  openMessages: 60,
  receivedMessages: 600,
  unknownRecipients: 60,
};
const BOUNDS: SessionBounds = { errors: 10, messages: 1_000, commands: 100 };
const MEMORY_BYTES = 128 * 1024 * 1024;
const REPORT_MEMORY_BYTES = 32 * 1024 * 1024;
/** The size of a large mail that is returned whole. Only its beginning is kept. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/**
 * RFC 5321, 4.5.3.2.7 recommends that servers wait five minutes for the next command. A client that has not started a message
 * gets less time, because it occupies a connection.
 */
const TIMES: SessionTimes = {
  ...{ idleMs: 30_000, commandMs: 300_000 },
  ...{ messageMs: 600_000, sessionMs: 600_000 },
};

export function createInboundReceiver(options: InboundReceiverOptions): SmtpListener {
  const { nowMs, exempt, certificate, find, store } = options;
  const wanted = { ...LIMITS, ...options.limits };
  const limits = new ClientLimits<InboundCounted>({
    limits: wanted,
    nowMs,
    exempt,
    barring: ['unknownRecipients'],
  });
  const memory = new SharedCapacity(REPORT_MEMORY_BYTES);
  const receiving = { ...options.receiving, memory: new SharedCapacity(options.memoryBytes ?? MEMORY_BYTES) };
  return new SmtpListener({
    name: 'inbound receiver',
    listen: options.listen,
    host: options.host,
    log: options.log,
    onReply: options.onReply,
    limits,
    slots: new SessionSlots(wanted, nowMs),
    times: { ...TIMES, ...options.times },
    paces: { ...MESSAGE_PACES, ...options.paces },
    bounds: BOUNDS,
    maxMessageBytes: options.maxMessageBytes ?? MAX_MESSAGE_BYTES,
    tls: options.tls ?? (certificate === null ? null : fixedTls(certificate)),
    converse: (address) => new InboundDialogue(address, { find, limits, store, memory, receiving }),
  });
}
