/** Received mail of one organization. */
import type { Database } from '../database/database.ts';
import { decoding } from '../protocols/message/reading/part-text.ts';
import { showing } from '../protocols/message/reading/shown-message.ts';
import type { Clock } from '../runtime/clock.ts';
import { isUuid } from '../runtime/ids.ts';
import { ServiceError } from '../runtime/service-error.ts';
import { inTurns } from '../runtime/sliced-work.ts';
import { conversationItems } from './conversations.ts';
import { type FileLinks, LINK_GOOD_FOR_MS } from './download-link.ts';
import {
  type FullReceivedRow,
  findReceived,
  listReceived,
  type ReceivedFilter,
  type ReceivedRow,
  sourceOf,
} from './store-read.ts';
import { removeReceived } from './store-removal.ts';
import { conversationView, receivedView } from './view.ts';

interface ReceivedMailDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly links: FileLinks;
}

export interface DownloadedFile {
  readonly filename: string;
  readonly contentType: string;
  readonly contentId: string | null;
  readonly content: Buffer;
}

const MAX_CONVERSATION = 100;

export class ReceivedMail {
  readonly #deps: ReceivedMailDeps;

  constructor(deps: ReceivedMailDeps) {
    this.#deps = deps;
  }

  list(organizationId: string, filter: ReceivedFilter): Promise<ReceivedRow[]> {
    return listReceived(this.#deps.db, organizationId, filter);
  }

  async get(organizationId: string, id: string) {
    const { db, clock, links } = this.#deps;
    const row = await this.find(organizationId, id);
    const items = await conversationItems(db, organizationId, row.conversation_id, MAX_CONVERSATION);
    const view = receivedView(row, links, clock.nowMs() + LINK_GOOD_FOR_MS);
    return { ...view, conversation: conversationView(items.slice(-MAX_CONVERSATION)) };
  }

  async find(organizationId: string, id: string): Promise<FullReceivedRow> {
    const row = isUuid(id) ? await findReceived(this.#deps.db, organizationId, id) : undefined;
    if (row === undefined) throw new ServiceError('NOT_FOUND');
    return row;
  }

  /** The message, byte for byte. */
  async source(organizationId: string, id: string): Promise<Buffer> {
    const raw = isUuid(id) ? await sourceOf(this.#deps.db, organizationId, id) : undefined;
    if (raw === undefined) throw new ServiceError('NOT_FOUND');
    if (raw === null)
      throw new ServiceError(
        'NOT_FOUND',
        'The content of this message was deleted when its retention period ended.',
      );
    return raw;
  }

  async file(organizationId: string, id: string, number: string): Promise<DownloadedFile> {
    const { files } = await inTurns(showing(await this.source(organizationId, id)));
    const file = files[Number(number)];
    if (!/^\d{1,3}$/.test(number) || file === undefined)
      throw new ServiceError(
        'NOT_FOUND',
        'The message has no attachment with this number. GET /inbound/:id lists the attachments.',
      );
    const { filename, contentType, contentId, part } = file;
    return { filename, contentType, contentId, content: await inTurns(decoding(part, part.body.length)) };
  }

  async remove(organizationId: string, id: string): Promise<void> {
    const removed = isUuid(id) ? await removeReceived(this.#deps.db, organizationId, [id]) : [];
    if (removed.length === 0) throw new ServiceError('NOT_FOUND');
  }
}
