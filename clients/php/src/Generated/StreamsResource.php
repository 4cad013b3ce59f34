<?php

// Made from the OpenAPI document by `npx tsx clients/php/scripts/generate.ts`. Do not edit.

declare(strict_types=1);

namespace Postrider\Generated;

use Postrider\Http\Transport;

/**
 * Kinds of mail that are kept apart.
 *
 * @phpstan-import-type Stream from Shapes
 * @phpstan-import-type StreamsCreateBody from Shapes
 * @phpstan-import-type StreamsDeleteData from Shapes
 * @phpstan-import-type StreamsUpdateBody from Shapes
 * @phpstan-import-type RequestOptions from Transport
 */
class StreamsResource
{
    public function __construct(protected readonly Transport $api)
    {
    }

    /**
     * List streams.
     *
     * @param RequestOptions $options
     * @return list<Stream>
     */
    public function list(array $options = []): array
    {
        return $this->api->data('GET /streams', options: $options);
    }

    /**
     * Get a stream.
     *
     * @param string $name
     * @param RequestOptions $options
     * @return Stream
     */
    public function get(string $name, array $options = []): array
    {
        return $this->api->data('GET /streams/{name}', params: ['name' => $name], options: $options);
    }

    /**
     * Create a stream.
     *
     * @param StreamsCreateBody $body
     * @param RequestOptions $options
     * @return Stream
     */
    public function create(array $body, array $options = []): array
    {
        return $this->api->data('POST /streams', body: $body, options: $options);
    }

    /**
     * Change a stream.
     *
     * @param string $name
     * @param StreamsUpdateBody $body
     * @param RequestOptions $options
     * @return Stream
     */
    public function update(string $name, array $body, array $options = []): array
    {
        return $this->api->data('PATCH /streams/{name}', params: ['name' => $name], body: $body, options: $options);
    }

    /**
     * Remove a stream.
     *
     * @param string $name
     * @param RequestOptions $options
     * @return StreamsDeleteData
     */
    public function delete(string $name, array $options = []): array
    {
        return $this->api->data('DELETE /streams/{name}', params: ['name' => $name], options: $options);
    }
}
