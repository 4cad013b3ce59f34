/**
 * Files that a draft names by URL. Postrider fetches them before it accepts the draft, so that accepted mail does not depend on
 * other servers.
 *
 * This module owns the fetch slots and the memory that fetched files take until their draft is accepted or refused. Slow
 * servers and large files can at worst prevent other requests from attaching by URL, never from sending.
 */
import type { FetchFile, FetchResult } from '../protocols/fetch/fetch-file.ts';
import { isAttachableType } from '../protocols/message/file-content.ts';
import { checkContentType } from '../protocols/message/header-check.ts';
import type { Attachment } from '../protocols/message/mime.ts';
import { SharedCapacity } from '../runtime/work-loop/shared-capacity.ts';
import { Slots } from '../runtime/work-loop/slots.ts';
import { type DraftAttachment, isLinked } from './draft.ts';
import type { AttachmentsUnavailable, Overloaded } from './refused.ts';

/** About the most that the largest request can hold in base64. */
const MAX_BYTES = 15 * 1024 * 1024;
/** For all files of a request. */
const DEADLINE_MS = 10_000;
const SLOTS = { all: 32, perCaller: 4 } as const;
const MEMORY_BYTES = 64 * 1024 * 1024;

const TOO_LARGE = `is too large: all attachments together must not have more than ${MAX_BYTES / 1024 / 1024} MiB`;

interface LinkedFilesOptions {
  readonly fetchFile: FetchFile;
  readonly deadlineMs?: number;
}

export class LinkedFiles {
  readonly #options: Required<LinkedFilesOptions>;
  readonly #shared = { slots: new Slots(SLOTS), memory: new SharedCapacity(MEMORY_BYTES) };

  constructor({ fetchFile, deadlineMs = DEADLINE_MS }: LinkedFilesOptions) {
    this.#options = { fetchFile, deadlineMs };
  }

  /** Runs the work of one request. Fetched files stay in memory until the work ends. */
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
  readonly memory: SharedCapacity;
}

interface Attached {
  readonly kind: 'attached';
  readonly files: readonly Attachment[];
}

/** The fetches of one request. Its deadline starts with its first file, and a URL that is named twice is fetched once. */
export class Fetching {
  readonly #options: Required<LinkedFilesOptions>;
  readonly #shared: Shared;
  readonly #organizationId: string;
  readonly #results = new Map<string, Promise<FetchResult>>();
  #limit: { readonly ending: AbortController; readonly timer: NodeJS.Timeout } | null = null;
  #hadTurn = false;
  #leftBytes = MAX_BYTES;
  #heldBytes = 0;
  /** The first exceeded limit. It decides the result of all later files. */
  #exceeded: 'too_large' | 'no_room' | null = null;

  constructor(options: Required<LinkedFilesOptions>, shared: Shared, organizationId: string) {
    this.#options = options;
    this.#shared = shared;
    this.#organizationId = organizationId;
  }

  /** Starts fetching the attachments of later drafts of the request. */
  begin(attachments: readonly DraftAttachment[]): void {
    for (const one of attachments) {
      if (!isLinked(one) || this.#results.has(one.url)) continue;
      const result = this.#fetch(one.url);
      result.catch(() => undefined); // a rejection is handled at the await, if there is one
      this.#results.set(one.url, result);
    }
  }

  /** Returns all attachments of a draft, fetched or given. */
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
    this.#exceeded ??= 'no_room'; // no further bytes are counted
    clearTimeout(this.#limit.timer);
    this.#limit.ending.abort();
    this.#shared.memory.release(this.#organizationId, this.#heldBytes);
  }

  async #fetch(url: string): Promise<FetchResult> {
    const { signal } = this.#begin();
    const bounds = { signal, maxBytes: this.#leftBytes, count: (bytes: number) => this.#count(bytes) };
    const result = await this.#inTurn(signal, () => this.#options.fetchFile(url, bounds));
    if (result.kind === 'too_large' || result.kind === 'no_room') {
      this.#exceeded ??= result.kind;
      this.#limit?.ending.abort();
    }
    // An aborted fetch is reported as the exceeded limit, not as a failure.
    return result.kind === 'fetched' || this.#exceeded === null ? result : { kind: this.#exceeded };
  }

  /** A fetch that never gets a slot waited for other files of this request, or else for those of other requests. */
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

/** Problems carry the position among the attachments. Undefined if there was nothing to fetch. */
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

/** The sender's name and type take precedence over the server's. Null if the file was not fetched. */
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
