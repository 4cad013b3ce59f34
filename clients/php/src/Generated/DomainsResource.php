<?php

// Made from the OpenAPI document by `npx tsx clients/php/scripts/generate.ts`. Do not edit.

declare(strict_types=1);

namespace Postrider\Generated;

use Postrider\Http\Transport;

/**
 * Domains to send from.
 *
 * @phpstan-import-type Deleted from Shapes
 * @phpstan-import-type DmarcReports from Shapes
 * @phpstan-import-type Domain from Shapes
 * @phpstan-import-type DomainsSetTrackingBody from Shapes
 * @phpstan-import-type NewDomain from Shapes
 * @phpstan-import-type TlsReports from Shapes
 * @phpstan-import-type RequestOptions from Transport
 */
class DomainsResource
{
    public function __construct(protected readonly Transport $api)
    {
    }

    /**
     * Register a sending domain.
     *
     * @param string $domain
     * @param RequestOptions $options
     * @return NewDomain
     */
    public function create(string $domain, array $options = []): array
    {
        return $this->api->data('POST /domains', body: ['domain' => $domain], options: $options);
    }

    /**
     * List all sending domains, newest first.
     *
     * @param RequestOptions $options
     * @return list<Domain>
     */
    public function list(array $options = []): array
    {
        return $this->api->data('GET /domains', options: $options);
    }

    /**
     * Export the DNS records of all domains.
     *
     * @param array{format?: 'zone'|'terraform'|'octodns'|null, zone?: string|null} $query
     * @param RequestOptions $options
     * @return string
     */
    public function export(array $query = [], array $options = []): string
    {
        return $this->api->answer('GET /domains/export', query: [...$query], options: $options);
    }

    /**
     * Get a sending domain with the results of its last check.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return Domain
     */
    public function get(string $id, array $options = []): array
    {
        return $this->api->data('GET /domains/{id}', params: ['id' => $id], options: $options);
    }

    /**
     * Check DNS now and update the domain.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return Domain
     */
    public function verify(string $id, array $options = []): array
    {
        return $this->api->data('GET /domains/{id}/verify', params: ['id' => $id], options: $options);
    }

    /**
     * Rotate the DKIM key of a domain.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return Domain
     */
    public function rotateDkim(string $id, array $options = []): array
    {
        return $this->api->data('POST /domains/{id}/dkim/rotate', params: ['id' => $id], options: $options);
    }

    /**
     * Cancel a DKIM rotation.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return Domain
     */
    public function cancelDkimRotation(string $id, array $options = []): array
    {
        return $this->api->data('DELETE /domains/{id}/dkim/rotate', params: ['id' => $id], options: $options);
    }

    /**
     * Summarize the DMARC reports about a domain.
     *
     * @param string $id
     * @param array{days?: int|null} $query
     * @param RequestOptions $options
     * @return DmarcReports
     */
    public function dmarcReports(string $id, array $query = [], array $options = []): array
    {
        return $this->api->data('GET /domains/{id}/reports/dmarc', params: ['id' => $id], query: [...$query], options: $options);
    }

    /**
     * Summarize the TLS reports about a domain.
     *
     * @param string $id
     * @param array{days?: int|null} $query
     * @param RequestOptions $options
     * @return TlsReports
     */
    public function tlsReports(string $id, array $query = [], array $options = []): array
    {
        return $this->api->data('GET /domains/{id}/reports/tls', params: ['id' => $id], query: [...$query], options: $options);
    }

    /**
     * Change the tracking settings of a sending domain.
     *
     * @param string $id
     * @param DomainsSetTrackingBody $body
     * @param RequestOptions $options
     * @return Domain
     */
    public function setTracking(string $id, array $body, array $options = []): array
    {
        return $this->api->data('PUT /domains/{id}/tracking', params: ['id' => $id], body: $body, options: $options);
    }

    /**
     * Delete a sending domain.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return Deleted
     */
    public function delete(string $id, array $options = []): array
    {
        return $this->api->data('DELETE /domains/{id}', params: ['id' => $id], options: $options);
    }
}
