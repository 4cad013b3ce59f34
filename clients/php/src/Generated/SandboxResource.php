<?php

// Made from the OpenAPI document by `npx tsx clients/php/scripts/generate.ts`. Do not edit.

declare(strict_types=1);

namespace Postrider\Generated;

use Postrider\Http\Transport;

/**
 * The inbox of the sandbox, where every mail ends up that would have been delivered. Sandbox mode only.
 *
 * @phpstan-import-type Deleted from Shapes
 * @phpstan-import-type MarkSandboxMessage from Shapes
 * @phpstan-import-type SandboxActBody from Shapes
 * @phpstan-import-type SandboxActData from Shapes
 * @phpstan-import-type SandboxCheckedLink from Shapes
 * @phpstan-import-type SandboxClearData from Shapes
 * @phpstan-import-type SandboxCreateOrganizationBody from Shapes
 * @phpstan-import-type SandboxLatestData from Shapes
 * @phpstan-import-type SandboxListPage from Shapes
 * @phpstan-import-type SandboxMarkAllData from Shapes
 * @phpstan-import-type SandboxMessage from Shapes
 * @phpstan-import-type SandboxMessageChecks from Shapes
 * @phpstan-import-type SandboxMessageItem from Shapes
 * @phpstan-import-type SandboxSampleReportsData from Shapes
 * @phpstan-import-type ThrowAwayOrganization from Shapes
 * @phpstan-import-type RequestOptions from Transport
 */
class SandboxResource
{
    public function __construct(protected readonly Transport $api)
    {
    }

    /**
     * List captured messages, newest first.
     *
     * @param array{page?: int|null, limit?: int|null, to?: string|null, q?: string|null, unread?: bool|null} $query
     * @param RequestOptions $options
     * @return SandboxListPage
     */
    public function list(array $query = [], array $options = []): array
    {
        return $this->api->answer('GET /sandbox/messages', query: [...$query], options: $options);
    }

    /**
     * List captured messages, newest first: all of them, page by page as you read on.
     *
     * @param array{limit?: int|null, to?: string|null, q?: string|null, unread?: bool|null} $query
     * @param RequestOptions $options
     * @return \Generator<int, SandboxMessageItem>
     */
    public function all(array $query = [], array $options = []): \Generator
    {
        return $this->api->pages('GET /sandbox/messages', query: [...$query], options: $options);
    }

    /**
     * Get a captured message, parsed.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return SandboxMessage
     */
    public function get(string $id, array $options = []): array
    {
        return $this->api->data('GET /sandbox/messages/{id}', params: ['id' => $id], options: $options);
    }

    /**
     * Get the newest captured message that matches, or wait for one.
     *
     * @param array{to?: string|null, subject?: string|null, since?: string|null, wait?: int|null} $query
     * @param RequestOptions $options
     * @return SandboxLatestData|null
     */
    public function latest(array $query = [], array $options = []): ?array
    {
        return $this->api->data('GET /sandbox/messages/latest', query: [...$query], options: $options);
    }

    /**
     * Simulate an action of the recipient of a captured message.
     *
     * @param string $id
     * @param SandboxActBody $body
     * @param RequestOptions $options
     * @return SandboxActData
     */
    public function act(string $id, array $body, array $options = []): array
    {
        return $this->api->data('POST /sandbox/messages/{id}/actions', params: ['id' => $id], body: $body, options: $options);
    }

    /**
     * Get the source of a captured message.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return string
     */
    public function raw(string $id, array $options = []): string
    {
        return $this->api->answer('GET /sandbox/messages/{id}/raw', params: ['id' => $id], options: $options);
    }

    /**
     * Check a captured message.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return SandboxMessageChecks
     */
    public function checks(string $id, array $options = []): array
    {
        return $this->api->data('GET /sandbox/messages/{id}/checks', params: ['id' => $id], options: $options);
    }

    /**
     * Check the links of a captured message.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return list<SandboxCheckedLink>
     */
    public function checkLinks(string $id, array $options = []): array
    {
        return $this->api->data('POST /sandbox/messages/{id}/links/check', params: ['id' => $id], options: $options);
    }

    /**
     * Mark a captured message as read or unread.
     *
     * @param string $id
     * @param bool $isRead
     * @param RequestOptions $options
     * @return MarkSandboxMessage
     */
    public function mark(string $id, bool $isRead, array $options = []): array
    {
        return $this->api->data('PATCH /sandbox/messages/{id}', params: ['id' => $id], body: ['is_read' => $isRead], options: $options);
    }

    /**
     * Mark all captured messages as read or unread.
     *
     * @param bool $isRead
     * @param RequestOptions $options
     * @return SandboxMarkAllData
     */
    public function markAll(bool $isRead, array $options = []): array
    {
        return $this->api->data('PATCH /sandbox/messages', body: ['is_read' => $isRead], options: $options);
    }

    /**
     * Delete a captured message.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return Deleted
     */
    public function delete(string $id, array $options = []): array
    {
        return $this->api->data('DELETE /sandbox/messages/{id}', params: ['id' => $id], options: $options);
    }

    /**
     * Delete all captured messages of the organization.
     *
     * @param RequestOptions $options
     * @return SandboxClearData
     */
    public function clear(array $options = []): array
    {
        return $this->api->data('DELETE /sandbox/messages', options: $options);
    }

    /**
     * Send sample DMARC and TLS reports about a domain.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return SandboxSampleReportsData
     */
    public function sampleReports(string $id, array $options = []): array
    {
        return $this->api->data('POST /sandbox/domains/{id}/reports', params: ['id' => $id], options: $options);
    }

    /**
     * Create an organization for one run of your tests.
     *
     * @param SandboxCreateOrganizationBody $body
     * @param RequestOptions $options
     * @return ThrowAwayOrganization
     */
    public function createOrganization(array $body = [], array $options = []): array
    {
        return $this->api->data('POST /sandbox/organizations', body: $body, options: $options);
    }

    /**
     * Delete the test organization of the calling API key.
     *
     * @param RequestOptions $options
     * @return Deleted
     */
    public function deleteOrganization(array $options = []): array
    {
        return $this->api->data('DELETE /sandbox/organization', options: $options);
    }
}
