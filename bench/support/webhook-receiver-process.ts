/** A customer's program that accepts every webhook at once, in its own process. It reports its port over IPC. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from '../../test/support/test-certificate.ts';

const server = createServer({ cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY }, (request, response) => {
  request.resume().on('end', () => response.writeHead(204).end());
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit(0));
