/** dkimpy, a DKIM verifier that shares no code with us nor with mailauth, as a process that answers for many messages. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const DKIMPY_MISSING = 'dkimpy is not installed. Debian: apt-get install python3-dkim';

const SCRIPT = fileURLToPath(new URL('dkim-verify.py', import.meta.url));
/** Debian's own first: a Python of somewhere else does not see Debian's packages. */
const PYTHONS = ['/usr/bin/python3', 'python3'];

export interface Dkimpy {
  verdict(wire: Buffer): Promise<string>;
  stop(): void;
}

/** Null when it is not installed. Keys are asked of the DNS server on that port of 127.0.0.1. */
export function startDkimpy(dnsPort: number): Dkimpy | null {
  const python = PYTHONS.find((one) => spawnSync(one, ['-c', 'import dkim, dns.resolver']).status === 0);
  if (python === undefined) return null;
  const child = spawn(python, [SCRIPT, String(dnsPort)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let turn: Promise<unknown> = Promise.resolve();
  return {
    verdict(wire) {
      child.stdin.write(`${wire.length}\n`);
      child.stdin.write(wire);
      const answer = turn.then(async () => String((await answers.next()).value));
      turn = answer;
      return answer;
    },
    stop: () => end(child),
  };
}

function end(child: ChildProcess): void {
  child.stdin?.end();
  child.kill();
}
