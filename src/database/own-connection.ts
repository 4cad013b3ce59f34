/** A connection beside the pool, for what holds one for long and asks in its own way. */
import pg from 'pg';
import { writableUrl } from './host-finder.ts';

export async function withOwnConnection<T>(
  url: string,
  applicationName: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const connectionString = await writableUrl(url);
  const client = new pg.Client({ connectionString, application_name: applicationName });
  client.on('error', () => {}); // the query in hand reports it
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
