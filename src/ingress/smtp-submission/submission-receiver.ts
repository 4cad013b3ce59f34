/**
 * The mail server for submissions by applications: one port with STARTTLS or without TLS, and one with
 * implicit TLS.
 */
import { ClientLimits, type Limits } from '../../protocols/smtp/server/client-limits.ts';
import type { SessionBounds, SessionTimes } from '../../protocols/smtp/server/dialogue.ts';
import { SmtpListener } from '../../protocols/smtp/server/listener.ts';
import { MESSAGE_PACES, type MessagePaces } from '../../protocols/smtp/server/message-pace.ts';
import type { Reply } from '../../protocols/smtp/server/replies.ts';
import { fixedTls, type ServerTls } from '../../protocols/smtp/server/server-tls.ts';
import { SessionSlots } from '../../protocols/smtp/server/session-slots.ts';
import { SharedCapacity } from '../../runtime/work-loop/shared-capacity.ts';
import {
  type SubmissionCounted,
  SubmissionDialogue,
  type SubmissionDialogueOptions,
} from './submission-dialogue.ts';

type SubmissionLimits = Limits<SubmissionCounted>;

export interface SubmissionReceiverOptions
  extends Pick<
    SubmissionDialogueOptions,
    'lookUp' | 'anybody' | 'rate' | 'screen' | 'submit' | 'log' | 'nowMs' | 'onRefused'
  > {
  readonly listen: { readonly host: string; readonly port: number; readonly tlsPort: number | null };
  /** The server's host name. */
  readonly host: string;
  /** PEM; null without encryption. */
  readonly certificate: { readonly cert: string; readonly key: string } | null;
  /** Certificates that are replaced at run time; used instead of `certificate`. */
  readonly tls?: ServerTls | undefined;
  /** The first port offers STARTTLS, and requires it for passwords. */
  readonly offersStartTls: boolean;
  readonly limits?: Partial<SubmissionLimits>;
  readonly times?: Partial<SessionTimes>;
  readonly paces?: Partial<MessagePaces>;
  readonly maxMessageBytes?: number;
  readonly memoryBytes?: number;
  readonly exempt?: (address: string) => boolean;
  readonly onReply?: ((reply: Reply) => void) | undefined;
}

const LIMITS: SubmissionLimits = {
  sessions: 400,
  sessionsPerAddress: 100,
  connections: 3_000,
  wrongKeys: 20,
};
/**
 * Commands: enough for fifty recipients and those refused beyond. Messages: unlimited, because a pool sends
 * over one connection.
 */
const BOUNDS: SessionBounds = { errors: 10, messages: Number.POSITIVE_INFINITY, commands: 1_000 };
const TIMES: SessionTimes = {
  ...{ idleMs: 30_000, commandMs: 300_000 },
  ...{ messageMs: 600_000, sessionMs: 3_600_000 },
};
/** Equals the limit of an API request. */
const MAX_MESSAGE_BYTES = 20 * 1024 * 1024;
/** Limit for large messages in memory at the same time. */
const MEMORY_BYTES = 128 * 1024 * 1024;

export function createSubmissionListeners(options: SubmissionReceiverOptions): SmtpListener[] {
  const { nowMs, exempt, certificate, listen, maxMessageBytes = MAX_MESSAGE_BYTES, offersStartTls } = options;
  const wanted = { ...LIMITS, ...options.limits };
  const limits = new ClientLimits<SubmissionCounted>({ limits: wanted, nowMs, exempt });
  const memory = new SharedCapacity(options.memoryBytes ?? MEMORY_BYTES);
  const dialogue = { ...options, limits, memory, maxMessageBytes, needsTls: offersStartTls };
  const tls = options.tls ?? (certificate === null ? null : fixedTls(certificate));
  const shared = {
    host: options.host,
    log: options.log,
    onReply: options.onReply,
    limits,
    slots: new SessionSlots(wanted, nowMs),
    times: { ...TIMES, ...options.times },
    paces: { ...MESSAGE_PACES, ...options.paces },
    bounds: BOUNDS,
    maxMessageBytes,
    converse: () => new SubmissionDialogue(dialogue),
  };
  const plain = new SmtpListener({
    ...shared,
    name: 'submission receiver',
    listen: { host: listen.host, port: listen.port },
    tls: offersStartTls ? tls : null,
  });
  if (listen.tlsPort === null) return [plain];
  const secured = new SmtpListener({
    ...shared,
    name: 'submission receiver with TLS',
    listen: { host: listen.host, port: listen.tlsPort },
    tls: null,
    tlsAtOnce: tls,
  });
  return [plain, secured];
}
