<?php

// Made from the OpenAPI document by `npx tsx clients/php/scripts/generate.ts`. Do not edit.

declare(strict_types=1);

namespace Postrider\Generated;

use Postrider\Http\Transport;

/**
 * Everything that happens, the newest first.
 *
 * @phpstan-import-type EventsListPage from Shapes
 * @phpstan-import-type StreamEvent from Shapes
 * @phpstan-import-type RequestOptions from Transport
 */
class EventsResource
{
    public function __construct(protected readonly Transport $api)
    {
    }

    /**
     * List events, newest first.
     *
     * @param array{limit?: int|null, cursor?: string|null, type?: 'queued'|'processing'|'held'|'delivered'|'opened'|'clicked'|'bounced'|'deferred'|'failed'|'complained'|'unsubscribed'|'rejected'|'received'|null, recipient?: string|null, api_key_id?: string|null, from_date?: string|null, to_date?: string|null} $query
     * @param RequestOptions $options
     * @return EventsListPage
     */
    public function list(array $query = [], array $options = []): array
    {
        return $this->api->answer('GET /events', query: [...$query], options: $options);
    }

    /**
     * List events, newest first: all of them, page by page as you read on.
     *
     * @param array{limit?: int|null, type?: 'queued'|'processing'|'held'|'delivered'|'opened'|'clicked'|'bounced'|'deferred'|'failed'|'complained'|'unsubscribed'|'rejected'|'received'|null, recipient?: string|null, api_key_id?: string|null, from_date?: string|null, to_date?: string|null} $query
     * @param RequestOptions $options
     * @return \Generator<int, StreamEvent>
     */
    public function all(array $query = [], array $options = []): \Generator
    {
        return $this->api->cursor('GET /events', query: [...$query], options: $options);
    }
}
