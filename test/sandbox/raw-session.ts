/** SMTP spoken by hand over a socket, for what a well-behaved client would never send. */
import { connect, type Socket } from 'node:net';

export class RawSession {
  readonly #socket: Socket;
  /** The first line that the server said. */
  banner = '';
  #received = '';
  #closed = false;
  #wake: () => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => {
      this.#received += chunk.toString();
      this.#wake();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#closed = true;
      this.#wake();
    });
  }

  /** Connected and past EHLO. */
  static async open(port: number, from?: string): Promise<RawSession> {
    const session = await RawSession.connect(port, from);
    session.write('EHLO raw.test\r\n');
    await session.replies(1);
    return session;
  }

  /** Connected, and greeted or turned away. `from`: the client's address, any of 127.0.0.0/8. */
  static async connect(port: number, from = '127.0.0.1'): Promise<RawSession> {
    const session = new RawSession(connect({ port, host: '127.0.0.1', localAddress: from }));
    session.banner = (await session.replies(1))[0] ?? '';
    return session;
  }

  /** On a connection that is there already. */
  static async over(socket: Socket, change: (socket: Socket) => Promise<Socket>): Promise<RawSession> {
    return new RawSession(await change(socket));
  }

  /** The connection, to do something else with it. */
  detach(): Socket {
    this.#socket.removeAllListeners();
    return this.#socket;
  }

  write(data: string | Buffer): void {
    this.#socket.write(data);
  }

  /** Writes in pieces that arrive separately. */
  async writeInPieces(data: Buffer, sizes: readonly number[]): Promise<void> {
    let start = 0;
    for (let i = 0; start < data.length; i++) {
      const end = Math.min(start + (sizes[i % sizes.length] ?? data.length), data.length);
      await new Promise<void>((resolve) => {
        this.#socket.write(data.subarray(start, end), () => setImmediate(resolve));
      });
      start = end;
    }
  }

  /** The next `count` complete replies; fewer if the server hangs up. */
  async replies(count: number): Promise<string[]> {
    const found: string[] = [];
    while (found.length < count) {
      const match = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/.exec(this.#received);
      if (match) {
        this.#received = this.#received.slice(match[0].length);
        found.push(match[0].trimEnd());
      } else if (this.#closed) break;
      else await this.#news();
    }
    return found;
  }

  async closed(): Promise<void> {
    while (!this.#closed) await this.#news();
  }

  end(): void {
    this.#socket.destroy();
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
