/** Runs dkimpy, a DKIM verifier that shares no code with us or mailauth, in one process for many messages. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const DKIMPY_MISSING = 'dkimpy is not installed. Debian: apt-get install python3-dkim';

const SCRIPT = fileURLToPath(new URL('dkim-verify.py', import.meta.url));
/** Debian's Python comes first, because another Python does not find Debian's packages. */
const PYTHONS = ['/usr/bin/python3', 'python3'];

export interface Dkimpy {
  verdict(wire: Buffer): Promise<string>;
  stop(): void;
}

/** Null if dkimpy is not installed. It looks keys up at the DNS server on this port of 127.0.0.1. */
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
