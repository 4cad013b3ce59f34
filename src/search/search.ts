/**
 * One search over everything that an organization has. The kinds are searched at the same time, and one that takes too long does
 * not delay the others.
 */
import type { Reads } from '../database/reads.ts';
import type { Reach } from '../runtime/permissions.ts';
import { ServiceError } from '../runtime/service-error.ts';
import type { HashAddress } from '../suppressions/suppressed.ts';
import { type Find, MAX_HITS, type SearchHit, type SearchKind } from './found.ts';
import { findDomains } from './kinds/domains.ts';
import { createFindEmails, type MeaningOf } from './kinds/emails.ts';
import { findInbound } from './kinds/inbound.ts';
import { findRequests } from './kinds/request-logs.ts';
import { createFindSuppressions } from './kinds/suppressions.ts';
import { findTemplates } from './kinds/templates.ts';
import { findWebhooks } from './kinds/webhooks.ts';

/** The time for the whole search, for each statement, and after which no kind starts to read older mail. */
const SEARCH_MS = 3_000;
const STATEMENT_MS = 2_500;
const READ_OLDER_MS = 2_000;
/** Shorter words begin too many others. */
const LEAST_CHARS = 3;

export interface SearchDeps {
  readonly reads: Reads;
  readonly hash: HashAddress;
  readonly meaningOf: MeaningOf;
}

/** `limited`: only the newest were compared. */
export const OUTCOMES = ['complete', 'limited', 'timed_out', 'forbidden'] as const;

export interface Group {
  readonly kind: SearchKind;
  readonly outcome: (typeof OUTCOMES)[number];
  readonly hasMore: boolean;
  readonly hits: readonly SearchHit[];
}

export class Search {
  readonly #reads: Reads;
  readonly #finders: Readonly<Record<SearchKind, Find>>;

  constructor({ reads, hash, meaningOf }: SearchDeps) {
    this.#reads = reads;
    this.#finders = {
      suppressions: createFindSuppressions({ hash, meaningOf }),
      emails: createFindEmails(meaningOf),
      request_logs: findRequests,
      inbound: findInbound,
      templates: findTemplates,
      domains: findDomains,
      webhooks: findWebhooks,
    };
  }

  find(reach: Reach, text: string, kinds: readonly SearchKind[]): Promise<Group[]> {
    const overMs = performance.now() + READ_OLDER_MS;
    const wanted = {
      db: this.#reads.of(reach.organizationId, STATEMENT_MS),
      reach,
      text: text.trim(),
      words: wordsIn(text),
      isOver: () => performance.now() >= overMs,
    };
    return Promise.all(kinds.map((kind) => inTime(kind, this.#finders[kind](wanted))));
  }
}

/** Words of one or two characters count only where there are no others. */
export function wordsIn(text: string): readonly string[] {
  const words = [...new Set(text.split(/\s+/u).filter((word) => word !== ''))];
  const long = words.filter((word) => Array.from(word).length >= LEAST_CHARS);
  return long.length > 0 ? long : words;
}

async function inTime(kind: SearchKind, finding: ReturnType<Find>): Promise<Group> {
  const late: Group = { kind, outcome: 'timed_out', hasMore: false, hits: [] };
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<Group>((resolve) => {
    timer = setTimeout(() => resolve(late), SEARCH_MS);
  });
  const found = finding.then(
    ({ hits, complete }): Group => ({
      ...{ kind, outcome: complete ? 'complete' : 'limited' },
      ...{ hasMore: hits.length > MAX_HITS, hits: hits.slice(0, MAX_HITS) },
    }),
    (error: unknown) => {
      if (error instanceof ServiceError) return late;
      throw error;
    },
  );
  return Promise.race([found, over]).finally(() => clearTimeout(timer));
}
