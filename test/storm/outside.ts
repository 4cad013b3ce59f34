/** Starts the outside world (`outside-process.ts`) and talks to it. */
import { type ChildProcess, fork } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { MisbehaviorName } from './misbehaviors.ts';
import type { OutsideLine } from './outside-log.ts';

export interface SinkFaults {
  readonly beforeDot: number;
  readonly afterDot: number;
  readonly halfReply: number;
}

export interface OutsideOptions {
  readonly file: string;
  readonly seed: number;
  /** How likely each is for one message. */
  readonly faults: SinkFaults;
  readonly thinkMs: { readonly data: number; readonly dot: number };
  /** How likely the webhook receiver answers 500. */
  readonly hookFailures: number;
  /** So many domains beyond the usual ones (`strangerDomain`). */
  readonly strangers?: number;
  /** Servers that do not do as they should, each for the domain of its own name, until it is calm. */
  readonly rude?: readonly MisbehaviorName[];
}

/** How DNS is: well, without a word, only failing, or not there at all. */
export type DnsState = 'well' | 'silent' | 'failing' | 'gone';

export type ToOutside =
  | { readonly kind: 'publish'; readonly name: string; readonly value: string }
  | { readonly kind: 'dns'; readonly state: DnsState }
  | { readonly kind: 'calm' | 'count' | 'end' };

export type FromOutside =
  | {
      readonly kind: 'listening';
      readonly smtpPort: number;
      readonly hooksPort: number;
      readonly dnsAddress: string;
    }
  | {
      readonly kind: 'counted';
      readonly taken: number;
      readonly hooked: number;
      /** How long it stood still itself, in milliseconds, each time that it did. */
      readonly stalls: readonly number[];
      readonly cuts: SinkFaults;
      /** Bytes of reply that nobody asked for. */
      readonly flooded: number;
    }
  | { readonly kind: 'dns-set' }
  | { readonly kind: 'ended' };

type Of<Kind extends FromOutside['kind']> = Extract<FromOutside, { kind: Kind }>;

/** Of what the process wrote to stderr, for the error that tells of its end. */
const LAST_WORDS = 2_000;

export class Outside {
  readonly #child: ChildProcess;
  readonly #file: string;
  readonly #end: OutsideEnd;
  readonly at: Of<'listening'>;

  private constructor(child: ChildProcess, file: string, end: OutsideEnd, at: Of<'listening'>) {
    this.#child = child;
    this.#file = file;
    this.#end = end;
    this.at = at;
  }

  static async start(options: OutsideOptions): Promise<Outside> {
    const script = fileURLToPath(new URL('outside-process.ts', import.meta.url));
    const child = fork(script, [JSON.stringify(options)], {
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    });
    const end = watchEnd(child);
    const at = await Promise.race([messageOf(child, 'listening'), end.unexpected]);
    return new Outside(child, options.file, end, at);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Rejects when the process has ended and nobody asked it to, and says how. */
  get failed(): Promise<never> {
    return this.#end.unexpected;
  }

  publish(name: string, value: string): void {
    this.#send({ kind: 'publish', name, value });
  }

  /** From now on it only does what it should. */
  calm(): void {
    this.#send({ kind: 'calm' });
  }

  /** It is so when it resolves. */
  async setDns(state: DnsState): Promise<void> {
    await this.#ask({ kind: 'dns', state }, 'dns-set');
  }

  count(): Promise<Of<'counted'>> {
    return this.#ask({ kind: 'count' }, 'counted');
  }

  /** Everything is on disk when it resolves. */
  async end(): Promise<void> {
    this.#end.isExpected = true;
    if (!this.#child.connected) return;
    this.#send({ kind: 'end' });
    await this.#end.exited;
  }

  #ask<Kind extends FromOutside['kind']>(message: ToOutside, kind: Kind): Promise<Of<Kind>> {
    const answer = messageOf(this.#child, kind);
    this.#send(message);
    return Promise.race([answer, this.failed]);
  }

  /** The error of a pipe whose other end is gone is left out: `failed` says why it is gone. */
  #send(message: ToOutside): void {
    this.#child.send(message, () => undefined);
  }

  lines(): AsyncIterable<OutsideLine> {
    return linesOf(this.#file);
  }
}

async function* linesOf(file: string): AsyncGenerator<OutsideLine> {
  for await (const line of createInterface({ input: createReadStream(file) })) yield JSON.parse(line);
}

function messageOf<Kind extends FromOutside['kind']>(child: ChildProcess, kind: Kind): Promise<Of<Kind>> {
  return new Promise((resolve) => {
    const listen = (message: FromOutside) => {
      if (message.kind !== kind) return;
      child.off('message', listen);
      resolve(message as Of<Kind>);
    };
    child.on('message', listen);
  });
}

interface OutsideEnd {
  isExpected: boolean;
  readonly exited: Promise<void>;
  readonly unexpected: Promise<never>;
}

function watchEnd(child: ChildProcess): OutsideEnd {
  let words = '';
  child.stderr?.on('data', (data: Buffer) => {
    process.stderr.write(data);
    words = `${words}${data}`.slice(-LAST_WORDS);
  });
  child.on('error', (error) => {
    words = `${words}\n${error.message}`;
  });
  // `close` and not `exit`: by then everything that it wrote to stderr has been read.
  const closed = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  const end = { isExpected: false, exited: closed.then(() => undefined) };
  const unexpected = closed.then(({ code, signal }) => {
    if (end.isExpected) return new Promise<never>(() => undefined);
    const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
    throw new Error(`The process of the outside world (${child.pid}) ended ${how}.${words && `\n${words}`}`);
  });
  // Handled where it is awaited; a storm that has ended does not care any more.
  unexpected.catch(() => undefined);
  return Object.assign(end, { unexpected });
}
