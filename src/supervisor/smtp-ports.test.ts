import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseConfig } from '../runtime/config.ts';
import { inboundPort, submissionPorts } from './http-address.ts';

let squatter: Server;
let taken: number;
beforeEach(async () => {
  squatter = createServer().listen(0, '127.0.0.1');
  await once(squatter, 'listening');
  taken = (squatter.address() as { port: number }).port;
});
afterEach(() => {
  squatter.close();
});

const HOST = { POSTRIDER_INBOUND_HOST: '127.0.0.1' };

/** Simulates that the default port is taken. */
function unasked(mode: string) {
  const config = parseConfig({ ...HOST, POSTRIDER_MODE: mode });
  return { ...config, inbound: { ...config.inbound, port: taken } };
}

describe('the port for bounces', () => {
  it('is reported with its variable when it was set and is taken', async () => {
    const config = parseConfig({ ...HOST, POSTRIDER_INBOUND_PORT: String(taken) });
    await expect(inboundPort(config)).rejects.toThrow(`Set POSTRIDER_INBOUND_PORT to a free port`);
  });

  it('is another one in the sandbox when none was set', async () => {
    const port = await inboundPort(unasked('sandbox'));
    expect(port).not.toBe(taken);
    expect(port).toBeGreaterThan(1023);
  });

  it('is never another one in live mode, where senders expect it', async () => {
    await expect(inboundPort(unasked('live'))).rejects.toThrow('POSTRIDER_INBOUND_PORT');
  });
});

describe('the port for submissions', () => {
  /** Simulates that the default port is taken. */
  function unaskedFor(mode: string) {
    const config = parseConfig({ POSTRIDER_MODE: mode });
    return { ...config, submission: { ...config.submission, port: taken } };
  }

  it('is another one in the sandbox when none was set', async () => {
    expect(await submissionPorts(unaskedFor('sandbox'))).not.toMatchObject({ port: taken });
  });

  it('is omitted in live mode when none was set, and the reason is reported', async () => {
    expect(await submissionPorts(unaskedFor('live'))).toMatchObject({
      problem: expect.stringContaining('Set POSTRIDER_SUBMISSION_PORT to a free port'),
    });
  });

  it('is reported with its variable when it was set', async () => {
    const config = parseConfig({ POSTRIDER_SUBMISSION_PORT: String(taken) });
    await expect(submissionPorts(config)).rejects.toThrow('Set POSTRIDER_SUBMISSION_PORT to a free port');
  });
});
