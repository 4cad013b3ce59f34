/** Reading the attached files of an email. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adHoc } from '../../src/database/sql.ts';
import { sharedApi, type TestApi, type TestOrganization } from '../support/api.ts';
import { sendLetter } from '../support/emails.ts';

let server: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  server = await sharedApi();
  org = await server.createOrganization();
});
afterAll(() => server.stop());

const get = (path: string) => server.api('GET', path, undefined, org.key);
const file = (filename: string, content: string) => ({
  filename,
  content_type: 'text/plain',
  content: Buffer.from(content).toString('base64'),
});

it('are read by their number, with their content', async () => {
  const attachments = [file('a.txt', 'first'), { ...file('b.txt', 'second'), content_id: 'logo' }];
  const id = await sendLetter(server, org, { attachments });
  expect((await get(`/emails/${id}/attachments/0`)).body.data).toEqual({
    ...file('a.txt', 'first'),
    content_id: null,
    size: 5,
  });
  expect((await get(`/emails/${id}/attachments/1`)).body.data).toMatchObject({
    filename: 'b.txt',
    content_id: 'logo',
  });
});

it('are read from a message that was submitted whole', async () => {
  const id = await sendLetter(server, org);
  const mime = [
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    '',
    'Hello',
    '--b',
    'Content-Type: text/csv',
    'Content-Disposition: attachment; filename=list.csv',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from('a,b').toString('base64'),
    '--b--',
  ].join('\r\n');
  await server.db.exec(adHoc('UPDATE email_contents SET mime = $2 WHERE email_id = $1'), [
    id,
    Buffer.from(mime),
  ]);
  expect((await get(`/emails/${id}/attachments/0`)).body.data).toMatchObject({
    filename: 'list.csv',
    content_type: 'text/csv',
    content: Buffer.from('a,b').toString('base64'),
    size: 3,
  });
});

it.each(['1', '-1', 'x', '99999999999'])('are not found by the number %s', async (number) => {
  const id = await sendLetter(server, org, { attachments: [file('a.txt', 'first')] });
  const answer = await get(`/emails/${id}/attachments/${number}`);
  expect(answer.status).toBe(404);
  expect(answer.body.error.message).toBe(
    'The email has no attachment with this number. GET /emails/:id/content lists the attachments.',
  );
});
