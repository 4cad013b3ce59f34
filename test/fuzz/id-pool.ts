/** Ids that the API gave to an organization, by the noun of the path that they go into. */
import type { Operation } from './document.ts';
import type { Random } from './random.ts';

const MAX_PER_NOUN = 200;

export class IdPool {
  readonly #ids = new Map<string, string[]>();

  add(noun: string, id: unknown): void {
    if (typeof id !== 'string') return;
    const known = this.#ids.get(noun) ?? [];
    this.#ids.set(noun, known);
    known.push(id);
    if (known.length > MAX_PER_NOUN) known.shift();
  }

  pick(noun: string, random: Random): string {
    const known = this.#ids.get(noun);
    return known?.length ? random.pick(known) : '00000000-0000-7000-8000-000000000000';
  }

  newest(noun: string, count: number): readonly string[] {
    return this.#ids.get(noun)?.slice(-count) ?? [];
  }

  get nouns(): readonly string[] {
    return [...this.#ids.keys()];
  }

  /** What an answer tells about ids, for later requests to use. */
  learn(operation: Operation, body: unknown): void {
    const data = (body as { data?: unknown } | null)?.data;
    if (Array.isArray(data)) {
      // Lists of keys and domains hold those that everything else depends on.
      if (/^\/(sandbox|webhooks|members|sites|request-logs)/.test(operation.path)) {
        for (const item of data.slice(0, 5)) this.add(nounOf(operation.path), item?.id);
      }
      return;
    }
    if (operation.method !== 'POST' || typeof data !== 'object' || data === null) return;
    const made = data as Record<string, unknown>;
    this.add(nounOf(operation.path), made.id);
    this.add('emails', made.message_id);
    this.add('batch', made.batch_id);
  }
}

/** `/webhooks/{id}/deliveries/{delivery_id}` → what each id in it is one of. */
export function nounOf(path: string): string {
  const last = path
    .split('/')
    .filter((step) => step !== '' && !step.startsWith('{'))
    .filter((step) => !VERBS.has(step))
    .at(-1);
  if (path.startsWith('/suppressions/import')) return 'imports';
  return last ?? '';
}

const VERBS = new Set([
  ...['content', 'explain', 'retry', 'cancel', 'preview', 'test', 'versions', 'restore', 'verify', 'raw'],
  ...['rotate-secret', 'replay', 'send', 'accept', 'rotate', 'dkim', 'import'],
  ...['try-now', 'pause', 'resume', 'release', 'discard'],
]);

export function nounOfParameter(path: string, name: string): string {
  const before = path.slice(0, path.indexOf(`/{${name}}`));
  return nounOf(before);
}
