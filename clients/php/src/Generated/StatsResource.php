<?php

// Made from the OpenAPI document by `npx tsx clients/php/scripts/generate.ts`. Do not edit.

declare(strict_types=1);

namespace Postrider\Generated;

use Postrider\Http\Transport;

/**
 * Numbers for an overview.
 *
 * @phpstan-import-type Attention from Shapes
 * @phpstan-import-type Deliverability from Shapes
 * @phpstan-import-type FirstSteps from Shapes
 * @phpstan-import-type Overview from Shapes
 * @phpstan-import-type Worker from Shapes
 * @phpstan-import-type RequestOptions from Transport
 */
class StatsResource
{
    public function __construct(protected readonly Transport $api)
    {
    }

    /**
     * Get statistics of your mail over time.
     *
     * @param array{range?: '24h'|'7d'|'30d'|null, stream?: string|null} $query
     * @param RequestOptions $options
     * @return Overview
     */
    public function overview(array $query = [], array $options = []): array
    {
        return $this->api->data('GET /stats', query: [...$query], options: $options);
    }

    /**
     * Get delivery results by provider, domain, template, stream, tag or reason.
     *
     * @param array{range?: '24h'|'7d'|'30d'|null, by?: 'provider'|'domain'|'template'|'tag'|'stream'|'reason'|null} $query
     * @param RequestOptions $options
     * @return Deliverability
     */
    public function deliverability(array $query = [], array $options = []): array
    {
        return $this->api->data('GET /stats/deliverability', query: [...$query], options: $options);
    }

    /**
     * List the workers that deliver mail, with their last heartbeat.
     *
     * @param RequestOptions $options
     * @return list<Worker>
     */
    public function workers(array $options = []): array
    {
        return $this->api->data('GET /stats/workers', options: $options);
    }

    /**
     * Get current warnings and the state of the queue.
     *
     * @param RequestOptions $options
     * @return Attention
     */
    public function attention(array $options = []): array
    {
        return $this->api->data('GET /stats/attention', options: $options);
    }

    /**
     * Get the state of the setup, and the address for SMTP submission.
     *
     * @param RequestOptions $options
     * @return FirstSteps
     */
    public function firstSteps(array $options = []): array
    {
        return $this->api->data('GET /first-steps', options: $options);
    }
}
