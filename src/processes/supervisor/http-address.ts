/** The address the API will listen on: free beforehand, ready afterwards. */
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** The API of a run that was just killed still holds its port for a moment. */
const FREE_WITHIN_MS = 2_000;
const POLL_MS = 50;

export async function ensureFree(host: string, port: number): Promise<void> {
  // The roles and the person have to know where to look.
  if (port === 0)
    throw new Error('POSTRIDER_PORT must be from 1 to 65535 here: any port (0) could not be found.');
  const deadline = performance.now() + FREE_WITHIN_MS;
  for (;;) {
    const code = await tryToListen(host, port);
    if (code === undefined) return;
    if (code !== 'EADDRINUSE') throw new Error(explain(code, host, port));
    if (performance.now() > deadline) throw new Error(explain(code, host, port));
    await delay(POLL_MS);
  }
}

/** Resolves true when /readyz says so, false when it did not within the time. */
export async function untilReady(baseUrl: string, withinMs: number, signal: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline && !signal.aborted) {
    const answer = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(
      () => undefined,
    );
    await answer?.body?.cancel();
    if (answer?.ok) return true;
    await delay(POLL_MS);
  }
  return false;
}

/** Where this machine reaches a server that listens on `host`. */
export function localUrl(host: string, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

function explain(code: string, host: string, port: number): string {
  if (code === 'EADDRINUSE') {
    return (
      `Port ${port} on ${host} is taken by another program (or another Postrider). ` +
      `Set POSTRIDER_PORT to a free port, for example: POSTRIDER_PORT=${port + 1} npm start`
    );
  }
  if (code === 'EACCES') {
    return `This user may not listen on port ${port}. Set POSTRIDER_PORT to one above 1023.`;
  }
  return `Cannot listen on ${host} port ${port} (${code}). Set POSTRIDER_HOST to an address of this machine.`;
}
