<?php

// Made from the OpenAPI document by `npx tsx clients/php/scripts/generate.ts`. Do not edit.

declare(strict_types=1);

namespace Postrider\Generated;

use Postrider\Http\Transport;

/**
 * Mail that is held back.
 *
 * @phpstan-import-type BulkResult from Shapes
 * @phpstan-import-type Hold from Shapes
 * @phpstan-import-type HoldDetail from Shapes
 * @phpstan-import-type HoldsCreateBody from Shapes
 * @phpstan-import-type HoldsDiscardBody from Shapes
 * @phpstan-import-type HoldsDiscardManyBody from Shapes
 * @phpstan-import-type HoldsListPage from Shapes
 * @phpstan-import-type PlacedHold from Shapes
 * @phpstan-import-type RequestOptions from Transport
 */
class HoldsResource
{
    public function __construct(protected readonly Transport $api)
    {
    }

    /**
     * List holds, active ones first.
     *
     * @param array{page?: int|null, limit?: int|null, view?: 'organization'|'installation'|null} $query
     * @param RequestOptions $options
     * @return HoldsListPage
     */
    public function list(array $query = [], array $options = []): array
    {
        return $this->api->answer('GET /holds', query: [...$query], options: $options);
    }

    /**
     * List holds, active ones first: all of them, page by page as you read on.
     *
     * @param array{limit?: int|null, view?: 'organization'|'installation'|null} $query
     * @param RequestOptions $options
     * @return \Generator<int, Hold>
     */
    public function all(array $query = [], array $options = []): \Generator
    {
        return $this->api->pages('GET /holds', query: [...$query], options: $options);
    }

    /**
     * Hold mail.
     *
     * @param HoldsCreateBody $body
     * @param RequestOptions $options
     * @return PlacedHold
     */
    public function create(array $body, array $options = []): array
    {
        return $this->api->data('POST /holds', body: $body, options: $options);
    }

    /**
     * Get a hold and the amount of held mail.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return HoldDetail
     */
    public function get(string $id, array $options = []): array
    {
        return $this->api->data('GET /holds/{id}', params: ['id' => $id], options: $options);
    }

    /**
     * Release a hold and send its mail.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return Hold
     */
    public function release(string $id, array $options = []): array
    {
        return $this->api->data('POST /holds/{id}/release', params: ['id' => $id], options: $options);
    }

    /**
     * Discard the mail of a hold so that it is never sent.
     *
     * @param string $id
     * @param HoldsDiscardBody $body
     * @param RequestOptions $options
     * @return Hold
     */
    public function discard(string $id, array $body, array $options = []): array
    {
        return $this->api->data('POST /holds/{id}/discard', params: ['id' => $id], body: $body, options: $options);
    }

    /**
     * Release several holds and send their mail.
     *
     * @param list<string> $ids
     * @param RequestOptions $options
     * @return BulkResult
     */
    public function releaseMany(array $ids, array $options = []): array
    {
        return $this->api->data('POST /holds/release', body: ['ids' => $ids], options: $options);
    }

    /**
     * Discard the mail of several holds so that it is never sent.
     *
     * @param HoldsDiscardManyBody $body
     * @param RequestOptions $options
     * @return BulkResult
     */
    public function discardMany(array $body, array $options = []): array
    {
        return $this->api->data('POST /holds/discard', body: $body, options: $options);
    }
}
