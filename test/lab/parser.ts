/** Python's email package as a process that parses many messages: a parser that shares no code with us. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { PYTHON } from './needs.ts';

export type Address = readonly [name: string, email: string];

export interface Part {
  readonly type: string;
  readonly charset: string | null;
  readonly disposition: string | null;
  readonly filename: string | null;
  readonly content_id: string | null;
  /** Base64 of the octets, whatever they were encoded as. */
  readonly content: string;
}

export interface Parsed {
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly from: readonly Address[];
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly reply_to: readonly Address[];
  readonly date: string;
  readonly is_multipart: boolean;
  readonly parts: readonly Part[];
  /** What the parser finds wrong with the message's form. */
  readonly defects: readonly string[];
}

export interface Parser {
  parse(message: Buffer): Promise<Parsed>;
  stop(): void;
}

export function startParser(): Parser {
  const script = fileURLToPath(new URL('parse.py', import.meta.url));
  const child = spawn(PYTHON, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async parse(message) {
      child.stdin.write(`${message.length}\n`);
      child.stdin.write(message);
      const { value, done } = await answers.next();
      if (done) throw new Error('The parser ended.');
      return JSON.parse(String(value)) as Parsed;
    },
    stop: () => void child.kill(),
  };
}
