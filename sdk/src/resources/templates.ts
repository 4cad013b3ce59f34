/** Templates and their versions. */
import type {
  Answer,
  Body,
  Data,
  DryRunOptions,
  EditOptions,
  Item,
  Query,
  RequestOptions,
} from '../operation.ts';
import { itemsOfPages, MAX_PER_PAGE } from '../pages.ts';
import type { Transport } from '../transport.ts';

export class Templates {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Lists one page, newest first. */
  list(query: Query<'GET /templates'> = {}, options: RequestOptions = {}): Promise<Answer<'GET /templates'>> {
    return this.#api.answer('GET /templates', { query }, options);
  }

  /** Iterates over all entries. Fetches the next page when you have read the previous one. */
  all(
    query: Omit<Query<'GET /templates'>, 'page'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Item<'GET /templates'>, void, undefined> {
    return itemsOfPages(
      (page) => this.list({ limit: MAX_PER_PAGE, ...query, page }, options),
      (one) => one.id,
    );
  }

  create(body: Body<'POST /templates'>, options: RequestOptions = {}): Promise<Data<'POST /templates'>> {
    return this.#api.data('POST /templates', { body }, options);
  }

  get(id: string, options: RequestOptions = {}): Promise<Data<'GET /templates/{id}'>> {
    return this.#api.data('GET /templates/{id}', { params: { id } }, options);
  }

  /** Saves a change as a new version. Earlier versions stay. */
  update(
    id: string,
    body: Body<'PUT /templates/{id}'>,
    { lastChangedAt, ...options }: EditOptions = {},
  ): Promise<Data<'PUT /templates/{id}'>> {
    const query = { last_changed_at: lastChangedAt };
    return this.#api.data('PUT /templates/{id}', { params: { id }, query, body }, options);
  }

  /** Saves a draft. The published version does not change. */
  saveDraft(
    id: string,
    body: Body<'PUT /templates/{id}/draft'>,
    { lastChangedAt, ...options }: EditOptions = {},
  ): Promise<Data<'PUT /templates/{id}/draft'>> {
    const query = { last_changed_at: lastChangedAt };
    return this.#api.data('PUT /templates/{id}/draft', { params: { id }, query, body }, options);
  }

  /** Publishes the draft as the current version. */
  publish(
    id: string,
    { lastChangedAt, ...options }: EditOptions = {},
  ): Promise<Data<'POST /templates/{id}/publish'>> {
    const query = { last_changed_at: lastChangedAt };
    return this.#api.data('POST /templates/{id}/publish', { params: { id }, query }, options);
  }

  discardDraft(
    id: string,
    { lastChangedAt, ...options }: EditOptions = {},
  ): Promise<Data<'DELETE /templates/{id}/draft'>> {
    const query = { last_changed_at: lastChangedAt };
    return this.#api.data('DELETE /templates/{id}/draft', { params: { id }, query }, options);
  }

  delete(id: string, options: RequestOptions = {}): Promise<Data<'DELETE /templates/{id}'>> {
    return this.#api.data('DELETE /templates/{id}', { params: { id } }, options);
  }

  /** Checks a template against mail clients and spam filters, and checks its links. Nothing is saved. */
  check(
    body: Body<'POST /templates/check'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /templates/check'>> {
    return this.#api.data('POST /templates/check', { body }, options);
  }

  /** Checks a template: returns all errors, or the rendered result. Nothing is saved. */
  validate(
    body: Body<'POST /templates/validate'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /templates/validate'>> {
    return this.#api.data('POST /templates/validate', { body }, options);
  }

  /** Renders a template with `data`. Other given fields (`subject`, `html`, …) replace the saved ones in the preview only. */
  preview(
    id: string,
    body: Body<'POST /templates/{id}/preview'> = {},
    options: RequestOptions = {},
  ): Promise<Data<'POST /templates/{id}/preview'>> {
    return this.#api.data('POST /templates/{id}/preview', { params: { id }, body }, options);
  }

  /** Sends a test of the template to one address. */
  sendTest(
    id: string,
    body: Body<'POST /templates/{id}/test'>,
    options: RequestOptions = {},
  ): Promise<Data<'POST /templates/{id}/test'>> {
    return this.#api.data('POST /templates/{id}/test', { params: { id }, body }, options);
  }

  /** Predicts the result of the test without sending. */
  dryRunTest(
    id: string,
    body: Body<'POST /templates/{id}/test'>,
    { checkLinks, ...options }: DryRunOptions = {},
  ): Promise<Data<'POST /templates/{id}/test/dry-run'>> {
    const asked = { params: { id }, body, query: { check_links: checkLinks } };
    return this.#api.data('POST /templates/{id}/test/dry-run', asked, options);
  }

  /** Lists one page, newest first. */
  versions(
    id: string,
    query: Query<'GET /templates/{id}/versions'> = {},
    options: RequestOptions = {},
  ): Promise<Answer<'GET /templates/{id}/versions'>> {
    return this.#api.answer('GET /templates/{id}/versions', { params: { id }, query }, options);
  }

  /** Iterates over all entries. Fetches the next page when you have read the previous one. */
  allVersions(
    id: string,
    query: Omit<Query<'GET /templates/{id}/versions'>, 'page'> = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Item<'GET /templates/{id}/versions'>, void, undefined> {
    return itemsOfPages(
      (page) => this.versions(id, { limit: MAX_PER_PAGE, ...query, page }, options),
      (one) => one.version,
    );
  }

  /** Lists the newest emails that were sent with the template, with their data. */
  sends(id: string, options: RequestOptions = {}): Promise<Data<'GET /templates/{id}/sends'>> {
    return this.#api.data('GET /templates/{id}/sends', { params: { id } }, options);
  }

  /** Restores an earlier version as the current one. */
  restore(
    id: string,
    version: number,
    options: RequestOptions = {},
  ): Promise<Data<'POST /templates/{id}/versions/{version}/restore'>> {
    return this.#api.data(
      'POST /templates/{id}/versions/{version}/restore',
      { params: { id, version: String(version) } },
      options,
    );
  }
}
