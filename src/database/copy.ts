/**
 * COPY: transfers whole tables in the format of PostgreSQL's own tools, a few rows at a time. The driver parses the messages of
 * COPY and leaves their handling to the submitted query object.
 */
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import type pg from 'pg';

/** Fields that the driver's types omit. */
interface CopyConnection {
  readonly stream: Duplex;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** Beyond this, a slow reader pauses PostgreSQL. */
const READ_AHEAD_BYTES = 1024 * 1024;

/** `text` is `COPY … TO STDOUT`. Yields chunks of whole rows. */
export async function* copyOut(client: pg.Client, text: string): AsyncGenerator<Buffer> {
  const copy = new RowsOut(text);
  client.query(copy);
  yield* copy.rows();
}

/** `text` is `COPY … FROM STDIN`. Resolves with the number of rows. */
export async function copyIn(
  client: pg.Client,
  text: string,
  source: AsyncIterable<Buffer>,
): Promise<number> {
  const copy = new RowsIn(text);
  client.query(copy);
  const connection = await copy.begun;
  try {
    await copy.send(connection, source);
  } catch (error) {
    connection.sendCopyFail('what is to be copied cannot be read');
    await copy.ended.catch(() => undefined);
    throw error;
  }
  return copy.ended;
}

class RowsOut {
  readonly #text: string;
  #connection: CopyConnection | undefined;
  #rows: Buffer[] = [];
  #bytes = 0;
  #ended = false;
  #error: Error | undefined;
  #wake: () => void = () => undefined;

  constructor(text: string) {
    this.#text = text;
  }

  async *rows(): AsyncGenerator<Buffer> {
    for (;;) {
      if (this.#rows.length > 0) {
        const rows = Buffer.concat(this.#rows, this.#bytes);
        this.#rows = [];
        this.#bytes = 0;
        this.#connection?.stream.resume();
        yield rows;
      } else if (this.#error !== undefined) throw this.#error;
      else if (this.#ended) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection as unknown as CopyConnection;
    this.#connection.query(this.#text);
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }, { stream }: CopyConnection): void {
    this.#rows.push(Buffer.from(chunk)); // the driver reuses its buffer
    this.#bytes += chunk.length;
    if (this.#bytes > READ_AHEAD_BYTES) stream.pause();
    this.#wake();
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#ended = true;
    this.#wake();
  }

  handleError(error: Error): void {
    this.#error = error;
    this.#wake();
  }
}

class RowsIn {
  readonly begun: Promise<CopyConnection>;
  readonly ended: Promise<number>;
  readonly #text: string;
  #rows = 0;
  #failed = false;
  #begin: (connection: CopyConnection) => void = () => undefined;
  #end: (rows: number) => void = () => undefined;
  #fail: (error: Error) => void = () => undefined;

  constructor(text: string) {
    this.#text = text;
    const failed = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    this.begun = Promise.race([failed, new Promise<CopyConnection>((resolve) => (this.#begin = resolve))]);
    this.ended = Promise.race([failed, new Promise<number>((resolve) => (this.#end = resolve))]);
    this.begun.catch(() => undefined); // the caller that awaits the end gets the error
    this.ended.catch(() => undefined);
  }

  async send(connection: CopyConnection, source: AsyncIterable<Buffer>): Promise<void> {
    for await (const rows of source) {
      if (this.#failed) return;
      connection.sendCopyFromChunk(rows);
      if (connection.stream.writableNeedDrain)
        await Promise.race([once(connection.stream, 'drain'), this.ended]);
    }
    connection.endCopyFrom();
  }

  submit(connection: pg.Connection): void {
    connection.query(this.#text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.#begin(connection);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#rows = Number(text.replace('COPY ', ''));
  }

  handleReadyForQuery(): void {
    this.#end(this.#rows);
  }

  handleError(error: Error): void {
    this.#failed = true;
    this.#fail(error);
  }
}
