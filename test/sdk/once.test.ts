/** The real API behind a line that loses answers: a retry must never send twice. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { Postrider } from '../../sdk/src/index.ts';
import { sharedApi } from '../support/api.ts';
import { letter } from '../support/emails.ts';

/** Forwards everything, and breaks off instead of handing over the first answer. */
async function startLossyLine(target: string) {
  const answers: (number | undefined)[] = [];
  const server = createServer((asked, answer) => {
    const { method, headers, url } = asked;
    const forwarded = request(target + url, { method, headers }, (response) => {
      answers.push(response.statusCode);
      if (answers.length === 1) {
        response.resume().once('end', () => answer.destroy());
        return;
      }
      answer.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(answer);
    });
    asked.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

it('sends once when the first answer is lost on its way', async () => {
  const api = await sharedApi();
  const line = await startLossyLine(api.url);
  try {
    const org = await api.createOrganization();
    const client = new Postrider({ apiKey: org.key, baseUrl: line.url });
    const { message_id } = await client.emails.send(letter(org) as Parameters<typeof client.emails.send>[0]);
    expect(line.answers).toEqual([201, 201]);
    const { data, pagination } = await client.emails.list();
    expect(pagination.total_count).toBe(1);
    expect(data[0]?.id).toBe(message_id);
  } finally {
    await line.close();
    await api.stop();
  }
});
