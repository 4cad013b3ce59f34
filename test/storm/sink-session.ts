/**
 * One connection to the storm's mail server. Owns its socket and the bytes not yet used.
 * States: commands ⇄ content → (a message taken: written down, then replied to) → commands …, and over.
 *
 * What it can know about a reply, and writes down: how much of it was written, and when the client next spoke. Bytes
 * that came together with the dot (a QUIT that rides along) were sent before the reply and prove nothing.
 */
import type { Socket } from 'node:net';
import type { Random } from '../fuzz/random.ts';
import { harmOf, isGreylisted, isRefused, SUBJECT } from './mail.ts';
import type { Misbehavior } from './misbehaviors.ts';
import type { Fate, OutsideLine } from './outside-log.ts';

export interface SinkRules {
  readonly random: Random;
  /** How likely each is, for one message; all 0 once the storm is over. */
  faults: { beforeDot: number; afterDot: number; halfReply: number };
  /** How long it thinks before it answers DATA, and the dot. */
  readonly thinkMs: { readonly data: number; readonly dot: number };
  /** Addresses that were asked to come back once. */
  readonly greylisted: Set<string>;
  readonly cuts: { beforeDot: number; afterDot: number; halfReply: number };
  /** Gives the next message its number. */
  next(): number;
  /** On disk when it returns. */
  write(line: OutsideLine): void;
  /** On disk soon. */
  note(line: OutsideLine): void;
}

const END = Buffer.from('\r\n.\r\n');
const EHLO =
  '250-sink.test\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-SIZE 20000000\r\n250 ENHANCEDSTATUSCODES\r\n';
const TAKEN = '250 2.0.0 taken\r\n';

export class SinkSession {
  readonly #socket: Socket;
  readonly #rules: SinkRules;
  readonly #connection: number;
  readonly #misbehavior: Misbehavior | null;
  #buffer: Buffer = Buffer.alloc(0);
  #to = '';
  #inContent = false;
  #busy = false;
  #over = false;
  #open: { fate: Fate; chunks: number } | null = null;
  #chunks = 0;

  constructor(socket: Socket, connection: number, rules: SinkRules, misbehavior: Misbehavior | null) {
    this.#socket = socket;
    this.#connection = connection;
    this.#rules = rules;
    this.#misbehavior = misbehavior;
    rules.note({ type: 'opened', connection, port: socket.remotePort ?? 0, atMs: now() });
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    for (const end of ['end', 'error', 'close']) socket.on(end, () => this.#end());
    if (misbehavior?.greet === undefined) socket.write('220 sink.test ESMTP\r\n');
    else misbehavior.greet(socket);
  }

  #read(chunk: Buffer): void {
    this.#chunks += 1;
    if (this.#open !== null && this.#chunks > this.#open.chunks) this.#settle(now());
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
    void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    while (!this.#over && (this.#inContent ? await this.#content() : await this.#command()));
    this.#busy = false;
  }

  /** False when more must be read first. */
  async #command(): Promise<boolean> {
    const end = this.#buffer.indexOf('\r\n');
    if (end === -1) return false;
    const line = this.#buffer.toString('latin1', 0, end);
    this.#buffer = this.#buffer.subarray(end + 2);
    if (this.#misbehavior?.recipient !== undefined && /^RCPT/i.test(line)) {
      this.#misbehavior.recipient(this.#socket);
      return true;
    }
    const answer = this.#answer(line);
    if (answer.startsWith('354')) await pause(this.#rules.thinkMs.data);
    this.#socket.write(answer);
    if (line.toUpperCase() === 'QUIT') this.#socket.end();
    return true;
  }

  #answer(line: string): string {
    switch (line.slice(0, 4).toUpperCase()) {
      case 'EHLO':
        return EHLO;
      case 'RCPT':
        return this.#recipient(line.slice(line.indexOf('<') + 1, line.indexOf('>')));
      case 'DATA':
        this.#inContent = this.#to !== '';
        return this.#inContent ? '354 go on\r\n' : '503 5.5.1 RCPT first\r\n';
      case 'QUIT':
        return '221 2.0.0 bye\r\n';
      case 'RSET':
        this.#to = '';
    }
    return '250 2.0.0 ok\r\n';
  }

  #recipient(address: string): string {
    const { greylisted } = this.#rules;
    if (isRefused(address)) return '550 5.1.1 nobody of that name\r\n';
    if (isGreylisted(address) && !greylisted.has(address)) {
      greylisted.add(address);
      return '451 4.7.1 greylisted, come back\r\n';
    }
    this.#to = address;
    return '250 2.1.5 ok\r\n';
  }

  async #content(): Promise<boolean> {
    const { faults, random, cuts } = this.#rules;
    const end = this.#buffer.indexOf(END);
    if (end === -1) return false;
    const content = unstuffed(this.#buffer.subarray(0, end + 2));
    this.#buffer = this.#buffer.subarray(end + END.length);
    this.#inContent = false;
    if (random.chance(faults.beforeDot)) {
      cuts.beforeDot += 1;
      return this.#cut();
    }
    await this.#take(content);
    return true;
  }

  async #take(content: Buffer): Promise<void> {
    const rules = this.#rules;
    const number = rules.next();
    const token = SUBJECT.exec(subjectOf(content))?.[1] ?? '';
    const to = this.#to;
    this.#to = '';
    const harm = token === '' ? 'its subject is another' : await harmOf(token, content);
    rules.write({ type: 'taken', number, atMs: now(), connection: this.#connection, token, to, harm });
    await pause(rules.thinkMs.dot);
    this.#reply(number);
  }

  #reply(number: number): void {
    const { faults, random, cuts, note } = this.#rules;
    const fate = { type: 'fate', number, replyAtMs: now(), heardAtMs: null } as const;
    if (this.#over) note({ ...fate, reply: 'late' });
    else if (this.#misbehavior?.reply !== undefined)
      note({ ...fate, reply: this.#misbehavior.reply(this.#socket, TAKEN) });
    else if (random.chance(faults.afterDot)) {
      cuts.afterDot += 1;
      note({ ...fate, reply: 'none' });
      this.#cut();
    } else if (random.chance(faults.halfReply)) {
      cuts.halfReply += 1;
      note({ ...fate, reply: 'half' });
      this.#socket.end(TAKEN.slice(0, random.integer(1, TAKEN.length - 2)));
      this.#end();
    } else {
      this.#socket.write(TAKEN);
      // Looked at once more: this process may have had to wait before it could write.
      this.#open = { fate: { ...fate, replyAtMs: now(), reply: 'whole' }, chunks: this.#chunks };
    }
  }

  #settle(heardAtMs: number | null): void {
    if (this.#open !== null) this.#rules.note({ ...this.#open.fate, heardAtMs });
    this.#open = null;
  }

  /** A reset, not an orderly end. */
  #cut(): false {
    this.#end();
    Object.assign(this.#socket, { resetAndClosing: true }).destroy();
    return false;
  }

  #end(): void {
    this.#over = true;
    this.#settle(null);
    this.#buffer = Buffer.alloc(0);
  }
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}

function now(): number {
  return performance.timeOrigin + performance.now();
}

function subjectOf(content: Buffer): string {
  return /^Subject: (.*)\r$/m.exec(content.toString('latin1', 0, 8_192))?.[1] ?? '';
}

function unstuffed(content: Buffer): Buffer {
  if (!content.includes('\r\n..')) return content;
  return Buffer.from(content.toString('latin1').replaceAll('\r\n..', '\r\n.'), 'latin1');
}
