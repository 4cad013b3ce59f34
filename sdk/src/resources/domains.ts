/** Sending domains. */
import type { Answer, Body, Data, Query, RequestOptions } from '../operation.ts';
import type { Transport } from '../transport.ts';

export class Domains {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Registers a domain. The response has the DNS records to publish. */
  create(domain: string, options: RequestOptions = {}): Promise<Data<'POST /domains'>> {
    return this.#api.data('POST /domains', { body: { domain } }, options);
  }

  list(options: RequestOptions = {}): Promise<Data<'GET /domains'>> {
    return this.#api.data('GET /domains', {}, options);
  }

  /** Exports the DNS records of all domains as a zone file, or for Terraform or octoDNS. */
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

  /** Checks the DNS records now. */
  verify(id: string, options: RequestOptions = {}): Promise<Data<'GET /domains/{id}/verify'>> {
    return this.#api.data('GET /domains/{id}/verify', { params: { id } }, options);
  }

  /** Creates a new DKIM key. It signs mail as soon as the record in `dkim_rotation` is found in DNS. */
  rotateDkim(id: string, options: RequestOptions = {}): Promise<Data<'POST /domains/{id}/dkim/rotate'>> {
    return this.#api.data('POST /domains/{id}/dkim/rotate', { params: { id } }, options);
  }

  /** Cancels a DKIM rotation that waits for its DNS record. */
  cancelDkimRotation(
    id: string,
    options: RequestOptions = {},
  ): Promise<Data<'DELETE /domains/{id}/dkim/rotate'>> {
    return this.#api.data('DELETE /domains/{id}/dkim/rotate', { params: { id } }, options);
  }

  /** Summarizes the DMARC reports about the domain, by default of the last 30 days. */
  dmarcReports(
    id: string,
    { days, ...options }: RequestOptions & { readonly days?: number } = {},
  ): Promise<Data<'GET /domains/{id}/reports/dmarc'>> {
    const query = days === undefined ? {} : { days };
    return this.#api.data('GET /domains/{id}/reports/dmarc', { params: { id }, query }, options);
  }

  /** Summarizes the TLS reports about the domain. */
  tlsReports(
    id: string,
    { days, ...options }: RequestOptions & { readonly days?: number } = {},
  ): Promise<Data<'GET /domains/{id}/reports/tls'>> {
    const query = days === undefined ? {} : { days };
    return this.#api.data('GET /domains/{id}/reports/tls', { params: { id }, query }, options);
  }

  /** Changes the tracking settings of a domain. Omitted fields do not change; null removes a setting. */
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
