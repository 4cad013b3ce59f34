/** What one server says to one client, apart from what every SMTP server does: made for each connection. */
import type { SmtpCommand, SmtpPath } from './commands.ts';
import type { MessagePaces } from './message-pace.ts';
import type { MessageReader } from './message-reader.ts';
import type { Reply } from './replies.ts';
import type { ServerTls } from './server-tls.ts';

export interface Dialogue {
  /** What EHLO offers beside what every session does. */
  offers(client: Client): readonly string[];
  /** Of MAIL, that come with what is offered. */
  parameters(client: Client): readonly string[];
  /** Of RCPT. */
  readonly recipientParameters: readonly string[];
  /** Whether it offers CHUNKING: messages may come with BDAT. */
  readonly takesChunks: boolean;
  mail(path: SmtpPath, client: Client): Reply | Promise<Reply>;
  /** Several may be asked about before the first is answered. */
  recipient(address: string, parameters: SmtpPath['parameters']): Reply | Promise<Reply>;
  /** Where the message goes: somebody is there to get it. */
  reader(): MessageReader;
  /** Of a complete message. What it resolves to is true from then on. */
  take(message: MessageReader): Promise<Reply>;
  /** Whatever transaction there was is over. */
  reset(): void;
  /** A command that not every server has; undefined where this one has not either. */
  command(command: SmtpCommand, client: Client): Promise<Reply> | Reply | undefined;
  /** Whether it counts towards those that end the conversation. */
  isError(reply: Reply): boolean;
  readonly isLoggedIn: boolean;
  /** Said to a client that has been idle for too long: what it should have done. */
  readonly idleReply: Reply;
  /** Whether the message that is being received holds memory which is running short. */
  readonly isMemoryShort: boolean;
}

/** What a dialogue may know of the connection, and ask over it. */
export interface Client {
  readonly address: string;
  /** What it called itself. */
  readonly helo: string;
  readonly isSecured: boolean;
  readonly inTransaction: boolean;
  /** Says 334 and waits for the answer; null when the client is gone. */
  ask(challenge: string): Promise<string | null>;
}

export interface SessionTimes {
  /** From connecting until the client has logged in or begun a message, whatever else it says and TLS included. */
  readonly idleMs: number;
  /** For the next command to be complete, for TLS to be agreed on, and for a reply to be taken. */
  readonly commandMs: number;
  readonly messageMs: number;
  /** For the whole conversation. */
  readonly sessionMs: number;
}

export interface SessionBounds {
  readonly errors: number;
  readonly messages: number;
  /** Without a message among them. */
  readonly commands: number;
}

export interface SessionOptions {
  readonly host: string;
  readonly times: SessionTimes;
  readonly paces: MessagePaces;
  readonly bounds: SessionBounds;
  readonly maxMessageBytes: number;
  /** For STARTTLS; null where it is not offered. */
  readonly tls: ServerTls | null;
  readonly onReply?: ((reply: Reply) => void) | undefined;
}
