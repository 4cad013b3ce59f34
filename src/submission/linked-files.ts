/**
 * Files that a draft names by URL. They are fetched before it is accepted, so that what is accepted does not depend on
 * anybody else's server.
 *
 * It owns the slots for fetching and the memory that fetched files take until their draft is accepted or refused: slow
 * servers and large files keep others from attaching by URL at the worst, never from sending.
 */
import type { FetchFile, FetchResult } from '../protocols/fetch/fetch-file.ts';
import { isAttachableType } from '../protocols/message/file-content.ts';
import { checkContentType } from '../protocols/message/header-check.ts';
import type { Attachment } from '../protocols/message/mime.ts';
import { SharedRoom } from '../runtime/work-loop/shared-room.ts';
import { Slots } from '../runtime/work-loop/slots.ts';
import { type DraftAttachment, isLinked } from './draft.ts';
import type { AttachmentsUnavailable, Overloaded } from './refused.ts';

/** About what fits into the largest request in base64. */
const MAX_BYTES = 15 * 1024 * 1024;
/** For all files of a request. */
const DEADLINE_MS = 10_000;
const SLOTS = { all: 32, ofOneParty: 4 } as const;
const MEMORY_BYTES = 64 * 1024 * 1024;

const TOO_LARGE = `is too large: all attachments together must not have more than ${MAX_BYTES / 1024 / 1024} MiB`;

export interface LinkedFilesOptions {
  readonly fetchFile: FetchFile;
  readonly deadlineMs?: number;
}

export class LinkedFiles {
  readonly #options: Required<LinkedFilesOptions>;
  readonly #shared = { slots: new Slots(SLOTS), memory: new SharedRoom(MEMORY_BYTES) };

  constructor({ fetchFile, deadlineMs = DEADLINE_MS }: LinkedFilesOptions) {
    this.#options = { fetchFile, deadlineMs };
  }

  /** Does the work of a request. What it fetches is held until then. */
  async during<T>(organizationId: string, work: (fetching: Fetching) => Promise<T>): Promise<T> {
    const fetching = new Fetching(this.#options, this.#shared, organizationId);
    try {
      return await work(fetching);
    } finally {
      fetching.end();
    }
  }
}

interface Shared {
  readonly slots: Slots;
  readonly memory: SharedRoom;
}

export interface Attached {
  readonly kind: 'attached';
  readonly files: readonly Attachment[];
}

/** Of one request: its time begins with its first file, and a URL that is named twice is fetched once. */
export class Fetching {
  readonly #options: Required<LinkedFilesOptions>;
  readonly #shared: Shared;
  readonly #organizationId: string;
  readonly #results = new Map<string, Promise<FetchResult>>();
  #limit: { readonly ending: AbortController; readonly timer: NodeJS.Timeout } | null = null;
  #hadTurn = false;
  #leftBytes = MAX_BYTES;
  #heldBytes = 0;
  /** What was too much, and decides for all that follows. */
  #exceeded: 'too_large' | 'no_room' | null = null;

  constructor(options: Required<LinkedFilesOptions>, shared: Shared, organizationId: string) {
    this.#options = options;
    this.#shared = shared;
    this.#organizationId = organizationId;
  }

  /** Fetches ahead what later drafts of the request have attached. */
  begin(attachments: readonly DraftAttachment[]): void {
    for (const one of attachments) {
      if (!isLinked(one) || this.#results.has(one.url)) continue;
      const result = this.#fetch(one.url);
      result.catch(() => undefined); // told to whoever waits for it, if anybody does
      this.#results.set(one.url, result);
    }
  }

  /** Everything that a draft has attached, at hand. */
  async attached(
    attachments: readonly DraftAttachment[],
  ): Promise<Attached | AttachmentsUnavailable | Overloaded> {
    if (!attachments.some(isLinked)) return { kind: 'attached', files: attachments as readonly Attachment[] };
    for (const one of attachments) if (!isLinked(one)) this.#leftBytes -= one.content.length;
    this.begin(attachments);
    const results = await Promise.all(
      attachments.map((one) => (isLinked(one) ? this.#results.get(one.url) : undefined)),
    );
    const files = attachments.flatMap((one, index) => attachedFile(one, results[index]) ?? []);
    return refusalOf(results) ?? { kind: 'attached', files };
  }

  end(): void {
    if (this.#limit === null) return;
    this.#exceeded ??= 'no_room'; // nothing more is counted
    clearTimeout(this.#limit.timer);
    this.#limit.ending.abort();
    this.#shared.memory.giveBack(this.#organizationId, this.#heldBytes);
  }

  async #fetch(url: string): Promise<FetchResult> {
    const { signal } = this.#begin();
    const bounds = { signal, maxBytes: this.#leftBytes, count: (bytes: number) => this.#count(bytes) };
    const result = await this.#inTurn(signal, () => this.#options.fetchFile(url, bounds));
    if (result.kind === 'too_large' || result.kind === 'no_room') {
      this.#exceeded ??= result.kind;
      this.#limit?.ending.abort();
    }
    // What was broken off was not what failed.
    return result.kind === 'fetched' || this.#exceeded === null ? result : { kind: this.#exceeded };
  }

  /** Who never gets a turn has waited for the other files of this request, or else for those of others. */
  async #inTurn(signal: AbortSignal, work: () => Promise<FetchResult>): Promise<FetchResult> {
    let hasTurn = false;
    try {
      return await this.#shared.slots.hold(this.#organizationId, signal, () => {
        hasTurn = true;
        this.#hadTurn = true;
        return work();
      });
    } catch (error) {
      if (hasTurn) throw error;
      return this.#hadTurn ? { kind: 'failed', why: `was not fetched: ${this.#late}` } : { kind: 'no_room' };
    }
  }

  get #late(): string {
    return `it took longer than ${this.#options.deadlineMs / 1_000} seconds`;
  }

  #begin(): AbortController {
    if (this.#limit === null) {
      const ending = new AbortController();
      const timer = setTimeout(() => ending.abort(new Error(this.#late)), this.#options.deadlineMs);
      this.#limit = { ending, timer };
    }
    return this.#limit.ending;
  }

  #count(bytes: number): 'fine' | 'too_large' | 'no_room' {
    if (this.#exceeded !== null) return this.#exceeded;
    this.#leftBytes -= bytes;
    if (this.#leftBytes < 0) return 'too_large';
    if (!this.#shared.memory.take(this.#organizationId, bytes)) return 'no_room';
    this.#heldBytes += bytes;
    return 'fine';
  }
}

/** By place among the attachments; undefined where there was nothing to fetch. */
function refusalOf(
  results: readonly (FetchResult | undefined)[],
): AttachmentsUnavailable | Overloaded | null {
  if (results.some((result) => result?.kind === 'no_room')) return { kind: 'overloaded' };
  const tooLarge = results.findIndex((result) => result?.kind === 'too_large');
  const problems =
    tooLarge >= 0
      ? [{ at: { attachment: tooLarge }, message: TOO_LARGE }]
      : results.flatMap((result, attachment) =>
          result?.kind === 'failed' ? [{ at: { attachment }, message: result.why }] : [],
        );
  return problems.length === 0 ? null : { kind: 'attachments_unavailable', problems };
}

/** What its sender says of a file wins over what its server says. Null where it was not fetched. */
function attachedFile(one: DraftAttachment, file: FetchResult | undefined): Attachment | null {
  if (!isLinked(one)) return one;
  if (file?.kind !== 'fetched') return null;
  return {
    filename: one.filename ?? file.filename ?? 'attachment',
    contentType: one.contentType ?? usableType(file.contentType),
    contentId: one.contentId,
    content: file.content,
  };
}

function usableType(type: string | null): string {
  const isUsable = type !== null && checkContentType(type).ok && isAttachableType(type);
  return isUsable ? type : 'application/octet-stream';
}
