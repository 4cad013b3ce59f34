/** Sends emails and looks them up. */
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

/** An email with `html` and `text`, a template, or a React element. */
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

  /** Sends an email. The call resolves when the email is stored on disk. */
  async send(email: EmailToSend, options: SendOptions = {}): Promise<Data<'POST /emails/send'>> {
    return this.#api.data('POST /emails/send', { body: await withReactRendered(email) }, options);
  }

  /** Sends one template to many recipients. Each recipient gets a separate email. */
  sendBatch(
    batch: Body<'POST /emails/batch'>,
    options: SendOptions = {},
  ): Promise<Data<'POST /emails/batch'>> {
    return this.#api.data('POST /emails/batch', { body: batch }, options);
  }

  /** Sends up to 100 different emails. Each has a result, unless `all_or_none` is set. */
  async sendMixedBatch(
    batch: MixedBatchToSend,
    options: SendOptions = {},
  ): Promise<Data<'POST /emails/batch/mixed'>> {
    return this.#api.data('POST /emails/batch/mixed', { body: await allRendered(batch) }, options);
  }

  /** Predicts the result of a send without sending. */
  async dryRun(
    email: EmailToSend,
    { checkLinks, ...options }: DryRunOptions = {},
  ): Promise<Data<'POST /emails/send/dry-run'>> {
    const asked = { body: await withReactRendered(email), query: { check_links: checkLinks } };
    return this.#api.data('POST /emails/send/dry-run', asked, options);
  }

  /** Predicts the result of a batch. `message` is about the first email. */
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

  /** Gets an email with its recipients and events. */
  get(id: string, options: RequestOptions = {}): Promise<Data<'GET /emails/{id}'>> {
    return this.#api.data('GET /emails/{id}', { params: { id } }, options);
  }

  /** Gets the content of an email: subject, html, text, headers and attachments. */
  content(id: string, options: RequestOptions = {}): Promise<Data<'GET /emails/{id}/content'>> {
    return this.#api.data('GET /emails/{id}/content', { params: { id } }, options);
  }

  /** Gets one attachment. `number` is its position in `attachments` of the content, from 0. */
  attachment(
    id: string,
    number: number,
    options: RequestOptions = {},
  ): Promise<Data<'GET /emails/{id}/attachments/{number}'>> {
    const params = { id, number: String(number) };
    return this.#api.data('GET /emails/{id}/attachments/{number}', { params }, options);
  }

  /** Gets the source of an email that was submitted as a complete message. */
  raw(id: string, options: RequestOptions = {}): Promise<Answer<'GET /emails/{id}/raw'>> {
    return this.#api.answer('GET /emails/{id}/raw', { params: { id } }, options);
  }

  /** The suppressions that stop it now, each with the recipient. */
  suppressions(id: string, options: RequestOptions = {}): Promise<Data<'GET /emails/{id}/suppressions'>> {
    return this.#api.data('GET /emails/{id}/suppressions', { params: { id } }, options);
  }

  /** Explains why an email did or did not arrive: every attempt, and how to fix problems. */
  explain(id: string, options: RequestOptions = {}): Promise<Data<'GET /emails/{id}/explain'>> {
    return this.#api.data('GET /emails/{id}/explain', { params: { id } }, options);
  }

  /** Gets a signed proof of the delivery, for all recipients or for one. */
  proof(
    id: string,
    query: Query<'GET /emails/{id}/proof'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'GET /emails/{id}/proof'>> {
    return this.#api.data('GET /emails/{id}/proof', { params: { id }, query }, options);
  }

  /** Lists one page, newest first. */
  list(query: Query<'GET /emails'> = {}, options: RequestOptions = {}): Promise<Answer<'GET /emails'>> {
    return this.#api.answer('GET /emails', { query }, options);
  }

  /** Iterates over all entries. Fetches the next page when you have read the previous one. */
  all(
    query: Omit<Query<'GET /emails'>, 'page'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Item<'GET /emails'>, void, undefined> {
    return itemsOfPages(
      (page) => this.list({ limit: MAX_PER_PAGE, ...query, page }, options),
      (one) => one.id,
    );
  }

  /** Cancels a scheduled email that is not being sent yet. */
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

  /** Retries deferred and failed recipients. */
  retry(id: string, options: RequestOptions = {}): Promise<Data<'POST /emails/{id}/retry'>> {
    return this.#api.data('POST /emails/{id}/retry', { params: { id } }, options);
  }

  /** Sends an email again as a new email, to all its recipients or to the named ones. */
  resend(
    id: string,
    body: Body<'POST /emails/{id}/resend'> = {},
    options: SendOptions = {},
  ): Promise<Data<'POST /emails/{id}/resend'>> {
    return this.#api.data('POST /emails/{id}/resend', { params: { id }, body }, options);
  }

  /** Cancels up to 100 scheduled emails. Each has a result of its own. */
  cancelMany(ids: string[], options: RequestOptions = {}): Promise<Data<'POST /emails/cancel'>> {
    return this.#api.data('POST /emails/cancel', { body: { ids } }, options);
  }

  /** Retries up to 100 emails. Each has a result of its own. */
  retryMany(ids: string[], options: RequestOptions = {}): Promise<Data<'POST /emails/retry'>> {
    return this.#api.data('POST /emails/retry', { body: { ids } }, options);
  }

  /** Sends up to 100 emails again. Each has a result of its own. */
  resendMany(ids: string[], options: SendOptions = {}): Promise<Data<'POST /emails/resend'>> {
    return this.#api.data('POST /emails/resend', { body: { ids } }, options);
  }

  /** Gets the events of an email, oldest first. */
  async events(id: string, options: RequestOptions = {}): Promise<Data<'GET /emails/{id}'>['events']> {
    return (await this.get(id, options)).events;
  }
}
