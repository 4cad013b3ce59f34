<?php

// Made from the OpenAPI document by `npx tsx clients/php/scripts/generate.ts`. Do not edit.

declare(strict_types=1);

namespace Postrider\Generated;

use Postrider\Http\Transport;

/**
 * One search over everything of the organization.
 *
 * @phpstan-import-type SearchGroup from Shapes
 * @phpstan-import-type RequestOptions from Transport
 */
class SearchResource
{
    public function __construct(protected readonly Transport $api)
    {
    }

    /**
     * Search everything.
     *
     * @param array{q?: string|null, kinds?: string|null} $query
     * @param RequestOptions $options
     * @return list<SearchGroup>
     */
    public function find(array $query = [], array $options = []): array
    {
        return $this->api->data('GET /search', query: [...$query], options: $options);
    }
}
