/** Reads the inbox of the sandbox. */
import type { TestApi } from './api.ts';
import { until } from './until.ts';

/** The newest message to this address, once a message has arrived. */
export async function inboxOf(server: TestApi, key: string, to: string) {
  const list = async () =>
    (await server.api('GET', `/sandbox/messages?to=${encodeURIComponent(to)}`, undefined, key)).body.data;
  const [{ id }] = await until(list, (messages) => messages.length > 0);
  return (await server.api('GET', `/sandbox/messages/${id}`, undefined, key)).body.data;
}
