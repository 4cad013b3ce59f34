/**
 * A scripted SMTP server on loopback. It is built on sockets and not on a mail library, so that tests can inspect the exact bytes
 * of a client, and so that it can fail in every way a server can.
 *
 * Owns a listening socket and everything received. Each connection runs its phases in order (banner, ehlo, mail, rcpt, data,
 * dot, …). A script entry for a phase decides the action, otherwise the sink accepts. Tests wait for events
 * (`waitForMessages`, `waitForClosed`, a reached `gate`), never for time.
 */
import { EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { SinkSession } from './smtp-sink-session.ts';
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from './test-certificate.ts';

export type SinkPhase =
  | 'banner'
  | 'ehlo'
  | 'helo'
  | 'starttls'
  | 'auth'
  | 'mail'
  | 'rcpt'
  | 'data'
  | 'dot'
  | 'rset'
  | 'quit'
  | 'other';

/** An action instead of acceptance. A string is a reply; CRLF is added to each of its lines. */
export type SinkAction =
  | string
  | { readonly act: 'raw'; readonly bytes: Buffer }
  | { readonly act: 'drop'; readonly how: 'fin' | 'reset'; readonly reply?: string }
  | { readonly act: 'silent' }
  | { readonly act: 'fakeTls'; readonly answer: Buffer }
  | { readonly act: 'agree' };

export interface SinkMoment {
  readonly phase: SinkPhase;
  /** The command line without CRLF; '' for the banner and the dot. */
  readonly line: string;
  readonly connection: SinkConnection;
  /** The number of this visit to the phase on this sink, counting from 1. */
  readonly visit: number;
}

export type SinkStep = SinkAction | ((moment: SinkMoment) => SinkAction | Promise<SinkAction>);
export type SinkScript = { readonly [phase in SinkPhase]?: SinkStep };

export interface SinkOptions {
  readonly address?: string;
  readonly port?: number;
  readonly script?: SinkScript;
  /** EHLO keywords. STARTTLS is omitted automatically once TLS is on. */
  readonly capabilities?: readonly string[];
  /** False for load tests: only counts are kept, without bytes and messages. */
  readonly record?: boolean;
  /** TLS begins with the first byte. */
  readonly tlsAtOnce?: boolean;
  /** For TLS; the test certificate by default. */
  readonly certificate?: { readonly cert: string; readonly key: string };
}

export interface SinkMessage {
  readonly from: string;
  readonly to: readonly string[];
  readonly mailLine: string;
  /** The message without dot-stuffing and without the final dot. */
  readonly content: Buffer;
  readonly connection: SinkConnection;
}

export interface SinkConnection {
  readonly number: number;
  /** The client's address. */
  readonly from: string;
  /** Every byte received, after decryption. */
  readonly received: Buffer;
  readonly commands: readonly string[];
  readonly tls: boolean;
  readonly tlsResumed: boolean;
  readonly saidQuit: boolean;
  /** How the connection ended: 'clean' after QUIT, 'fin' without QUIT, 'reset' by an error, 'dropped' by the script. */
  readonly ended: 'open' | 'clean' | 'fin' | 'reset' | 'dropped';
}

export const DEFAULT_CAPABILITIES = [
  'PIPELINING',
  'SIZE 10485760',
  '8BITMIME',
  'ENHANCEDSTATUSCODES',
  'SMTPUTF8',
];

export const raw = (bytes: string | Buffer): SinkAction => ({
  act: 'raw',
  bytes: Buffer.from(bytes as string),
});
export const drop = (reply?: string): SinkAction => ({
  act: 'drop',
  how: 'fin',
  ...(reply ? { reply } : {}),
});
export const reset = (): SinkAction => ({ act: 'drop', how: 'reset' });
export const silent = (): SinkAction => ({ act: 'silent' });
export const agree = (): SinkAction => ({ act: 'agree' });
/** Replies 220 to STARTTLS and answers the handshake with these bytes. */
export const fakeTls = (answer: string): SinkAction => ({ act: 'fakeTls', answer: Buffer.from(answer) });

/** Holds a phase until released, and resolves a promise when the phase is reached. */
export interface Gate {
  readonly reached: Promise<void>;
  release(action?: SinkAction): void;
  readonly step: SinkStep;
}

export function gate(): Gate {
  let reach = (): void => {};
  let open = (_action: SinkAction): void => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const released = new Promise<SinkAction>((resolve) => {
    open = resolve;
  });
  return {
    reached,
    release: (action = agree()) => open(action),
    step: async () => {
      reach();
      return await released;
    },
  };
}

export async function startSmtpSink(options: SinkOptions = {}): Promise<SmtpSink> {
  const sink = new SmtpSink(options);
  await sink.listen();
  return sink;
}

export class SmtpSink {
  readonly messages: SinkMessage[] = [];
  messageCount = 0;
  closedCount = 0;
  /** May be replaced while the sink runs. The next phase uses the new script. */
  script: SinkScript;
  readonly options: SinkOptions;
  readonly secureContext: SecureContext;
  readonly #server = createServer((socket) => this.#accept(socket));
  readonly #sessions: SinkSession[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #changes = new EventEmitter().setMaxListeners(0);
  readonly #visits = new Map<SinkPhase, number>();

  constructor(options: SinkOptions) {
    this.options = options;
    this.script = options.script ?? {};
    this.secureContext = createSecureContext(
      options.certificate ?? { key: TEST_CERTIFICATE_KEY, cert: TEST_CERTIFICATE },
    );
  }

  get connections(): readonly SinkConnection[] {
    return this.#sessions;
  }

  get address(): string {
    return (this.#server.address() as AddressInfo).address;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async listen(): Promise<void> {
    this.#server.listen(this.options.port ?? 0, this.options.address ?? '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** Closes all remaining connections. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async waitForMessages(count: number): Promise<readonly SinkMessage[]> {
    await this.#waitUntil(() => this.messageCount >= count);
    return this.messages;
  }

  async waitForConnections(count: number): Promise<readonly SinkConnection[]> {
    await this.#waitUntil(() => this.connections.length >= count);
    return this.connections;
  }

  async waitForClosed(count: number): Promise<readonly SinkConnection[]> {
    await this.#waitUntil(() => this.closedCount >= count);
    return this.connections;
  }

  /** Makes the sink act without a command on a connection. Connections are counted from 1. */
  say(connectionNumber: number, action: SinkAction): void {
    this.#sessions[connectionNumber - 1]?.say(action);
  }

  countVisit(phase: SinkPhase): number {
    const visit = (this.#visits.get(phase) ?? 0) + 1;
    this.#visits.set(phase, visit);
    return visit;
  }

  took(message: SinkMessage): void {
    this.messageCount++;
    if (this.options.record !== false) this.messages.push(message);
    this.#changes.emit('change');
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    const session = new SinkSession(this, socket, this.#sessions.length + 1);
    this.#sessions.push(session);
    this.#changes.emit('change');
    socket.on('close', () => this.#sockets.delete(socket));
    void session.run().then(() => {
      this.closedCount++;
      this.#changes.emit('change');
    });
  }

  async #waitUntil(holds: () => boolean): Promise<void> {
    while (!holds()) await once(this.#changes, 'change');
  }
}
