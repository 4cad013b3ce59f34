<?php

// Made from the OpenAPI document by `npx tsx clients/php/scripts/generate.ts`. Do not edit.

declare(strict_types=1);

namespace Postrider\Generated;

use Postrider\Http\Transport;

/**
 * Withdrawing what was sent by mistake.
 *
 * @phpstan-import-type IncidentReport from Shapes
 * @phpstan-import-type Undo from Shapes
 * @phpstan-import-type UndosCreateBody from Shapes
 * @phpstan-import-type UndosListPage from Shapes
 * @phpstan-import-type UndosPreviewBody from Shapes
 * @phpstan-import-type RequestOptions from Transport
 */
class UndosResource
{
    public function __construct(protected readonly Transport $api)
    {
    }

    /**
     * List undos, newest first.
     *
     * @param array{page?: int|null, limit?: int|null} $query
     * @param RequestOptions $options
     * @return UndosListPage
     */
    public function list(array $query = [], array $options = []): array
    {
        return $this->api->answer('GET /undos', query: [...$query], options: $options);
    }

    /**
     * List undos, newest first: all of them, page by page as you read on.
     *
     * @param array{limit?: int|null} $query
     * @param RequestOptions $options
     * @return \Generator<int, Undo>
     */
    public function all(array $query = [], array $options = []): \Generator
    {
        return $this->api->pages('GET /undos', query: [...$query], options: $options);
    }

    /**
     * Preview an undo.
     *
     * @param UndosPreviewBody $body
     * @param RequestOptions $options
     * @return IncidentReport
     */
    public function preview(array $body, array $options = []): array
    {
        return $this->api->data('POST /undos/preview', body: $body, options: $options);
    }

    /**
     * Undo an incident.
     *
     * @param UndosCreateBody $body
     * @param RequestOptions $options
     * @return Undo
     */
    public function create(array $body, array $options = []): array
    {
        return $this->api->data('POST /undos', body: $body, options: $options);
    }

    /**
     * Get the progress of an undo.
     *
     * @param string $id
     * @param RequestOptions $options
     * @return Undo
     */
    public function get(string $id, array $options = []): array
    {
        return $this->api->data('GET /undos/{id}', params: ['id' => $id], options: $options);
    }
}
