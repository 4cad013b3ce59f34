/** Sending, and what became of it. */
import { momentText } from '../moment.ts';
import type {
  Answer,
  Body,
  Data,
  DryRunOptions,
  Item,
  Query,
  RequestOptions,
  SendOptions,
} from '../operation.ts';
import { itemsOfPages, MAX_PER_PAGE } from '../pages.ts';
import { type ReactBody, withReactRendered } from '../react.ts';
import type { Transport } from '../transport.ts';

/** With its body as `html` and `text`, from a template, or as an element of React. */
export type EmailToSend = Body<'POST /emails/send'> | ReactBody<Body<'POST /emails/send'>>;

type MixedBatch = Body<'POST /emails/batch/mixed'>;
type MixedEmail = MixedBatch['emails'][number];
export type MixedBatchToSend = Omit<MixedBatch, 'emails'> & {
  readonly emails: readonly (MixedEmail | ReactBody<MixedEmail>)[];
};

async function allRendered({ emails, ...rest }: MixedBatchToSend): Promise<MixedBatch> {
  return { ...rest, emails: await Promise.all(emails.map((email) => withReactRendered(email))) };
}

export class Emails {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Accepted means stored: it is delivered, whatever crashes, or the events say why not. */
  async send(email: EmailToSend, options: SendOptions = {}): Promise<Data<'POST /emails/send'>> {
    return this.#api.data('POST /emails/send', { body: await withReactRendered(email) }, options);
  }

  /** One template to many; each recipient gets an email of their own. */
  sendBatch(
    batch: Body<'POST /emails/batch'>,
    options: SendOptions = {},
  ): Promise<Data<'POST /emails/batch'>> {
    return this.#api.data('POST /emails/batch', { body: batch }, options);
  }

  /** Up to 100 different emails; each has a result of its own, unless all are wanted or none. */
  async sendMixedBatch(
    batch: MixedBatchToSend,
    options: SendOptions = {},
  ): Promise<Data<'POST /emails/batch/mixed'>> {
    return this.#api.data('POST /emails/batch/mixed', { body: await allRendered(batch) }, options);
  }

  /** What would happen to it, without sending it. */
  async dryRun(
    email: EmailToSend,
    { checkLinks, ...options }: DryRunOptions = {},
  ): Promise<Data<'POST /emails/send/dry-run'>> {
    const asked = { body: await withReactRendered(email), query: { check_links: checkLinks } };
    return this.#api.data('POST /emails/send/dry-run', asked, options);
  }

  /** The same for a batch; `message` is that of its first email. */
  dryRunBatch(
    batch: Body<'POST /emails/batch'>,
    { checkLinks, ...options }: DryRunOptions = {},
  ): Promise<Data<'POST /emails/batch/dry-run'>> {
    const asked = { body: batch, query: { check_links: checkLinks } };
    return this.#api.data('POST /emails/batch/dry-run', asked, options);
  }

  async dryRunMixedBatch(
    batch: MixedBatchToSend,
    { checkLinks, ...options }: DryRunOptions = {},
  ): Promise<Data<'POST /emails/batch/mixed/dry-run'>> {
    const asked = { body: await allRendered(batch), query: { check_links: checkLinks } };
    return this.#api.data('POST /emails/batch/mixed/dry-run', asked, options);
  }

  getBatch(batchId: string, options: RequestOptions = {}): Promise<Data<'GET /emails/batch/{batch_id}'>> {
    return this.#api.data('GET /emails/batch/{batch_id}', { params: { batch_id: batchId } }, options);
  }

  /** With its recipients and everything that happened. */
  get(id: string, options: RequestOptions = {}): Promise<Data<'GET /emails/{id}'>> {
    return this.#api.data('GET /emails/{id}', { params: { id } }, options);
  }

  /** What was sent: subject, html, text, headers and attachments. */
  content(id: string, options: RequestOptions = {}): Promise<Data<'GET /emails/{id}/content'>> {
    return this.#api.data('GET /emails/{id}/content', { params: { id } }, options);
  }

  /** One of its files; `number` is its place in the content's `attachments`, from 0 on. */
  attachment(
    id: string,
    number: number,
    options: RequestOptions = {},
  ): Promise<Data<'GET /emails/{id}/attachments/{number}'>> {
    const params = { id, number: String(number) };
    return this.#api.data('GET /emails/{id}/attachments/{number}', { params }, options);
  }

  /** The message as it was submitted over SMTP, where it was. */
  raw(id: string, options: RequestOptions = {}): Promise<Answer<'GET /emails/{id}/raw'>> {
    return this.#api.answer('GET /emails/{id}/raw', { params: { id } }, options);
  }

  /** The suppressions that stop it now, each with the recipient. */
  suppressions(id: string, options: RequestOptions = {}): Promise<Data<'GET /emails/{id}/suppressions'>> {
    return this.#api.data('GET /emails/{id}/suppressions', { params: { id } }, options);
  }

  /** Why it did or did not arrive: every attempt, and what to do. */
  explain(id: string, options: RequestOptions = {}): Promise<Data<'GET /emails/{id}/explain'>> {
    return this.#api.data('GET /emails/{id}/explain', { params: { id } }, options);
  }

  /** What became of it, hash-chained and signed; of one recipient alone where that is asked for. */
  proof(
    id: string,
    query: Query<'GET /emails/{id}/proof'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'GET /emails/{id}/proof'>> {
    return this.#api.data('GET /emails/{id}/proof', { params: { id }, query }, options);
  }

  /** One page, the newest first. */
  list(query: Query<'GET /emails'> = {}, options: RequestOptions = {}): Promise<Answer<'GET /emails'>> {
    return this.#api.answer('GET /emails', { query }, options);
  }

  /** All of them, page by page as you read on. */
  all(
    query: Omit<Query<'GET /emails'>, 'page'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Item<'GET /emails'>, void, undefined> {
    return itemsOfPages(
      (page) => this.list({ limit: MAX_PER_PAGE, ...query, page }, options),
      (one) => one.id,
    );
  }

  /** While it is not on its way yet. */
  cancel(id: string, options: RequestOptions = {}): Promise<Data<'POST /emails/{id}/cancel'>> {
    return this.#api.data('POST /emails/{id}/cancel', { params: { id } }, options);
  }

  reschedule(
    id: string,
    scheduledAt: string | Date,
    options: RequestOptions = {},
  ): Promise<Data<'PATCH /emails/{id}'>> {
    return this.#api.data(
      'PATCH /emails/{id}',
      { params: { id }, body: { scheduled_at: momentText(scheduledAt) } },
      options,
    );
  }

  /** Another round for the recipients that failed. */
  retry(id: string, options: RequestOptions = {}): Promise<Data<'POST /emails/{id}/retry'>> {
    return this.#api.data('POST /emails/{id}/retry', { params: { id } }, options);
  }

  /** What happened to it, oldest first. */
  async events(id: string, options: RequestOptions = {}): Promise<Data<'GET /emails/{id}'>['events']> {
    return (await this.get(id, options)).events;
  }
}
