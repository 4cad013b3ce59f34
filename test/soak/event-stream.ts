/** A program that follows the events: it hangs up now and then, and comes back with the last id it saw. */
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../fuzz/random.ts';
import { KEY } from '../storm/installation.ts';
import type { Tally } from './tally.ts';

export class EventFollower {
  events = 0;
  #lastId = '';
  readonly #url: string;
  readonly #random: Random;
  readonly #tally: Tally;

  constructor(url: string, random: Random, tally: Tally) {
    this.#url = `${url}/api/v1/events/stream`;
    this.#random = random;
    this.#tally = tally;
  }

  async run(until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      // Not AbortSignal.any: under Node 20 one that nothing else holds may be collected before it fires.
      const hangUp = new AbortController();
      const end = () => hangUp.abort();
      const timer = setTimeout(end, this.#random.integer(5_000, 40_000));
      until.addEventListener('abort', end, { once: true });
      await this.#tally.watch('follow events', () => this.#follow(hangUp.signal));
      until.removeEventListener('abort', end);
      clearTimeout(timer);
      await sleep(this.#random.integer(100, 2_000));
    }
  }

  #follow(hangUp: AbortSignal): Promise<string | null> {
    return new Promise((resolve) => {
      const headers = {
        authorization: `Bearer ${KEY}`,
        ...(this.#lastId === '' ? {} : { 'last-event-id': this.#lastId }),
      };
      const asked = get(this.#url, { headers, agent: false, signal: hangUp }, (response) => {
        if (response.statusCode !== 200) resolve(`answered ${response.statusCode}`);
        let rest = '';
        response.setEncoding('utf8');
        response.on('data', (text: string) => {
          const lines = (rest + text).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) this.#read(line);
        });
        response.on('error', (error) => resolve(hangUp.aborted ? null : String(error)));
        response.on('close', () => resolve(null));
      });
      asked.on('error', (error) => resolve(hangUp.aborted ? null : String(error)));
    });
  }

  #read(line: string): void {
    if (line.startsWith('id:')) this.#lastId = line.slice(3).trim();
    if (line.startsWith('data:')) this.events += 1;
  }
}
