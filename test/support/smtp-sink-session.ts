/**
 * One connection to the SMTP sink. Owns its socket and the bytes not yet used.
 * States: greeting → commands ⇄ message content → ended.
 */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import {
  DEFAULT_CAPABILITIES,
  type SinkAction,
  type SinkConnection,
  type SinkPhase,
  type SmtpSink,
} from './smtp-sink.ts';

const END_OF_CONTENT = Buffer.from('\r\n.\r\n');

export class SinkSession implements SinkConnection {
  readonly number: number;
  readonly from: string;
  readonly commands: string[] = [];
  tls = false;
  tlsResumed = false;
  saidQuit = false;
  ended: SinkConnection['ended'] = 'open';
  readonly #sink: SmtpSink;
  readonly #chunks: Buffer[] = [];
  readonly #recording: boolean;
  #socket: Socket;
  #buffer: Buffer = Buffer.alloc(0);
  #out = '';
  #wake: (() => void) | null = null;
  #over = false;
  #mailLine = '';
  #from: string | null = null;
  #to: string[] = [];

  constructor(sink: SmtpSink, socket: Socket, number: number) {
    this.#sink = sink;
    this.#recording = sink.options.record !== false;
    this.number = number;
    this.from = socket.remoteAddress ?? '';
    this.#socket = socket;
    this.#listen(socket);
  }

  get received(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** Resolves when the connection is over. */
  async run(): Promise<void> {
    if (this.#sink.options.tlsAtOnce) this.#secure();
    await this.#play('banner', '', () => '220 mx.sink.test ESMTP');
    for (;;) {
      const line = await this.#readLine();
      if (line === null) return;
      if (this.#recording) this.commands.push(line);
      await this.#command(line);
    }
  }

  /** Acts without a command of the client, like a server that closes an idle connection. */
  say(action: SinkAction): void {
    this.#perform(action, () => '');
    this.#flush();
  }

  async #command(line: string): Promise<void> {
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'EHLO') return await this.#play('ehlo', line, () => this.#greeting());
    if (verb === 'HELO') return await this.#play('helo', line, () => '250 mx.sink.test');
    if (verb === 'STAR') return await this.#play('starttls', line, () => '220 2.0.0 go ahead');
    if (verb === 'AUTH') return await this.#play('auth', line, () => '235 2.7.0 welcome');
    if (verb === 'MAIL') return await this.#play('mail', line, () => this.#mail(line));
    if (verb === 'RCPT') return await this.#play('rcpt', line, () => this.#rcpt(line));
    if (verb === 'DATA') return await this.#play('data', line, () => this.#data());
    if (verb === 'RSET') return await this.#play('rset', line, () => this.#clear());
    if (verb !== 'QUIT') return await this.#play('other', line, () => '502 5.5.1 not here');
    this.saidQuit = true;
    await this.#play('quit', line, () => '221 2.0.0 bye');
    this.#flush();
    this.#socket.end();
  }

  /** Performs the script's action, or accepts. As in a real server, the reply decides the next state. */
  async #play(phase: SinkPhase, line: string, agreed: () => string): Promise<void> {
    const step = this.#sink.script[phase];
    const visit = this.#sink.countVisit(phase);
    let action: SinkAction = { act: 'agree' };
    if (typeof step === 'function') {
      const decided = step({ phase, line, connection: this, visit });
      if (decided instanceof Promise) this.#flush();
      action = decided instanceof Promise ? await decided : decided;
    } else if (step !== undefined) action = step;
    const said = this.#perform(action, agreed);
    if (phase === 'data' && said.startsWith('354')) await this.#content();
    if (phase === 'starttls' && said.startsWith('220')) this.#secure();
  }

  /** Returns the reply, or '' if there was none. */
  #perform(action: SinkAction, agreed: () => string): string {
    if (typeof action === 'string') return this.#reply(action);
    switch (action.act) {
      case 'agree':
        return this.#reply(agreed());
      case 'raw':
        this.#flush();
        this.#socket.write(action.bytes);
        return '';
      case 'silent':
        return '';
      case 'drop':
        if (action.reply !== undefined) this.#reply(action.reply);
        this.#flush();
        this.#drop(action.how);
        return '';
      case 'fakeTls':
        this.#reply('220 2.0.0 go ahead');
        this.#flush();
        this.#socket.once('data', () => this.#socket.write(action.answer));
        return '';
    }
  }

  #reply(text: string): string {
    this.#out += `${text.replaceAll('\n', '\r\n')}\r\n`;
    return text;
  }

  #flush(): void {
    if (this.#out === '') return;
    if (this.#socket.writable) this.#socket.write(this.#out);
    this.#out = '';
  }

  #drop(how: 'fin' | 'reset'): void {
    this.ended = 'dropped';
    // `resetAndDestroy` sends a FIN before its RST, and the client may see either.
    if (how === 'reset') Object.assign(this.#socket, { resetAndClosing: true }).destroy();
    else this.#socket.end();
  }

  #greeting(): string {
    const offered = this.#sink.options.capabilities ?? DEFAULT_CAPABILITIES;
    const lines = ['mx.sink.test', ...offered.filter((keyword) => !(this.tls && keyword === 'STARTTLS'))];
    return lines.map((line, i) => `250${i === lines.length - 1 ? ' ' : '-'}${line}`).join('\n');
  }

  #mail(line: string): string {
    if (this.#from !== null) return '503 5.5.1 nested MAIL';
    this.#from = pathIn(line);
    this.#mailLine = line;
    return '250 2.1.0 sender ok';
  }

  #rcpt(line: string): string {
    if (this.#from === null) return '503 5.5.1 MAIL first';
    this.#to.push(pathIn(line));
    return '250 2.1.5 recipient ok';
  }

  #data(): string {
    return this.#to.length > 0 ? '354 go ahead' : '503 5.5.1 RCPT first';
  }

  #clear(): string {
    this.#from = null;
    this.#to = [];
    return '250 2.0.0 cleared';
  }

  async #content(): Promise<void> {
    const content = await this.#readContent();
    if (content === null) return;
    await this.#play('dot', '', () => {
      this.#sink.took({
        from: this.#from ?? '',
        to: this.#to,
        mailLine: this.#mailLine,
        content: this.#recording ? unstuff(content) : content,
        connection: this,
      });
      return `250 2.0.0 taken as ${this.#sink.messageCount}`;
    });
    this.#clear();
  }

  /** Reads up to CRLF.CRLF, including the first CRLF. An empty message is only a dot. */
  async #readContent(): Promise<Buffer | null> {
    let searched = 0;
    for (;;) {
      if (this.#buffer.length >= 3 && this.#buffer.toString('latin1', 0, 3) === '.\r\n')
        return this.#use(0, 3);
      const end = this.#buffer.indexOf(END_OF_CONTENT, searched);
      if (end !== -1) return this.#use(end + 2, end + END_OF_CONTENT.length);
      searched = Math.max(0, this.#buffer.length - END_OF_CONTENT.length);
      if (!(await this.#more())) return null;
    }
  }

  async #readLine(): Promise<string | null> {
    for (;;) {
      const end = this.#buffer.indexOf('\r\n');
      if (end !== -1) return this.#use(end, end + 2).toString('utf8');
      if (!(await this.#more())) return null;
    }
  }

  #use(length: number, skip: number): Buffer {
    const used = this.#buffer.subarray(0, length);
    this.#buffer = this.#buffer.subarray(skip);
    return used;
  }

  async #more(): Promise<boolean> {
    this.#flush();
    if (this.#over) return false;
    const before = this.#buffer;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    return this.#buffer !== before || !this.#over;
  }

  #secure(): void {
    this.#flush();
    const plain = this.#socket;
    plain.removeAllListeners('data').removeAllListeners('end');
    const secure = new TLSSocket(plain, { isServer: true, secureContext: this.#sink.secureContext });
    secure.on('secure', () => {
      this.tls = true;
      this.tlsResumed = secure.isSessionReused();
    });
    this.#socket = secure;
    this.#listen(secure);
  }

  #listen(socket: Socket): void {
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      if (this.#recording) this.#chunks.push(chunk);
      this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
      this.#resume();
    });
    socket.on('error', () => this.#end('reset'));
    socket.on('end', () => this.#end(this.saidQuit ? 'clean' : 'fin'));
    socket.on('close', () => this.#end(this.saidQuit ? 'clean' : 'fin'));
  }

  #end(how: SinkConnection['ended']): void {
    if (this.ended === 'open') this.ended = this.saidQuit ? 'clean' : how;
    this.#over = true;
    this.#resume();
  }

  #resume(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }
}

function pathIn(line: string): string {
  return line.slice(line.indexOf('<') + 1, line.indexOf('>'));
}

function unstuff(content: Buffer): Buffer {
  const text = content.toString('latin1');
  return Buffer.from(text.replace(/(^|\r\n)\./g, '$1'), 'latin1');
}
