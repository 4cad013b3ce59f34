/** Domains to send from. */
import type { Answer, Body, Data, Query, RequestOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

export class Domains {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** The answer has the DNS records to publish. */
  create(domain: string, options: RequestOptions = {}): Promise<Data<'POST /domains'>> {
    return this.#api.data('POST /domains', { body: { domain } }, options);
  }

  list(options: RequestOptions = {}): Promise<Data<'GET /domains'>> {
    return this.#api.data('GET /domains', {}, options);
  }

  /** The DNS records of all domains as a file: a zone file, or input for Terraform or octoDNS. */
  export({
    format,
    zone,
    ...options
  }: RequestOptions & Query<'GET /domains/export'> = {}): Promise<Answer<'GET /domains/export'>> {
    return this.#api.answer('GET /domains/export', { query: { format, zone } }, options);
  }

  get(id: string, options: RequestOptions = {}): Promise<Data<'GET /domains/{id}'>> {
    return this.#api.data('GET /domains/{id}', { params: { id } }, options);
  }

  /** Looks the records up now. */
  verify(id: string, options: RequestOptions = {}): Promise<Data<'GET /domains/{id}/verify'>> {
    return this.#api.data('GET /domains/{id}/verify', { params: { id } }, options);
  }

  /** Makes a new DKIM key, which signs once the record in `dkim_rotation` is found in DNS. */
  rotateDkim(id: string, options: RequestOptions = {}): Promise<Data<'POST /domains/{id}/dkim/rotate'>> {
    return this.#api.data('POST /domains/{id}/dkim/rotate', { params: { id } }, options);
  }

  /** Before the switch only. */
  cancelDkimRotation(
    id: string,
    options: RequestOptions = {},
  ): Promise<Data<'DELETE /domains/{id}/dkim/rotate'>> {
    return this.#api.data('DELETE /domains/{id}/dkim/rotate', { params: { id } }, options);
  }

  /** Who sends in the domain's name, by the reports of receivers; of the last 30 days unless told. */
  dmarcReports(
    id: string,
    { days, ...options }: RequestOptions & { readonly days?: number } = {},
  ): Promise<Data<'GET /domains/{id}/reports/dmarc'>> {
    const query = days === undefined ? {} : { days };
    return this.#api.data('GET /domains/{id}/reports/dmarc', { params: { id }, query }, options);
  }

  /** How mail to the domain was encrypted. */
  tlsReports(
    id: string,
    { days, ...options }: RequestOptions & { readonly days?: number } = {},
  ): Promise<Data<'GET /domains/{id}/reports/tls'>> {
    const query = days === undefined ? {} : { days };
    return this.#api.data('GET /domains/{id}/reports/tls', { params: { id }, query }, options);
  }

  /** What is not given stays as it is; null takes it back. */
  setTracking(
    id: string,
    body: Body<'PUT /domains/{id}/tracking'>,
    options: RequestOptions = {},
  ): Promise<Data<'PUT /domains/{id}/tracking'>> {
    return this.#api.data('PUT /domains/{id}/tracking', { params: { id }, body }, options);
  }

  delete(id: string, options: RequestOptions = {}): Promise<Data<'DELETE /domains/{id}'>> {
    return this.#api.data('DELETE /domains/{id}', { params: { id } }, options);
  }
}
