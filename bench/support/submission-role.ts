/** The role that accepts mail over SMTP, as a process of its own. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type Installation, startRole } from './installation.ts';
import { waitFor } from './wait.ts';

export const SECRET_KEY = 'a-master-key-for-benches-and-nothing-else';

export function startSubmission({ databaseUrl }: Installation, folder: string, port: number): ChildProcess {
  return startRole('submission', {
    DATABASE_URL: databaseUrl,
    POSTRIDER_DATA_DIR: folder,
    POSTRIDER_SECRET_KEY: SECRET_KEY,
    POSTRIDER_SUBMISSION_PORT: String(port),
    POSTRIDER_RATE_LIMIT: '10000000',
    POSTRIDER_LOG_LEVEL: 'error',
  });
}

export async function untilGreeted(port: number): Promise<void> {
  await waitFor(`the greeting of the SMTP server on port ${port}`, async () => {
    const socket = connect(port, '127.0.0.1');
    const said = await Promise.race([
      once(socket, 'data').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    return said;
  });
}
