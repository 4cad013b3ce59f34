<?php

// Made from the OpenAPI document by `npx tsx clients/php/scripts/generate.ts`. Do not edit.

declare(strict_types=1);

namespace Postrider\Generated;

use Postrider\Http\Transport;

/**
 * The mail servers that mail goes to, and how they take it.
 *
 * @phpstan-import-type Site from Shapes
 * @phpstan-import-type RequestOptions from Transport
 */
class SitesResource
{
    public function __construct(protected readonly Transport $api)
    {
    }

    /**
     * List the sites that mail waits for.
     *
     * @param array{view?: 'organization'|'installation'|null} $query
     * @param RequestOptions $options
     * @return list<Site>
     */
    public function list(array $query = [], array $options = []): array
    {
        return $this->api->data('GET /sites', query: [...$query], options: $options);
    }

    /**
     * Get a site.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return Site
     */
    public function get(string $id, array $options = []): array
    {
        return $this->api->data('GET /sites/{id}', params: ['id' => $id], options: $options);
    }
}
