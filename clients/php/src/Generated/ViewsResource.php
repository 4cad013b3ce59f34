<?php

// Made from the OpenAPI document by `npx tsx clients/php/scripts/generate.ts`. Do not edit.

declare(strict_types=1);

namespace Postrider\Generated;

use Postrider\Http\Transport;

/**
 * Filters of lists, saved under a name.
 *
 * @phpstan-import-type Deleted from Shapes
 * @phpstan-import-type View from Shapes
 * @phpstan-import-type ViewsCreateBody from Shapes
 * @phpstan-import-type ViewsUpdateBody from Shapes
 * @phpstan-import-type RequestOptions from Transport
 */
class ViewsResource
{
    public function __construct(protected readonly Transport $api)
    {
    }

    /**
     * List saved views.
     *
     * @param array{list?: 'emails'|'request_logs'|'approvals'|'holds'|'templates'|'suppressions'|'inbound'|'sandbox_messages'|'sites'|'audit_log'|null} $query
     * @param RequestOptions $options
     * @return list<View>
     */
    public function list(array $query = [], array $options = []): array
    {
        return $this->api->data('GET /views', query: [...$query], options: $options);
    }

    /**
     * Save a view.
     *
     * @param ViewsCreateBody $body
     * @param RequestOptions $options
     * @return View
     */
    public function create(array $body, array $options = []): array
    {
        return $this->api->data('POST /views', body: $body, options: $options);
    }

    /**
     * Change a saved view.
     *
     * @param string $id
     * @param ViewsUpdateBody $body
     * @param RequestOptions $options
     * @return View
     */
    public function update(string $id, array $body, array $options = []): array
    {
        return $this->api->data('PATCH /views/{id}', params: ['id' => $id], body: $body, options: $options);
    }

    /**
     * Delete a saved view.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return Deleted
     */
    public function delete(string $id, array $options = []): array
    {
        return $this->api->data('DELETE /views/{id}', params: ['id' => $id], options: $options);
    }
}
