<?php

// Made from the OpenAPI document by `npx tsx clients/php/scripts/generate.ts`. Do not edit.

declare(strict_types=1);

namespace Postrider\Generated;

use Postrider\Http\Transport;

/**
 * Who must not be mailed.
 *
 * @phpstan-import-type BulkResult from Shapes
 * @phpstan-import-type Deleted from Shapes
 * @phpstan-import-type Suppression from Shapes
 * @phpstan-import-type SuppressionImport from Shapes
 * @phpstan-import-type SuppressionsCreateBody from Shapes
 * @phpstan-import-type SuppressionsImportListBody from Shapes
 * @phpstan-import-type SuppressionsListPage from Shapes
 * @phpstan-import-type RequestOptions from Transport
 */
class SuppressionsResource
{
    public function __construct(protected readonly Transport $api)
    {
    }

    /**
     * List suppressed addresses, newest first.
     *
     * @param array{page?: int|null, limit?: int|null, email?: string|null, search?: string|null, reason?: 'hard_bounce'|'soft_bounce'|'complaint'|'unsubscribe'|'manual'|null} $query
     * @param RequestOptions $options
     * @return SuppressionsListPage
     */
    public function list(array $query = [], array $options = []): array
    {
        return $this->api->answer('GET /suppressions', query: [...$query], options: $options);
    }

    /**
     * List suppressed addresses, newest first: all of them, page by page as you read on.
     *
     * @param array{limit?: int|null, email?: string|null, search?: string|null, reason?: 'hard_bounce'|'soft_bounce'|'complaint'|'unsubscribe'|'manual'|null} $query
     * @param RequestOptions $options
     * @return \Generator<int, Suppression>
     */
    public function all(array $query = [], array $options = []): \Generator
    {
        return $this->api->pages('GET /suppressions', query: [...$query], options: $options);
    }

    /**
     * Suppress an address.
     *
     * @param SuppressionsCreateBody $body
     * @param RequestOptions $options
     * @return Suppression
     */
    public function create(array $body, array $options = []): array
    {
        return $this->api->data('POST /suppressions', body: $body, options: $options);
    }

    /**
     * Remove an address from the suppression list.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return Deleted
     */
    public function delete(string $id, array $options = []): array
    {
        return $this->api->data('DELETE /suppressions/{id}', params: ['id' => $id], options: $options);
    }

    /**
     * Remove several addresses from the suppression list.
     *
     * @param list<string> $ids
     * @param RequestOptions $options
     * @return BulkResult
     */
    public function deleteMany(array $ids, array $options = []): array
    {
        return $this->api->data('POST /suppressions/delete', body: ['ids' => $ids], options: $options);
    }

    /**
     * Suppress up to 100,000 addresses.
     *
     * @param SuppressionsImportListBody|string $body
     * @param array{reason?: 'hard_bounce'|'soft_bounce'|'complaint'|'unsubscribe'|'manual'|null} $query
     * @param RequestOptions $options
     * @return SuppressionImport
     */
    public function importList(array|string $body, array $query = [], array $options = []): array
    {
        return $this->api->data('POST /suppressions/import', query: [...$query], body: $body, options: $options);
    }

    /**
     * Get the progress of an import of suppressions.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return SuppressionImport
     */
    public function getImport(string $id, array $options = []): array
    {
        return $this->api->data('GET /suppressions/imports/{id}', params: ['id' => $id], options: $options);
    }

    /**
     * Download the suppression list as CSV.
     *
     * @param RequestOptions $options
     * @return string
     */
    public function export(array $options = []): string
    {
        return $this->api->answer('GET /suppressions/export', options: $options);
    }
}
