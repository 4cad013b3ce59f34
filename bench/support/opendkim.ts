/** OpenDKIM as Postfix's signing filter, with RSA-2048 like Postrider, in its own folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuSeconds } from './cpu.ts';
import { end, freePort } from './installation.ts';
import { requireProgram } from './peers.ts';
import { waitFor } from './wait.ts';

const INSTALL = 'apt-get install -y opendkim';

export interface SigningFilter {
  /** The address for Postfix's `smtpd_milters`. */
  readonly milter: string;
  cpuSeconds(): number;
  stop(): Promise<void>;
}

/** Throws MissingPeer before anything is measured. */
export function requireOpenDkim(): void {
  requireProgram('opendkim', INSTALL);
}

export async function startSigningFilter(domain: string): Promise<SigningFilter> {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-bench-opendkim-'));
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keyFile = join(folder, 'key.pem');
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  chmodSync(folder, 0o700);
  const port = await freePort();
  writeFileSync(join(folder, 'opendkim.conf'), `${settings(domain, keyFile, port).join('\n')}\n`);
  const program = requireProgram('opendkim', INSTALL);
  const child = spawn(program, ['-f', '-x', join(folder, 'opendkim.conf')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await untilListening(port, child);
  return {
    milter: `inet:127.0.0.1:${port}`,
    cpuSeconds: () => cpuSeconds(child.pid ?? 0),
    async stop() {
      await end(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function settings(domain: string, keyFile: string, port: number): string[] {
  return [
    'Mode s',
    `Socket inet:${port}@127.0.0.1`,
    `Domain ${domain}`,
    'Selector bench',
    `KeyFile ${keyFile}`,
    'Canonicalization relaxed/relaxed',
    'SignatureAlgorithm rsa-sha256',
    'RequireSafeKeys false',
    'InternalHosts 127.0.0.1',
    'Syslog no',
  ];
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  await waitFor(`OpenDKIM on port ${port}`, () => {
    if (child.exitCode !== null) throw new Error('OpenDKIM ended before it was ready.');
    return new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  });
}
