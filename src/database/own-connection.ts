/** A connection outside the pool, for long-running work with a query style of its own. */
import pg from 'pg';
import { writableUrl } from './host-finder.ts';

export async function withOwnConnection<T>(
  url: string,
  applicationName: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const connectionString = await writableUrl(url);
  const client = new pg.Client({ connectionString, application_name: applicationName });
  client.on('error', () => {}); // the running query reports the error
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
